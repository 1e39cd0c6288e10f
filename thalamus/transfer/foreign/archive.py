"""The JSON values in an export: a file, an archive (.zip, .gz) or a folder with such files."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path, PurePath
from typing import Any, BinaryIO, TextIO, cast

from msgspec import Struct

from thalamus.clock import format_time
from thalamus.errors import DocumentError
from thalamus.readers.detect import unreadable
from thalamus.readers.open_file import open_regular

_PART = 1 << 20  # characters read at a time
_MAX_VALUE = 256 << 20  # characters of one value
_BETWEEN = re.compile(r"[\s,]*")
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"


class NotJson(DocumentError):
    """Cannot read {0}: {1}"""


class Item(Struct, frozen=True):
    """A JSON value of an export: its ``number`` (from 1), the ``file`` that contains it and when
    that was last ``modified`` (RFC 3339), and the name of the ``folder`` around it."""

    value: Any
    number: int
    file: str
    modified: str
    folder: str = ""


def items(path: Path, names: re.Pattern[str], on_problem: Callable[[str], None]) -> Iterator[Item]:
    """The values of an export as a stream: memory is needed for one value, not for all of them.

    ``names``: the files that count in an archive and in a folder, by their path in it. A file that
    is named itself counts in any case. ``on_problem`` gets a message for each line that is not
    JSON. Raises ``DocumentError`` for what cannot be read.
    """
    number = 0
    for file, modified, stream in _files(path, names):
        for value in _values(stream, file, on_problem):
            number += 1
            yield Item(value, number, file, modified)


def _files(path: Path, names: re.Pattern[str]) -> Iterator[tuple[str, str, TextIO]]:
    """Name, time of the last change and text of each file."""
    if path.is_dir():
        for inner in _walk(path, names):
            yield from _files(inner, names)
        return
    try:
        with open_regular(path) as file:
            modified = datetime.fromtimestamp(int(os.fstat(file.fileno()).st_mtime), UTC)
            yield from _unpacked(file, str(path), format_time(modified), names)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DocumentError(path, f"the archive is damaged ({error})") from None
    except RuntimeError as error:  # zipfile's way to ask for a password
        raise DocumentError(path, str(error), kind="encrypted") from None
    except OSError as error:
        raise unreadable(path, error) from None


def _walk(folder: Path, names: re.Pattern[str]) -> list[Path]:
    paths = (Path(parent, name) for parent, _, files in os.walk(folder) for name in files)
    found = sorted(p for p in paths if _counts(p.relative_to(folder).as_posix(), names))
    if not found:
        raise DocumentError(folder, "it contains no file of a known export", kind="unsupported")
    return found


def _counts(name: str, names: re.Pattern[str]) -> bool:
    hidden = any(part.startswith((".", "__MACOSX")) for part in PurePath(name).parts)
    return not hidden and names.fullmatch(name) is not None


def _unpacked(
    file: BinaryIO, name: str, modified: str, names: re.Pattern[str]
) -> Iterator[tuple[str, str, TextIO]]:
    """The text of a file, or of the files packed in it."""
    head = file.read(4)
    file.seek(0)
    if head == _ZIP:
        yield from _zipped(file, name, modified, names)
    elif head[:2] == _GZIP:
        with gzip.open(file) as unpacked:
            yield name, modified, _text(cast(BinaryIO, unpacked))
    else:
        yield name, modified, _text(file)


def _zipped(
    file: BinaryIO, name: str, modified: str, names: re.Pattern[str]
) -> Iterator[tuple[str, str, TextIO]]:
    with zipfile.ZipFile(file) as archive:
        found = sorted(
            (info for info in archive.infolist() if _counts(info.filename, names)),
            key=lambda info: info.filename,
        )
        plain = {info.filename for info in found}
        if not found:
            reason = "it contains no file of a known export"
            raise DocumentError(name, reason, kind="unsupported")
        for info in found:
            if info.filename.endswith(".jsonl.gz") and info.filename[:-4] in plain:
                continue  # the same once more, as lines
            with archive.open(info) as member:
                inner = f"{name}:{info.filename}"
                yield from _unpacked(
                    cast(BinaryIO, member), inner, _modified(info, modified), names
                )


def _modified(info: zipfile.ZipInfo, otherwise: str) -> str:
    """Time at which a file in an archive was changed; 1980 means that it was not recorded."""
    try:
        found = datetime(*info.date_time, tzinfo=UTC)
    except ValueError:
        return otherwise
    return format_time(found) if found.year > 1980 else otherwise


def _text(file: BinaryIO) -> TextIO:
    return io.TextIOWrapper(file, "utf-8-sig", errors="replace")


# -- values ----------------------------------------------------------------------------------------


def _values(stream: TextIO, name: str, on_problem: Callable[[str], None]) -> Iterator[Any]:
    """The elements of an array, the values of JSON lines, or a single value."""
    start = stream.read(_PART).lstrip()
    if start.startswith("["):
        yield from _elements(start, stream, name)
        return
    text = start + stream.read(_MAX_VALUE)
    try:
        yield json.loads(text)
        return
    except (ValueError, RecursionError) as error:
        reason = f"it is not JSON ({error})"
    lines = text.split("\n")
    if len(lines) < 2 or not any(isinstance(_line(line), dict) for line in lines):
        html = "it is HTML; choose JSON where the export is made"
        raise NotJson(name, html if text.startswith("<") else reason, kind="unsupported")
    lines[-1] += stream.readline()
    for number, line in enumerate(chain(lines, stream), 1):
        value = _line(line)
        if value is not None:
            yield value
        elif line.strip():
            on_problem(f"line {number} of {name} is not JSON; skipped")


def _line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _elements(buffer: str, stream: TextIO, name: str) -> Iterator[Any]:
    """Elements of a JSON array one by one. Text is read until an element is complete, doubling the
    buffer each time."""
    decoder, position, number = json.JSONDecoder(), 1, 1
    while True:
        match = _BETWEEN.match(buffer, position)
        position = match.end() if match else position
        if buffer[position : position + 1] == "]":
            return
        try:
            element, position = decoder.raw_decode(buffer, position)
        except (ValueError, RecursionError) as error:
            buffer, position = buffer[position:], 0
            more = stream.read(max(_PART, len(buffer)))
            if not more or len(buffer) > _MAX_VALUE or isinstance(error, RecursionError):
                reason = f"damaged or truncated in conversation {number} ({error})"
                raise DocumentError(name, reason) from None
            buffer += more
        else:
            yield element
            number += 1
