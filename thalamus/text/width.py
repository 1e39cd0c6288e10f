"""Width of a text on a terminal, in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

HANG = 4  # columns by which the further lines of a text are indented
# Latin letters and common punctuation take one column each; importing wcwidth for them would cost
# a list 25 ms
_NARROW = re.compile("[ -\u02ff\u2010-\u2027]*")


def columns(text: str) -> int:
    """The columns of a text on one line: two for wide characters, none for combining ones."""
    if _NARROW.fullmatch(text):
        return len(text)
    from wcwidth import width

    return width(text, control_codes="ignore")


def cut(text: str, room: int, plain: bool = False) -> str:
    """A text on one line in at most ``room`` columns; one that is cut ends in ``…``, or in ``~``
    where not every terminal has that (``plain``)."""
    if columns(text) <= room:
        return text
    room = max(room - 1, 0)
    if _NARROW.fullmatch(text):
        kept = text[:room]
    else:
        from wcwidth import clip

        kept = clip(text, 0, room)  # ends in a space where half a wide character has room
    return kept.rstrip() + ("~" if plain else "…")


def wrapped(text: str, room: int, hang: int = HANG) -> Iterator[str]:
    """A text on lines of at most ``room`` columns, broken between words. Lines after the first are
    indented by ``hang`` more than it is. A word that is longer than a line is not broken."""
    indent = " " * min(len(text) - len(text.lstrip(" ")) + hang, room // 2)
    line = ""
    for part in re.findall(r" *[^ ]+", text):
        if line.strip() and columns(line + part) > room:
            yield line
            line = indent + part.lstrip(" ")
        else:
            line += part
    yield line
