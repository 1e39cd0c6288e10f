"""Parsing of case files: JSON lines, one JSON list or one object; each may be gzip-compressed."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar, cast

import msgspec
from msgspec import Raw

from thalamus.clock import format_time, parse_time
from thalamus.errors import BadRecord, UsageError

T = TypeVar("T")
FIX = "docs/evaluation.md describes the formats; --format selects one."


def values(path: Path) -> Iterator[tuple[int, bytes | Raw]]:
    """(line, JSON text) of every line, of every item of a list, or of a single object. Raises
    ``UsageError`` for an unreadable file and ``BadRecord`` for invalid JSON."""
    with _opened(path) as stream:
        number, first = 0, b""
        while not first.strip():
            number, first = number + 1, stream.readline()
            if not first:
                return
        if not _is_a_line_of_several(first):
            yield from _whole(first + stream.read(), number)
            return
        yield number, first
        for later, line in enumerate(stream, start=number + 1):
            if line.strip():
                yield later, line


def decode(text: bytes | Raw, line: int, kind: type[T], fix: str = FIX) -> T:
    """Decodes a value as ``kind``. Raises ``BadRecord`` with the line and the path of the field."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise bad_record(error, line, fix=fix) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(line, f"not JSON ({error})", fix=fix) from None


def converted(value: object, line: int, kind: type[T], place: str) -> T:
    """Converts a decoded value to ``kind``; ``place`` is its path. Raises ``BadRecord``."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise bad_record(error, line, place) from None


def bad_record(
    error: msgspec.ValidationError, line: int, place: str = "", fix: str = FIX
) -> BadRecord:
    """``BadRecord`` for a validation error."""
    problem, _, path = str(error).partition(" - at `")
    path = place + path.rstrip("`").removeprefix("$")
    name = re.search(r"(unknown|required) field `(.+)`", problem)
    if name is not None:
        what = "is missing" if name[1] == "required" else "is not known"
        field = f"{path}.{name[2]}".strip(".")
        return BadRecord(line, f"the field `{field}` {what}", field, fix=fix)
    field = path.strip(".")
    text = f"{problem[:1].lower()}{problem[1:]}"
    return BadRecord(line, f"`{field}`: {text}" if field else text, field, fix=fix)


def moment(text: str, line: int, field: str, fix: str = FIX) -> str:
    """A time in RFC 3339, UTC. Raises ``BadRecord`` if it is invalid."""
    try:
        return format_time(parse_time(text))
    except ValueError:
        problem = f"`{field}`: {text!r} is not a date or time such as 2023-05-08T13:56:00Z"
        raise BadRecord(line, problem, field, fix=fix) from None


def fingerprint(path: Path) -> str:
    """First 12 digits of the file's SHA-256. Raises ``UsageError`` if it cannot be read."""
    import hashlib

    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:12]
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from None


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    import gzip

    try:
        with path.open("rb") as file:
            packed = file.peek(2)[:2] == b"\x1f\x8b"
            yield cast(IO[bytes], gzip.GzipFile(fileobj=file) if packed else file)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"Cannot read {path}: {reason}.") from None


def _is_a_line_of_several(first: bytes) -> bool:
    """True if the first line is a complete value other than a list."""
    try:
        msgspec.json.decode(first, type=Raw)
    except msgspec.DecodeError:
        return False
    return not first.lstrip().startswith(b"[")


def _whole(text: bytes, line: int) -> Iterator[tuple[int, Raw]]:
    """The items of a list, or the single value of a whole file."""
    many = text.lstrip().startswith(b"[")
    try:
        found = msgspec.json.decode(text, type=list[Raw]) if many else [Raw(text)]
        if not many:
            msgspec.json.decode(text, type=Raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        at = re.search(r"byte (\d+)", str(error))
        line += text[: int(at[1]) if at else None].count(b"\n")
        raise BadRecord(line, f"not JSON ({error})", fix=FIX) from None
    place = 0
    for item in found:
        begun = text.find(bytes(item), place)
        line += text.count(b"\n", place, begun)
        yield line, item
        place = begun
