"""Records in and out: one JSON object per line, flushed as it is done."""

from __future__ import annotations

import codecs
import difflib
import functools
import re
import select
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from thalamus.errors import BadRecord, UsageError
from thalamus.records import RECORDS, Record
from thalamus.records.json_line import to_line
from thalamus.terminal import streams

R = TypeVar("R", bound=Record)

PAUSE = 0.05  # seconds without input after which what has come so far is handed on
CHUNK = 1 << 20  # bytes read at a time; a pipe holds less
DEEPEST = 250  # levels of lists and objects in a record
_PLAIN = "Records must be UTF-8 without a BOM: convert with `iconv -t UTF-8`, or save as UTF-8."
# the escapes of a string: pairs and others are passed over, a half that stands alone is found
_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)|\\.", re.DOTALL)
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[][{}]')
BEGINNING = 32  # bytes of a line that are looked at for its kind


def write(*records: object) -> None:
    """Writes records (or any JSON values) to standard output, one per line."""
    streams.write_bytes(b"".join([to_line(record) for record in records]))


def decode(line: bytes, number: int, *kinds: type[R]) -> R:
    """One line as a record of one of ``kinds``. Raises ``BadRecord`` naming line and field."""
    _check_depth(line, number)
    decoder = _decoder(kinds, line[:BEGINNING].partition(b",")[0])
    if decoder is not None:
        try:
            record: R = decoder.decode(line)
            return record
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass  # said below
    return _decode_telling(line, number, kinds)


@functools.lru_cache(64)
def _decoder(kinds: tuple[type[R], ...], beginning: bytes) -> Any:
    """The decoder of the kind that a line begins with naming; None when it does not. One for
    all kinds together would have to be told of every type in them, which takes 30 ms."""
    for kind in kinds:
        if beginning.replace(b" ", b"") == b'{"record":"%s"' % _name(kind).encode():
            return msgspec.json.Decoder(kind)
    return None


def _decode_telling(line: bytes, number: int, kinds: tuple[type[R], ...]) -> R:
    """The same in steps, so that the error can say which of them failed."""
    try:
        if len(kinds) == 1:
            return msgspec.json.decode(line, type=kinds[0])
        _check_tag(line, number, kinds)
        wanted = msgspec.json.decode(line, type=_Tag).record
        kind = next(kind for kind in kinds if _name(kind) == wanted)
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError as error:
        raise _explain(error, number, kinds, line) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _no_json(line, number, error) from None


def numbered_lines(batch: int = 1) -> Iterator[list[tuple[int, bytes]]]:
    """The lines of standard input with their numbers, in lists of at most ``batch``.

    A list is handed on when it is full, when the input ends, or when no more has come for a
    moment: a slow producer's records are not held back. Empty lines are skipped.
    """
    if streams.typed():
        raise UsageError("Expected records on standard input.", fix=streams.PIPE)
    descriptor = streams.input_descriptor()
    number = 0
    rest = b""
    ready: list[tuple[int, bytes]] = []
    while chunk := _read(descriptor, bool(ready)):
        if chunk is _WAITING:
            yield ready
            ready = []
            continue
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number += 1
            if line.strip():
                ready.append((number, line))
            if len(ready) >= batch:
                yield ready
                ready = []
    if rest.strip():
        ready.append((number + 1, rest))
    if ready:
        yield ready


def records(*kinds: type[R]) -> Iterator[tuple[int, R]]:
    """(line number, record) from standard input, one at a time."""
    for lines in numbered_lines():
        for number, line in lines:
            yield number, decode(line, number, *kinds)


_WAITING = b"\x00waiting"


def _read(descriptor: int, hurry: bool) -> bytes:
    """The next bytes; ``_WAITING`` when ``hurry`` and none come soon; empty at the end."""
    if hurry and not select.select([descriptor], [], [], PAUSE)[0]:
        return _WAITING
    return streams.read_some(descriptor, CHUNK)


