"""How many columns of a terminal a text takes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

HANG = 4  # columns by which the further lines of a text are indented


def columns(text: str) -> int:
    """The columns of a text on one line: two for wide characters, none for combining ones."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, room: int, plain: bool = False) -> str:
    """A text on one line in at most ``room`` columns; one that is cut ends in ``…``, or in ``~``
    where not every terminal has that (``plain``)."""
    if columns(text) <= room:
        return text
    kept, left = [], room - 1
    for character in text:
        left -= _columns(character)
        if left < 0:
            break
        kept.append(character)
    return "".join(kept) + ("~" if plain else "…")


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


def _columns(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200b\u200c\u200d\ufe0e\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
