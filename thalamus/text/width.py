"""Width of a text on a terminal, in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thalamus.text.lazy_regex import lazy_regex

HANG = 4  # columns by which the continuation lines of a text are indented
# Latin letters and common punctuation take one column each; importing wcwidth for them would add
# 25 ms to a listing
_NARROW = lazy_regex("[ -\u02ff\u2010-\u2027]*")


def columns(text: str) -> int:
    """Columns of a text on one line: two for wide characters, none for combining ones."""
    if _NARROW.fullmatch(text):
        return len(text)
    from wcwidth import width

    return width(text, control_codes="ignore")


def cut(text: str, room: int, plain: bool = False) -> str:
    """A text on one line in at most ``room`` columns; a shortened one ends in ``…``, or in ``~``
    for terminals without that character (``plain``)."""
    if columns(text) <= room:
        return text
    room = max(room - 1, 0)
    if _NARROW.fullmatch(text):
        kept = text[:room]
    else:
        from wcwidth import clip

        kept = clip(text, 0, room)  # ends in a space where half a wide character would fit
    return kept.rstrip() + ("~" if plain else "…")


def wrapped(text: str, room: int, hang: int = HANG) -> Iterator[str]:
    """A text on lines of at most ``room`` columns, broken between words. Continuation lines are
    indented by ``hang`` more than the first. A word longer than a line is not broken."""
    indent = " " * min(len(text) - len(text.lstrip(" ")) + hang, room // 2)
    line = ""
    for part in re.findall(r" *[^ ]+", text):
        if line.strip() and columns(line + part) > room:
            yield line
            line = indent + part.lstrip(" ")
        else:
            line += part
    yield line
