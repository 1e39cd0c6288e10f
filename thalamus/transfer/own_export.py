"""Lines of an export of Thalamus as people keep it: compressed, in an archive, or saved by a
program that puts a byte order mark before the text."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.errors import UsageError

if TYPE_CHECKING:
    Buffered = io.BufferedReader[Any]

_START = 1 << 16  # bytes that show whether a file is such an export
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_RECORD = re.compile(rb'^\{\s*"record"', re.MULTILINE)


def is_own_export(path: Path) -> bool:
    """True for an empty file, and one whose first lines have a record; in an archive for one of its
    files. Raises ``UsageError`` for a file that cannot be read."""
    with _readable(path):
        empty = _beginning(path) != _ZIP  # in an archive an empty file says nothing
        return any(_has_record(stream, empty) for stream in _files(path))


def export_lines_of(path: Path) -> Iterator[bytes]:
    """The lines of an export, of all its files in an archive. Raises ``UsageError`` for a file that
    cannot be read."""
    with _readable(path):
        archived = _beginning(path) == _ZIP
        for stream in _files(path):
            if not archived or _has_record(stream, False):
                yield from _lines(stream)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Converts errors of reading to ``UsageError``."""
    try:
        yield
    except RecursionError:
        raise UsageError(f"Cannot read {path}: it is nested too deeply.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UsageError(f"Cannot read {path}: the archive is damaged ({error}).") from None
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror or error}.") from None


def _beginning(path: Path) -> bytes:
    """First bytes of a regular file; a pipe is not read."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(len(_ZIP))


def _files(path: Path) -> Iterator[Buffered]:
    """The unpacked file, or those in an archive."""
    if _beginning(path) == _ZIP:
        with zipfile.ZipFile(path) as archive:
            for info in sorted(archive.infolist(), key=lambda one: one.filename):
                if not info.is_dir():
                    with archive.open(info) as member:
                        yield _unpacked(member)
        return
    with path.open("rb") as file:
        yield _unpacked(file)


def _unpacked(file: Any) -> Buffered:
    """A file in a buffer that can be looked into, decompressed if need be."""
    buffered: Buffered = io.BufferedReader(file, _START)
    if not buffered.peek(len(_GZIP)).startswith(_GZIP):
        return buffered
    unpacked: Any = gzip.GzipFile(fileobj=buffered)
    return io.BufferedReader(unpacked, _START)


def _has_record(stream: Buffered, empty: bool) -> bool:
    """True for a file with a record at its beginning; ``empty``: for one without content."""
    start = stream.peek(_START)
    if start.startswith(_UTF_16):
        start = start[: len(start) // 2 * 2].decode("utf-16", "replace").encode()
    start = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if not start:
        return empty
    if _RECORD.search(start):
        return True
    try:
        first = msgspec.json.decode(start.split(b"\n", 1)[0])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return isinstance(first, dict) and "record" in first


def _lines(stream: Buffered) -> Iterator[bytes]:
    """Lines in UTF-8 without a mark."""
    if stream.peek(2).startswith(_UTF_16):
        for text in io.TextIOWrapper(stream, "utf-16", errors="replace", newline="\n"):
            yield text.encode()
        return
    for number, line in enumerate(stream):
        yield line if number else line.removeprefix(codecs.BOM_UTF8)
