"""The timeline as text: a line for each event under its day, and bars of the facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from thalamus.terminal.lines import one_line
from thalamus.terminal.local import day, zone
from thalamus.terminal.timeline import Bar, draw
from thalamus.text.local_time import local
from thalamus.text.width import columns, cut

if TYPE_CHECKING:
    from thalamus.records.timelines import TimelineItem

_LEAST = 12  # columns of a text, however narrow the terminal is


def lines(items: Sequence[TimelineItem], now: str, width: int, plain: bool) -> Iterator[str]:
    """The lines of the timeline, at most ``width`` columns wide if that is forty or more.
    ``plain``: ASCII only."""
    kind = max((len(item.kind) for item in items), default=0)
    for name, of_day in groupby(items, lambda item: day(item.at)):
        yield name
        yield from (_line(item, kind, width, plain) for item in of_day)
    bars = _bars(items)
    if bars:
        yield ""
        yield from draw(bars, now, None, None, width, plain)


def _line(item: TimelineItem, kind: int, width: int, plain: bool) -> str:
    at = local(item.at, zone())[11:16]
    notes = [
        f"until {day(item.end)}" if item.end else "",
        "ended" if item.change == "ended" else "",
        item.topic or "",
        item.status or "",
    ]
    note = ", ".join(one_line(note) for note in notes if note)
    head = f"  {at}  {item.kind:{kind}}  "
    room = max(_LEAST, width - len(head))
    remark = f"  ({note})" if note and columns(note) + 4 + _LEAST <= room else ""
    return head + cut(one_line(item.text), room - columns(remark), plain) + remark


def _bars(items: Sequence[TimelineItem]) -> list[Bar]:
    """A bar for each fact whose beginning is shown, in order of the beginnings."""
    found: dict[str, list[tuple[str, str | None]]] = {}
    for item in items:
        if item.change == "began":
            intervals = found.setdefault(one_line(item.text), [])
            if (item.at, item.end) not in intervals:
                intervals.append((item.at, item.end))
    return list(found.items())
