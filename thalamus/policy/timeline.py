"""Bitemporal resolution: from the statements of a group to the intervals in which each fact holds.

A *group* holds mutually exclusive statements: all objects of a single-valued predicate, both
predicates of a pair of opposites (likes, dislikes), or one object of any other predicate. It is
bitemporal in the sense of Snodgrass: statements are kept as they were made, and the intervals are
derived again whenever one is added or removed. So statements that arrive out of order end up in the
order of the world, and a retracted one leaves no trace.

At any time the statement that began last decides. If it covers the time, its value holds. If it was
stated with both ends and is over, it was only an interruption: the one before it decides. If it was
stated as open and ended later, nothing holds: the value that it replaced does not return.

There is one exception: "I moved to Porto last week" is news. A passing remark from that week ("I
live in Lisbon"), made before the news, does not contradict it although it began later. The same
holds for an end: "I left Siemens last week" overrides "I work at Siemens" from this morning.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct, structs

BEGINNING = "0001-01-01T00:00:00Z"
NEWS = timedelta(days=62)  # a change reported within 62 days still counts as news

Interval = tuple[str, str | None]  # start and end (exclusive); None: open
Assertion = tuple[str, int]  # time of recording, and a counter for assertions of the same moment
NoteKind = Literal["mention", "since", "end"]


class Statement(Struct, frozen=True, kw_only=True):
    """All assertions about one fact.

    ``value``: its content in comparable form; ``stated_at``: when it was said; ``asserted``: when
    it was recorded, with a counter; ``start`` and ``end``: as stated with it. Later assertions:
    ``mentions`` (repeated without a date), ``since`` (repeated with a date) and ``ends``; the
    latter two with their time of recording.
    """

    fact: str
    value: str
    stated_at: str
    asserted: Assertion = ("", 0)
    start: str | None = None
    end: str | None = None
    mentions: tuple[str, ...] = ()
    since: tuple[tuple[str, Assertion], ...] = ()
    ends: tuple[tuple[str, Assertion], ...] = ()

    @property
    def begins(self) -> str:
        """Beginning of the fact as far as it was stated."""
        if self.start is None and self.only_ends:
            return BEGINNING
        return self.start or self.stated_at

    @property
    def only_ends(self) -> bool:
        """True if it states an end but no beginning: "I lived there until 2020"."""
        return (
            self.start is None
            and self.end is not None
            and moment(self.end) <= moment(self.stated_at)
        )


class _Start(Struct):
    """A moment from which a statement decides."""

    at: str
    fact: str
    value: str
    rank: tuple[str, Assertion]
    dated: bool = True
    bounded: bool = False
    end: str | None = None

    def covers(self, at: str) -> bool:
        return moment(self.at) <= moment(at) and (self.end is None or moment(at) < moment(self.end))


def moment(at: str) -> str:
    """A time in a form whose text order is its time order, including fractions of seconds."""
    return at.removesuffix("Z")


def resolve_intervals(statements: Iterable[Statement]) -> dict[str, list[Interval]]:
    """Intervals of each fact in a group, in order. The order of ``statements`` does not matter.
    That of their arrival does between two that begin and were made at the same moment, and where
    one is kept as an assertion about another (``repeats``), with the time of recording alone."""
    known = list(statements)
    starts: list[_Start] = []
    for value in sorted({statement.value for statement in known}):
        starts += _starts([statement for statement in known if statement.value == value])
    _apply_news(starts)
    starts.sort(key=lambda start: (moment(start.at), start.rank, start.fact))
    unknown = [start for start in starts if start.at == BEGINNING]
    # of two with unknown beginnings, the one that ended first is older
    unknown.sort(key=lambda start: moment(start.end or ""), reverse=True)
    starts = unknown + [start for start in starts if start.at != BEGINNING]
    intervals_of: dict[str, list[Interval]] = {statement.fact: [] for statement in known}
    for fact, begin, end in _sweep(starts):
        intervals = intervals_of[fact]
        if intervals and intervals[-1][1] == begin:
            intervals[-1] = (intervals[-1][0], end)
        else:
            intervals.append((begin, end))
    return intervals_of


def _starts(statements: list[Statement]) -> list[_Start]:
    """Starts of one value with the ends that belong to them."""
    bounded = [_bounded(s) for s in statements if s.end is not None and not s.only_ends]
    opened = [start for s in statements if s.end is None for start in _open(s)]
    # a passing remark within a known interval is not news
    opened = [s for s in opened if s.dated or not any(b.covers(s.at) for b in bounded)]
    starts = opened + [start for start in bounded if moment(start.at) < moment(start.end or "")]
    ends = [(at, when) for statement in statements for at, when in statement.ends]
    said = [(s, (moment(s.stated_at), s.asserted[1])) for s in statements if s.only_ends]
    reported = ends + [(s.end, when) for s, when in said if s.end]
    for at, when in sorted(reported, key=lambda end: (end[1], moment(end[0]))):
        _apply_end(starts, at, when)
    last: dict[str, tuple[Assertion, str]] = {}  # of several ends, the last one recorded
    for at, when in ends:
        begin = _ended(starts, at)
        if begin is not None:
            last[begin] = max(last.get(begin, (when, at)), (when, at))
    unmatched = []
    for statement in statements:
        if not statement.only_ends or statement.end is None:
            continue
        begin = _ended(starts, statement.end)
        if begin is None:
            unmatched.append(_bounded(statement))
        else:
            found = (statement.asserted, statement.end)
            last[begin] = max(last.get(begin, found), found)
    for start in starts:
        if start.at in last:
            at = last[start.at][1]
            if not start.bounded or start.covers(at):
                start.end = at
    return starts + unmatched


def _apply_end(starts: list[_Start], end: str, reported: Assertion) -> None:
    """Moves passing remarks made between an end and its report to before that end: "I work at
    Siemens" before "I left Siemens last week"."""
    over = [
        start
        for start in starts
        if not start.dated
        and not start.bounded
        and moment(end) < moment(start.at)
        and _is_news(end, start.at)
        and moment(start.at) <= moment(reported[0])
    ]
    for start in over:
        starts.remove(start)
    if over and _ended(starts, end) is None:
        first = min(over, key=lambda start: (moment(start.at), start.rank, start.fact))
        starts.append(structs.replace(first, at=BEGINNING, end=end))


