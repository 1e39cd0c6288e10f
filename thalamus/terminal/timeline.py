"""The timeline as text: a line for each event under its day, and facts as bars over a time axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.terminal.lines import one_line
from thalamus.terminal.local import day, zone
from thalamus.text.analyzer import fold
from thalamus.text.days import last_day
from thalamus.text.local_time import local
from thalamus.text.width import columns, cut

if TYPE_CHECKING:
    from thalamus.records import Fact
    from thalamus.records.timelines import TimelineItem

Bar = tuple[str, list[tuple[str, str | None]]]  # a statement and its intervals
UNKNOWN = "0001"  # the year of an unknown beginning
LEAST_BARS = 20  # columns for the bars
_LEAST_TEXT = 12  # columns of a text, however narrow the terminal is


def within(facts: Iterable[Fact], begin: str | None, end: str | None) -> list[Fact]:
    """The facts that hold at some time in a period; all without one."""
    if begin is None and end is None:
        return [*facts]
    return [
        fact
        for fact in facts
        if any(
            (end is None or start < end) and (begin is None or stop is None or stop > begin)
            for start, stop in _intervals(fact)
        )
    ]


def _intervals(fact: Fact) -> list[tuple[str, str | None]]:
    """The times at which a fact holds, as is believed now."""
    beliefs = [] if fact.beliefs is UNSET else fact.beliefs
    return [(b.valid_from, b.valid_to) for b in beliefs if b.believed_to is None]


def bars(facts: Iterable[Fact]) -> list[Bar]:
    """One bar for each statement, in order of subject, predicate and beginning."""
    found: dict[tuple[str, str, str], list[tuple[str, str | None]]] = {}
    for fact in facts:
        if intervals := _intervals(fact):
            key = (fact.subject, fact.predicate, fold(fact.object))
            found.setdefault(key, []).extend(intervals)
    order = sorted(found, key=lambda key: (fold(key[0]), key[1], min(found[key])))
    names: dict[tuple[str, str, str], str] = {}
    for fact in facts:
        name = f"{fact.subject} {fact.predicate} {fact.object}"
        names.setdefault((fact.subject, fact.predicate, fold(fact.object)), name)
    return [(names[key], sorted(found[key])) for key in order]


def draw(
    rows: Sequence[Bar], now: str, begin: str | None, end: str | None, width: int, plain: bool
) -> Iterator[str]:
    """The lines of the picture, at most ``width`` wide: names and bars, with the axis below. An
    open end runs to the edge and ends in an arrow; an unknown beginning begins with one."""
    if not rows:
        return
    first, last = _range(rows, now, begin, end)
    longest = max(len(name) for name, _ in rows)
    label = min(longest, max(8, width - 2 - LEAST_BARS))
    columns = max(width - label - 2, 8)
    full, empty, cut = ("=", ".", "~") if plain else ("█", "·", "…")
    left, right = ("<", ">") if plain else ("◀", "▶")

    def column(at: str) -> float:
        day = _day(at)
        return (day - first).days / max((last - first).days, 1) * columns

    for name, intervals in rows:
        cells = [empty] * columns
        for start, stop in intervals:
            from_ = max(column(start), 0)
            to = columns if stop is None else min(column(stop), columns)
            if to <= 0 or from_ >= columns or to < from_:
                continue
            a = min(int(from_), columns - 1)
            b = max(round(to), a + 1)
            cells[a:b] = [full] * (min(b, columns) - a)
            if start.startswith(UNKNOWN) or column(start) < 0:
                cells[0] = left
            if stop is None or column(stop) > columns:
                cells[-1] = right
        short = name if len(name) <= label else name[: label - 1] + cut
        yield f"{short:{label}}  {''.join(cells)}"
    yield f"{'':{label}}  {_axis(first, last, columns)}"


def _range(rows: Sequence[Bar], now: str, begin: str | None, end: str | None) -> tuple[date, date]:
    """The range from the first beginning to the last end, or now; slightly wider, and at least a
    day."""
    known = [
        at
        for _, intervals in rows
        for i in intervals
        for at in i
        if at and not at.startswith(UNKNOWN)
    ]
    first = _day(begin or min([*known, end or now]))
    last = _day(end or max([*known, now]))
    # so that the last beginning, and the end of what has no known one, are visible
    margin = timedelta(days=(last - first).days // 30 + 1)
    unknown = any(i[0].startswith(UNKNOWN) for _, intervals in rows for i in intervals)
    if unknown and not begin:
        first -= min(margin, first - date.min)
    if not end:
        last += min(margin, date.max - last)
    return first, max(last, first + timedelta(days=1))


def _axis(first: date, last: date, columns: int) -> str:
    """Years, or months or days if there are few, each at its beginning."""
    days = (last - first).days
    cells = [" "] * columns
    free = 0
    for mark in _marks(first, last):
        text = str(mark.year) if days > 800 else mark.isoformat()[: 7 if days > 60 else 10]
        at = int((mark - first).days / days * columns)
        if at >= free and at + len(text) <= columns:
            cells[at : at + len(text)] = text
            free = at + len(text) + 2
    return "".join(cells).rstrip()


def _marks(first: date, last: date) -> Iterator[date]:
    days = (last - first).days
    if days > 800:
        begun = first > date(first.year, 1, 1)
        yield from (date(year, 1, 1) for year in range(first.year + begun, last.year + 1))
    elif days > 60:
        month = first.year * 12 + first.month - (first.day == 1)
        while (mark := date(month // 12, month % 12 + 1, 1)) <= last:
            yield mark
            month += 1
    else:
        yield from (first + timedelta(days=n) for n in range(days + 1))


def _day(at: str) -> date:
    return date.fromisoformat(day(at))


def event_lines(items: Sequence[TimelineItem], now: str, width: int, plain: bool) -> Iterator[str]:
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
        f"until {last_day(item.end, {}, zone())}" if item.end else "",
        "ended" if item.change == "ended" else "",
        item.topic or "",
        item.status or "",
    ]
    note = ", ".join(one_line(note) for note in notes if note)
    head = f"  {at}  {item.kind:{kind}}  "
    room = max(_LEAST_TEXT, width - len(head))
    remark = f"  ({note})" if note and columns(note) + 4 + _LEAST_TEXT <= room else ""
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
