"""Bitemporal resolution: from the statements of a group to the intervals in which each fact holds.

A *group* is what excludes each other: of a predicate with one value all its objects, of a pair of
opposites (likes, dislikes) the two, of any other predicate one object. Bitemporal in the sense of
Snodgrass: statements are kept as they were made, and what holds is derived from them again whenever
one comes or goes. So news that comes out of order ends in the order of the world, and what is
retracted leaves no trace.

At any time the statement that began last decides. If it covers the time, its value holds. If it
was stated with both ends and is over, it only interrupted: the one before it decides. If it was
stated open and ended later, nothing holds: what it replaced does not come back.

One exception: "I moved to Porto last week" is news. What was only said in passing in that week ("I
live in Lisbon"), before the news was told, does not stand against it, though it began later. So
too for an end: "I left Siemens last week" counts against "I work at Siemens" of this morning.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct, structs

BEGINNING = "0001-01-01T00:00:00Z"
NEWS = timedelta(days=62)  # what began in the month before the one in which it was told, or since

Interval = tuple[str, str | None]  # from, and to (exclusive); None: no end is known
Assertion = tuple[str, int]  # when it was recorded, and a number for what came at one moment
NoteKind = Literal["mention", "since", "end"]


class Statement(Struct, frozen=True, kw_only=True):
    """What was said of one fact.

    ``value`` is what it says, in a form that can be compared; ``said`` when it was said;
    ``asserted`` when and as which it was recorded; ``start`` and ``end`` as stated with it. Later
    came ``mentions`` (said again, without a date), ``since`` (said again, with one) and ``ends``
    (when it stopped being true); of these two the time of recording is known.
    """

    fact: str
    value: str
    said: str
    asserted: Assertion = ("", 0)
    start: str | None = None
    end: str | None = None
    mentions: tuple[str, ...] = ()
    since: tuple[tuple[str, Assertion], ...] = ()
    ends: tuple[tuple[str, Assertion], ...] = ()

    @property
    def begins(self) -> str:
        """From when on it holds, as far as it was stated."""
        if self.start is None and self.only_ends:
            return BEGINNING
        return self.start or self.said

    @property
    def only_ends(self) -> bool:
        """Whether it states an end and no beginning: "I lived there until 2020"."""
        return self.start is None and self.end is not None and moment(self.end) <= moment(self.said)


class _Start(Struct):
    """A moment from which on a statement decides."""

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
    """A time in a form whose order as text is its order in time, fractions of seconds too."""
    return at.removesuffix("Z")


def resolve_intervals(statements: Iterable[Statement]) -> dict[str, list[Interval]]:
    """For each fact of one group when it holds, in order. The order of arrival does not matter,
    but between two that begin and were said at the same moment."""
    known = list(statements)
    starts: list[_Start] = []
    for value in sorted({statement.value for statement in known}):
        starts += _starts([statement for statement in known if statement.value == value])
    _give_way_to_news(starts)
    starts.sort(key=lambda start: (moment(start.at), start.rank, start.fact))
    unknown = [start for start in starts if start.at == BEGINNING]
    # of two whose beginnings are not known the one that ended first is the older
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
    """The starts of one value, with the ends that belong to them."""
    bounded = [_bounded(s) for s in statements if s.end is not None and not s.only_ends]
    opened = [start for s in statements if s.end is None for start in _open(s)]
    # said in passing within an interval that is known: no news
    opened = [s for s in opened if s.dated or not any(b.covers(s.at) for b in bounded)]
    starts = opened + [start for start in bounded if moment(start.at) < moment(start.end or "")]
    ends = [(at, when) for statement in statements for at, when in statement.ends]
    told = ends + [(s.end, s.asserted) for s in statements if s.only_ends and s.end]
    for at, when in sorted(told, key=lambda one: (one[1], moment(one[0]))):
        _overtake(starts, at, when)
    last: dict[str, tuple[Assertion, str]] = {}  # of several ends, the one recorded last
    for at, when in ends:
        begin = _ended(starts, at)
        if begin is not None:
            last[begin] = max(last.get(begin, (when, at)), (when, at))
    alone = []
    for statement in statements:
        if not statement.only_ends or statement.end is None:
            continue
        begin = _ended(starts, statement.end)
        if begin is None:
            alone.append(_bounded(statement))
        else:
            found = (statement.asserted, statement.end)
            last[begin] = max(last.get(begin, found), found)
    for start in starts:
        if start.at in last:
            at = last[start.at][1]
            if not start.bounded or start.covers(at):
                start.end = at
    return starts + alone


def _overtake(starts: list[_Start], end: str, told: Assertion) -> None:
    """After "I work at Siemens", "I left Siemens last week": what was said in passing between an
    end and its telling says that it held before that end."""
    over = [
        start
        for start in starts
        if not start.dated
        and not start.bounded
        and moment(end) < moment(start.at)
        and _is_news(end, start.at)
        and start.rank[1] < told
        and moment(start.at) <= told[0]
    ]
    for start in over:
        starts.remove(start)
    if over and _ended(starts, end) is None:
        first = min(over, key=lambda start: (moment(start.at), start.rank, start.fact))
        starts.append(structs.replace(first, at=BEGINNING, end=end))


def _give_way_to_news(starts: Sequence[_Start]) -> None:
    """Puts what was said in passing between a change and its telling before that change."""
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
    """Whether something was said in the month of a time or the next."""
    try:
        begun, told = (datetime.fromisoformat(moment(one)) for one in (at, said))
        return begun <= told <= begun + NEWS
    except (ValueError, TypeError, OverflowError):  # not a full date
        return False


def _bounded(one: Statement) -> _Start:
    rank = (moment(one.said), one.asserted)
    return _Start(one.begins, one.fact, one.value, rank, bounded=True, end=one.end)


def _open(one: Statement) -> list[_Start]:
    rank = (moment(one.said), one.asserted)
    found = [
        _Start(
            one.begins,
            one.fact,
            one.value,
            rank,
            dated=one.start is not None,
        )
    ]
    for at in one.mentions:
        found.append(_Start(at, one.fact, one.value, (moment(at), one.asserted), dated=False))
    for at, when in one.since:
        found.append(_Start(at, one.fact, one.value, (when[0], when)))
    return found


def _ended(starts: Sequence[_Start], at: str) -> str | None:
    """The beginning of what an end at this time ends: the last that began before."""
    before = [
        s.at for s in starts if moment(s.at) <= moment(at) and (not s.bounded or s.covers(at))
    ]
    return max(before, key=moment, default=None)


def _sweep(starts: Sequence[_Start]) -> Iterable[tuple[str, str, str | None]]:
    """(fact, from, to) of each piece of time in which something holds, in order.

    What goes on without a break belongs to the fact that began it.
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
    """Of the first ``count`` starts, all begun, the one whose value holds."""
    for position in range(count - 1, -1, -1):
        start = starts[position]
        if start.covers(at):
            return start
        if not start.bounded:
            return None
    return None


