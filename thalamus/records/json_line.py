"""Records as JSON lines that are safe to display."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

_encoder = msgspec.json.Encoder()

# Characters that JSON need not escape but a terminal would interpret, in UTF-8: DEL, the C1 control
# characters, changes of text direction, and line and paragraph separators.
_UNSAFE = re.compile(
    b"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)


def to_line(record: object) -> bytes:
    """A record (or any JSON value) as one line with its newline."""
    return to_lines([record])


def to_lines(records: Iterable[object]) -> bytes:
    """Records (or any JSON values), each on a line of its own."""
    return safe_json(_encoder.encode_lines(records))


def safe_json(data: bytes) -> bytes:
    r"""Equivalent UTF-8 JSON with terminal control characters escaped as ``\\uXXXX``."""
    if data.isascii() and b"\x7f" not in data:
        return data
    return _UNSAFE.sub(lambda found: b"\\u%04x" % ord(found.group().decode()), data)