def _apply_news(starts: Sequence[_Start]) -> None:
    """Moves passing remarks made between a change and its report to before that change."""
    news = [
        start
        for start in starts
        if start.dated and not start.bounded and _is_news(start.at, start.rank[0])
    ]
    passing = [start for start in starts if not start.dated and not start.bounded]
    for start in passing:
        said = moment(start.at)
        over = [
            moment(other.at)
            for other in news
            if other.value != start.value
            and moment(other.at) <= said
            and (said, start.rank) < (other.rank[0], other.rank)
        ]
        if over:
            start.at = next(s.at for s in news if moment(s.at) == min(over))


def _is_news(at: str, said: str) -> bool:
    """True if something was reported within ``NEWS`` after it happened."""
    try:
        begun, reported = (datetime.fromisoformat(moment(time)) for time in (at, said))
        return begun <= reported <= begun + NEWS
    except (ValueError, TypeError, OverflowError):  # not a full date
        return False


def _bounded(statement: Statement) -> _Start:
    rank = (moment(statement.stated_at), statement.asserted)
    return _Start(
        statement.begins, statement.fact, statement.value, rank, bounded=True, end=statement.end
    )


def _open(statement: Statement) -> list[_Start]:
    rank = (moment(statement.stated_at), statement.asserted)
    found = [
        _Start(
            statement.begins,
            statement.fact,
            statement.value,
            rank,
            dated=statement.start is not None,
        )
    ]
    for at in statement.mentions:
        found.append(
            _Start(
                at, statement.fact, statement.value, (moment(at), statement.asserted), dated=False
            )
        )
    for at, when in statement.since:
        found.append(_Start(at, statement.fact, statement.value, (when[0], when)))
    return found


def _ended(starts: Sequence[_Start], at: str) -> str | None:
    """Beginning of what an end at this time ends: the last start before it."""
    before = [
        s.at for s in starts if moment(s.at) <= moment(at) and (not s.bounded or s.covers(at))
    ]
    return max(before, key=moment, default=None)


