"""An answer as plain text while it is generated; on a terminal broken between words."""

from __future__ import annotations

import re
from collections.abc import Callable

from thalamus.text.visible import visible
from thalamus.text.width import columns

_PARTS = re.compile(r"\n| *[^ \n]+| +")


class PlainAnswer:
    """Writes an answer with ``write`` on lines of ``width`` columns, or unchanged without a
    terminal (None). A word is delayed until its end is known."""

    def __init__(self, write: Callable[[str], None], width: Callable[[], int | None]) -> None:
        self._write = write
        self._width = width
        self._held = ""
        self._column = 0

    def add(self, text: str) -> None:
        """Adds a part of the answer."""
        room = self._width()
        self._held += visible(text)
        end = len(self._held) if room is None else max(map(self._held.rfind, " \n")) + 1
        blanks = len(self._held[:end]) - len(self._held[:end].rstrip(" "))
        self._put(self._held[: end - blanks], room)
        self._held = self._held[end - blanks :]

    def end(self) -> None:
        """Writes the delayed word, and ends the line."""
        self._put(self._held, self._width())
        self._write("\n")
        self._held, self._column = "", 0

    stop = end

    def _put(self, text: str, room: int | None) -> None:
        shown = []
        for part in _PARTS.findall(text):
            wide = columns(part)
            if part == "\n":
                self._column = 0
            elif room is not None and self._column and self._column + wide > room:
                part = part.lstrip(" ")
                shown.append("\n")
                self._column = columns(part)
            else:
                self._column += wide
            shown.append(part)
        if shown:
            self._write("".join(shown))
