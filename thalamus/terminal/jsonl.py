"""Records as input and output: one JSON object per line, flushed at once."""

from __future__ import annotations

import codecs
import functools
import re
import select
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

import msgspec

from thalamus.errors import BadRecord, UsageError
from thalamus.records import Record
from thalamus.records.base import tag_of
from thalamus.records.json_line import to_lines
from thalamus.terminal import problems, streams

R = TypeVar("R", bound=Record)

PAUSE = 0.05  # seconds without input after which a list is complete
CHUNK = 1 << 20  # bytes read at a time; a pipe holds less
DEEPEST = 250  # levels of lists and objects in a record
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[][{}]')
BEGINNING = 32  # bytes of a line searched for its kind


def write(*records: object) -> None:
    """Writes records (or any JSON values) to standard output, one per line."""
    streams.write_bytes(to_lines(records))


def decode(line: bytes, number: int, *kinds: type[R]) -> R:
    """One line as a record of one of ``kinds``. Raises ``BadRecord`` naming line and field."""
    _check_depth(line, number)
    if b"\\" in line and b"\\u0000" in line:  # the first is found many times faster
        from thalamus.terminal.record_problems import check_characters

        check_characters(line, number)
    decoder = _decoder(kinds, line[:BEGINNING].partition(b",")[0])
    if decoder is not None:
        try:
            record: R = decoder.decode(line)
            return record
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass  # explained below
    return _decode_or_explain(line, number, kinds)


@functools.lru_cache(64)
def _decoder(kinds: tuple[type[R], ...], beginning: bytes) -> Any:
    """The decoder of the kind named at the beginning of a line; None if none is. One decoder for
    all kinds would have to be given all of their types, which takes 30 ms."""
    for kind in kinds:
        if beginning.replace(b" ", b"") == b'{"record":"%s"' % tag_of(kind).encode():
            return msgspec.json.Decoder(kind)
    return None


def _decode_or_explain(line: bytes, number: int, kinds: tuple[type[R], ...]) -> R:
    """Decodes in steps, so that the error can name the failed one."""
    try:
        kind = _kind(line, number, kinds)
        try:
            return msgspec.json.decode(line, type=kind)
        except msgspec.ValidationError as error:
            from thalamus.terminal.record_problems import invalid

            raise invalid(error, number, kind, line) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        from thalamus.terminal.record_problems import not_json

        raise not_json(line, number, error) from None


def numbered_lines(batch: int = 1, *, blank: bool = False) -> Iterator[list[tuple[int, bytes]]]:
    """The lines of standard input with their numbers, in lists of at most ``batch``.

    A list is complete when it is full, when the input ends, or when no more input has arrived for a
    moment, so that records of a slow producer are not delayed. Blank lines are skipped, unless with
    ``blank``.
    """
    if streams.typed():
        raise UsageError("Expected records on standard input.", fix=streams.PIPE)
    descriptor = streams.input_descriptor()
    number = 0
    rest: list[bytes] = []  # of a line that is not complete
    ready: list[tuple[int, bytes]] = []
    while chunk := _read(descriptor, bool(ready)):
        if chunk is _WAITING:
            yield ready
            ready = []
            continue
        if b"\n" not in chunk:
            rest.append(chunk)
            continue
        *lines, last = b"".join([*rest, chunk]).split(b"\n")
        rest = [last]
        for line in lines:
            number += 1
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)  # of PowerShell
            if blank or line.strip():
                ready.append((number, line))
            if len(ready) >= batch:
                yield ready
                ready = []
    line = b"".join(rest)
    if number == 0:
        line = line.removeprefix(codecs.BOM_UTF8)
    if line.strip():
        ready.append((number + 1, line))
    if ready:
        yield ready


def records(*kinds: type[R]) -> Iterator[tuple[int, R]]:
    """(line number, record) from standard input, one at a time."""
    for lines in numbered_lines():
        yield from _decoded(lines, *kinds)


def _decoded(lines: Iterable[tuple[int, bytes]], *kinds: type[R]) -> Iterator[tuple[int, R]]:
    """The records of numbered lines, without bad ones that are passed over."""
    for number, line in lines:
        try:
            record = decode(line, number, *kinds)
        except BadRecord as error:
            problems.reporting.bad_line(error)
            continue
        yield number, record


def text_or_records(kind: type[R]) -> str | Iterator[tuple[int, R]]:
    """Standard input as one text, or as records if its first line is a JSON object or list. Empty
    input has no records. Raises ``BadRecord`` for text that is not UTF-8."""
    lines = (numbered for batch in numbered_lines(blank=True) for numbered in batch)
    first = next((one for one in lines if one[1].strip()), None)
    if first is None:
        return iter(())
    if _is_json(first[1]):
        return _decoded((one for one in chain([first], lines) if one[1].strip()), kind)
    return "\n".join(text_of(number, line) for number, line in chain([first], lines)).strip()


def _is_json(line: bytes) -> bool:
    """True for a line that is, or is meant as, a JSON object, and for a JSON list."""
    start = line.lstrip(codecs.BOM_UTF8 + b" \t\r")
    if not start.startswith(b"["):
        return start.startswith(b"{")
    try:
        msgspec.json.decode(start)
    except msgspec.DecodeError:
        return False
    return True


def text_of(number: int, line: bytes) -> str:
    """A line as text. Raises ``BadRecord`` if it is not UTF-8."""
    try:
        return line.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        fix = "Convert the text first, for example with `iconv -f latin1 -t UTF-8`."
        raise BadRecord(number, f"not UTF-8 (byte {error.start + 1})", fix=fix) from None


_WAITING = b"\x00waiting"


def _read(descriptor: int, hurry: bool) -> bytes:
    """The next bytes; ``_WAITING`` if ``hurry`` and none arrive soon; empty at the end."""
    if hurry and not select.select([descriptor], [], [], PAUSE)[0]:
        return _WAITING
    return streams.read_some(descriptor, CHUNK)


def _check_depth(line: bytes, number: int) -> None:
    """Raises ``BadRecord`` for JSON that is nested too deeply."""
    half = DEEPEST // 2
    if not (_has_more(line, b"[", half) or _has_more(line, b"{", half)):
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


def _has_more(line: bytes, mark: bytes, count: int) -> bool:
    """True if a mark occurs in a line more than ``count`` times. Where there are few, finding them
    takes a tenth of the time of ``bytes.count``."""
    place = -1
    while count >= 0 and (place := line.find(mark, place + 1)) >= 0:
        count -= 1
    return count < 0


def _kind(line: bytes, number: int, kinds: tuple[type[R], ...]) -> type[R]:
    """The kind that a line names. Raises ``BadRecord`` for one that is not accepted."""
    if len(kinds) == 1:
        return kinds[0]
    try:
        found = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:  # not an object: the decoder of any kind reports it
        return kinds[0]
    by_name = {tag_of(kind): kind for kind in kinds}
    if "record" not in found:
        problem = f"missing field `record` (one of {', '.join(by_name)})"
        raise BadRecord(number, problem, "record")
    name = msgspec.json.decode(found["record"])
    if not isinstance(name, str) or name not in by_name:
        from thalamus.terminal.record_problems import unknown_kind

        raise unknown_kind(name, number, list(by_name))
    return by_name[name]