def holds(intervals: Iterable[Interval], at: str) -> bool:
    """Whether a time lies in one of these intervals."""
    when = moment(at)
    return any(moment(a) <= when and (b is None or when < moment(b)) for a, b in intervals)


def hull(statement: Statement, intervals: Sequence[Interval]) -> tuple[str | None, str | None]:
    """``valid_from`` and ``valid_to`` of a fact: from its first to its last moment. As stated where
    that is the same: without a beginning when it holds from when it was said. A fact that never
    holds ends where it begins."""
    if not intervals:
        return statement.start, statement.begins
    begin, end = intervals[0][0], intervals[-1][1]
    if begin == BEGINNING or (statement.start is None and begin == statement.said):
        return statement.start, end
    return begin, end


class Repeat(Struct, frozen=True):
    """What a statement adds to a fact that is there: a note, or nothing (``kind`` None)."""

    fact: str
    kind: NoteKind | None
    at: str


def repeats(
    new: Statement, known: Sequence[Statement], intervals: Mapping[str, Sequence[Interval]]
) -> Repeat | None:
    """The known fact that a statement says again, or ends; None when it is a fact of its own."""
    same = [statement for statement in known if statement.value == new.value]
    if new.end is not None and new.start is None:
        return _states_end(new, same, intervals)
    for other in same:
        if other.begins == new.start and other.end == new.end:
            return Repeat(other.fact, None, new.begins)
    if new.end is not None:
        return None
    for other in same:
        if holds(intervals[other.fact], new.begins):
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
    if not new.only_ends:  # an end to come, of what holds now
        begun = [s for s in begun if s.end is None and holds(intervals[s.fact], new.said)]
    elif any(s.only_ends and s.end == new.end for s in same):
        return Repeat(next(s.fact for s in same if s.only_ends and s.end == new.end), None, new.end)
    covering = [s for s in begun if s.end is None or at < moment(s.end)]
    if not covering:
        covering = [s for s in same if new.only_ends and _was_said_before_end_was_told(s, new)]
    if not covering:
        return None
    return Repeat(max(covering, key=lambda s: (moment(s.begins), s.asserted)).fact, "end", new.end)


def _was_said_before_end_was_told(one: Statement, end: Statement) -> bool:
    """Whether something was said in passing between an end and its telling: "I'm in the chess club"
    of this morning, before "I left the chess club last week"."""
    assert end.end is not None
    passing = one.start is None and one.end is None
    between = moment(end.end) < moment(one.said) <= moment(end.said)
    return passing and between and _is_news(end.end, one.said)


def lost(before: Iterable[Interval], value: Iterable[Interval]) -> bool:
    """Whether some of the time ``before`` is in none of the intervals that are left for a value."""
    left = sorted(value, key=lambda interval: moment(interval[0]))
    for begin, end in before:
        at: str | None = begin
        for a, b in left:
            if at is not None and moment(a) <= moment(at) and (b is None or moment(at) < moment(b)):
                at = b
        if at is not None and (end is None or moment(at) < moment(end)):
            return True
    return False
