"""Lists of a limited length: whole in JSON unless a limit is given, and never cut in silence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from thalamus.terminal.streams import complain, say

T = TypeVar("T")

EVERYTHING = 1_000_000_000  # items
AHEAD = 10_000  # items read beyond those listed, to count them


def as_lines(line: Callable[[T], str]) -> Callable[[Sequence[T]], None]:
    """Printer of a list that has a line for each item."""

    def show(items: Sequence[T]) -> None:
        for item in items:
            say(line(item))

    return show


def print_list(
    read: Callable[[int], Sequence[T]],
    show: Callable[[Sequence[T]], None],
    limit: int | None,
    *,
    json: bool,
    usual: int = EVERYTHING,
    last: bool = False,
) -> bool:
    """Prints the first items that ``read`` returns at most so many of, or the ``last`` ones, as
    records or with ``show``. ``usual``: the limit for people who give none. Reports on standard
    error how many are left out; returns False if there are none."""
    if json:
        from thalamus.terminal import jsonl

        found = read(EVERYTHING if limit is None else limit)
        jsonl.write(*found)
        return bool(found)
    most = usual if limit is None else limit
    found = read(min(most + AHEAD, EVERYTHING))
    show(found[-most:] if last else found[:most])
    if (more := len(found) - most) > 0:
        number = f"{AHEAD:,} or more" if more >= AHEAD else f"{more:,} {'earlier ' * last}".strip()
        complain(f"{number} left out; --limit N lists more.")
    return bool(found)