def _check_depth(line: bytes, number: int) -> None:
    """Raises ``BadRecord`` for JSON that no program could follow down."""
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return
    depth, field = 0, ""
    for token in _TOKEN.finditer(line):
        mark = token.group()
        if mark in (b"[", b"{"):
            depth += 1
        elif mark in (b"]", b"}"):
            depth -= 1
        elif depth == 1:
            field = mark[1:-1].decode("utf-8", "replace")
        if depth > DEEPEST:
            problem = f"nested more than {DEEPEST} levels deep"
            raise BadRecord(number, f"`{field}`: {problem}" if field else problem, field)


def _no_json(line: bytes, number: int, error: Exception) -> BadRecord:
    """What is wrong with a line that is not JSON: first what editors and other programs do."""
    if line.startswith(codecs.BOM_UTF8):
        return BadRecord(number, "starts with a byte order mark (BOM)", fix=_PLAIN)
    if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return BadRecord(number, "encoded as UTF-16", fix=_PLAIN)
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return BadRecord(number, f"not UTF-8 (byte {wrong.start + 1})", fix=_PLAIN)
    if half := _half(line):
        field, escape = half
        problem = f"{escape} is an unpaired surrogate"
        return BadRecord(number, f"`{field}`: {problem}" if field else problem, field)
    return BadRecord(number, f"not a JSON record ({error})")


def _half(line: bytes) -> tuple[str, str] | None:
    """The field and the escape of the first half of a surrogate pair that stands alone."""
    field = ""
    for token in _TOKEN.finditer(line):
        text = token.group().decode()
        for found in _ESCAPE.finditer(text):
            if found.group(1):
                return field, found.group(1)
        if line[token.end() :].lstrip().startswith(b":"):
            field = text[1:-1]
    return None


class _Tag(msgspec.Struct):
    record: str


def _version(line: bytes) -> object:
    found = msgspec.json.decode(line)
    return found.get("v") if isinstance(found, dict) else None


def _name(kind: type[Record]) -> str:
    return str(kind.__struct_config__.tag)


def _check_tag(line: bytes, number: int, kinds: tuple[type[R], ...]) -> None:
    tag = msgspec.json.decode(line, type=dict[str, msgspec.Raw]).get("record")
    names = [_name(kind) for kind in kinds]
    known = ", ".join(names)
    if tag is None:
        raise BadRecord(number, f"missing field `record` (one of {known})", "record")
    name = msgspec.json.decode(tag)
    if name not in names:
        what = "is not accepted here" if name in RECORDS else "is not a kind of record"
        near = difflib.get_close_matches(str(name), names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise BadRecord(number, f"`record`: {name!r} {what} (accepted: {known}).{hint}", "record")


def _explain(
    error: msgspec.ValidationError, number: int, kinds: tuple[type[R], ...], line: bytes
) -> BadRecord:
    """A validation error with the field's path, and for a misspelt field the one meant."""
    text = str(error)
    problem, _, path = text.partition(" - at `")
    path = path.rstrip("`").removeprefix("$").removeprefix(".")
    if path == "v" or path.endswith(".v"):
        version = _version(line)
        if isinstance(version, int) and not isinstance(version, bool):
            problem = f"unsupported record version {version} (only 1 is supported)"
            return BadRecord(number, f"`{path}`: {problem}", path, fix="Upgrade Thalamus.")
    if "unknown field" in problem:
        name = problem.split("`")[1]
        known = [field for kind in kinds for field in kind.__struct_fields__]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean `{near[0]}`?" if near else " Use `metadata` for data of your own."
        return BadRecord(number, f"unknown field `{name}`.{hint}", f"{path}.{name}".strip("."))
    if "missing required field" in problem:
        name = problem.split("`")[1]
        return BadRecord(number, f"missing field `{name}`", f"{path}.{name}".strip("."))
    return BadRecord(number, f"`{path or 'record'}`: {problem[:1].lower()}{problem[1:]}", path)
