"""Records as lines of JSON that are safe to look at."""

from __future__ import annotations

import re

import msgspec

# What JSON need not escape and a terminal would follow, in UTF-8: DEL and the second set of control
# characters, what changes the direction of writing, and the separators of lines and paragraphs.
_UNSAFE = re.compile(
    b"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)


def to_line(record: object) -> bytes:
    """A record (or any JSON value) as one line, with its end."""
    return safe_json(msgspec.json.encode(record)) + b"\n"


def safe_json(data: bytes) -> bytes:
    """JSON in UTF-8 that says the same, with what a terminal would follow as ``\\uXXXX``."""
    return _UNSAFE.sub(lambda found: b"\\u%04x" % ord(found.group().decode()), data)
