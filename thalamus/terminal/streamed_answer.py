"""An answer on a terminal while it is generated, as Markdown.

Complete blocks are written once. Of the block in progress only changed lines are written again, in
one piece, so that nothing flickers; a line that has left the screen is not changed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from os import terminal_size
from typing import TYPE_CHECKING

from thalamus.text.visible import visible

if TYPE_CHECKING:
    from thalamus.terminal.markdown import MarkdownRenderer

SHARE = 5  # at most one part in this many of the time is spent on drawing
CHEAP = 0.005  # seconds: faster drawing is not delayed
_ESCAPE = re.compile("\x1b\\[[0-9;]*m")


class StreamedAnswer:
    """Writes an answer with ``write`` to a terminal of a ``size`` that may change."""

    def __init__(
        self,
        renderer: MarkdownRenderer,
        write: Callable[[str], None],
        size: Callable[[], terminal_size],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._renderer = renderer
        self._clock = clock
        self._out = write
        self._size = size
        self._reset()

    def _reset(self) -> None:
        self._source = ""  # of the blocks that are not ended
        self._ended: list[str] = []  # the last line of those that are, if there are any
        self._shown: list[str] = []  # lines on the screen: that one, and those that may change
        self._columns = 0  # of the terminal when they were written
        self._cost = self._drawn = 0.0  # seconds that drawing took, and when that was

    def add(self, text: str) -> None:
        """Adds a part of the answer."""
        self._source += visible(text)
        slow = self._cost > CHEAP and self._clock() - self._drawn < SHARE * self._cost
        if self._shown and slow:
            return
        self._draw()

    def end(self) -> None:
        """Writes the rest, and ends the line."""
        self._draw()
        self._write("\n" if any(self._shown) else "")
        self._reset()

    def stop(self) -> None:
        """Ends an interrupted answer, possibly in the middle of a line."""
        if any(self._shown):
            self._write(f"\r{self._shown[-1]}\x1b[0m\x1b[K\n")
        self._reset()

    def _draw(self) -> None:
        began = self._clock()
        columns, rows = self._size()
        # a character in the last column may or may not break the line
        source = self._source.split("\n")
        *ended, last = self._renderer.blocks(source, columns - 1) or [(0, [])]
        if ended:  # they are written for the last time
            self._show(self._after_ended(block for _, block in ended), columns, rows)
            self._ended = self._shown = self._shown[-1:]
            self._source = "\n".join(source[last[0] :])
        self._show(self._after_ended([last[1]]), columns, rows)
        self._drawn = self._clock()
        self._cost = self._drawn - began

    def _after_ended(self, blocks: Iterable[list[str]]) -> list[str]:
        """The lines of blocks, below the complete ones."""
        lines = [line for line in self._ended if line]
        for block in blocks:
            lines += [*([""] if lines and block else []), *block]
        return lines or [""]

    def _show(self, lines: list[str], columns: int, rows: int) -> None:
        """Makes these the lines on the screen, as far as they can be reached."""
        old, self._shown = self._shown or [""], lines
        before, self._columns = self._columns or columns, columns
        last = len(old) - 1
        pairs = zip(old, lines, strict=False)
        first = next((n for n, (one, other) in enumerate(pairs) if one != other), len(old))
        grown = before == columns and first >= last and len(lines) > last
        if grown and lines[last].startswith(old[last]):  # it only grew
            self._write("\n".join([lines[last][len(old[last]) :], *lines[last + 1 :]]))
            return
        first = min(first, last, len(lines) - 1)
        while first < last and self._rows(old[first:], columns, before) > rows:
            first += 1
        up = self._rows(old[first:], columns, before) - 1
        begin = f"\x1b[{up}A\r" if up else "\r"
        self._write(begin + "\x1b[K\n".join(lines[first:]) + "\x1b[J")

    def _rows(self, lines: list[str], columns: int, before: int) -> int:
        """The rows of lines that were written when the terminal had ``before`` columns."""
        if columns >= before:
            return len(lines)
        from rich.cells import cell_len

        return sum(max(1, -(-cell_len(_ESCAPE.sub("", line)) // columns)) for line in lines)

    def _write(self, text: str) -> None:
        if text:
            self._out(text)