def _sweep(starts: Sequence[_Start]) -> Iterable[tuple[str, str, str | None]]:
    """(fact, from, to) of each interval in which something holds, in order.

    A value that continues without a gap belongs to the fact that began it.
    """
    times = {moment(t): t for s in starts for t in (s.at, s.end) if t is not None}
    order = sorted(times)
    begun = [moment(start.at) for start in starts]
    before: _Start | None = None
    owner: _Start | None = None
    for n, name in enumerate(order):
        at = times[name]
        decider = _decider(starts, bisect_right(begun, name), at)
        if decider is None:
            before = owner = None
            continue
        goes_on = (
            before is not None
            and owner is not None
            and owner.value == decider.value
            and not owner.bounded
            and (before.end is None or before.end != at or before.bounded)
        )
        if not goes_on:
            owner = decider
        before = decider
        assert owner is not None
        yield owner.fact, at, times[order[n + 1]] if n + 1 < len(order) else None


def _decider(starts: Sequence[_Start], count: int, at: str) -> _Start | None:
    """The start whose value holds, among the first ``count``, all of which have begun."""
    for position in range(count - 1, -1, -1):
        start = starts[position]
        if start.covers(at):
            return start
        if not start.bounded:
            return None
    return None


def holds(intervals: Iterable[Interval], at: str) -> bool:
    """True if a time lies in one of these intervals."""
    when = moment(at)
    return any(moment(a) <= when and (b is None or when < moment(b)) for a, b in intervals)


def hull(statement: Statement, intervals: Sequence[Interval]) -> tuple[str | None, str | None]:
    """``valid_from`` and ``valid_to`` of a fact: its first and last moment. As stated where that is
    equivalent: without a beginning if it holds from when it was said. A fact that never holds ends
    where it begins."""
    if not intervals:
        return statement.start, statement.begins
    begin, end = intervals[0][0], intervals[-1][1]
    if begin == BEGINNING or (statement.start is None and begin == statement.stated_at):
        return statement.start, end
    return begin, end


class Repeat(Struct, frozen=True):
    """Effect of a statement on a known fact: a note, or nothing (``kind`` None)."""

    fact: str
    kind: NoteKind | None
    at: str


def repeats(
    new: Statement, known: Sequence[Statement], intervals: Mapping[str, Sequence[Interval]]
) -> Repeat | None:
    """The known fact that a statement repeats or ends; None if it is a new fact."""
    same = [statement for statement in known if statement.value == new.value]
    if new.end is not None and new.start is None:
        return _states_end(new, same, intervals)
    for other in same:
        if other.begins == new.start and other.end == new.end:
            return Repeat(other.fact, None, new.begins)
    if new.end is not None:
        return None
    for other in same:
        # one of which only the end is known gets its beginning from this one
        if holds(intervals[other.fact], new.begins) and not other.only_ends:
            if new.start is None:
                return Repeat(other.fact, "mention", new.begins)
            if other.end is None:
                return Repeat(other.fact, "since", new.begins)
    return None


def _states_end(
    new: Statement, same: Sequence[Statement], intervals: Mapping[str, Sequence[Interval]]
) -> Repeat | None:
    assert new.end is not None
    at = moment(new.end)
    begun = [s for s in same if s.begins != BEGINNING and moment(s.begins) <= at]
    if not new.only_ends:  # a future end of what holds now
        begun = [s for s in begun if s.end is None and holds(intervals[s.fact], new.stated_at)]
    elif any(s.only_ends and s.end == new.end for s in same):
        return Repeat(next(s.fact for s in same if s.only_ends and s.end == new.end), None, new.end)
    covering = [s for s in begun if s.end is None or at < moment(s.end)]
    if not covering:
        covering = [s for s in same if new.only_ends and _precedes_report_of_end(s, new)]
    if not covering:
        return None
    return Repeat(max(covering, key=lambda s: (moment(s.begins), s.asserted)).fact, "end", new.end)


def _precedes_report_of_end(statement: Statement, end: Statement) -> bool:
    """True for a passing remark between an end and its report: "I'm in the chess club" this
    morning, before "I left the chess club last week"."""
    assert end.end is not None
    passing = statement.start is None and statement.end is None
    between = moment(end.end) < moment(statement.stated_at) <= moment(end.stated_at)
    return passing and between and _is_news(end.end, statement.stated_at)


def lost(before: Iterable[Interval], value: Iterable[Interval]) -> bool:
    """True if part of ``before`` is not covered by the remaining intervals of a value."""
    left = sorted(value, key=lambda interval: moment(interval[0]))
    for begin, end in before:
        at: str | None = begin
        for a, b in left:
            if at is not None and moment(a) <= moment(at) and (b is None or moment(at) < moment(b)):
                at = b
        if at is not None and (end is None or moment(at) < moment(end)):
            return True
    return False
