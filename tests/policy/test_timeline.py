"""What holds follows from what was stated, in whatever order."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from thalamus.policy.timeline import (
    BEGINNING,
    Repeat,
    Statement,
    holds,
    moment,
    repeats,
    resolve_intervals,
)

pytestmark = pytest.mark.storeless

days = st.integers(0, 40).map(lambda n: f"2020-{1 + n // 28:02}-{1 + n % 28:02}T00:00:00Z")
later = st.integers(0, 200).map(lambda n: f"2021-01-01T{n // 60:02}:{n % 60:02}:00Z")


@st.composite
def statement(draw: st.DrawFn, number: int) -> Statement:
    told = (f"2021-01-01T{number:02}:30:00", number)
    start, end = draw(st.none() | days), draw(st.none() | days)
    return Statement(
        fact=f"f{number}",
        value=draw(st.sampled_from("abc")),
        stated_at=draw(later),
        asserted=told,
        start=start,
        end=end,
        mentions=tuple(draw(st.lists(later | days, max_size=2))),
        since=tuple((at, told) for at in draw(st.lists(days, max_size=1))),
        ends=tuple((at, told) for at in draw(st.lists(days, max_size=2))),
    )


@st.composite
def told(draw: st.DrawFn) -> list[Statement]:
    return [draw(statement(n)) for n in range(draw(st.integers(1, 7)))]


@settings(max_examples=50)
@given(told(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(statements: list[Statement], random: object) -> None:
    shuffled = list(statements)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve_intervals(shuffled) == resolve_intervals(statements)


@settings(max_examples=50)
@given(told())
def test_never_two_at_a_time_and_each_interval_is_one(statements: list[Statement]) -> None:
    held = resolve_intervals(statements)
    pieces = sorted(
        (moment(begin), moment(end) if end else "9") for i in held.values() for begin, end in i
    )
    assert all(begin < end for begin, end in pieces)
    assert all(one[1] <= other[0] for one, other in pairwise(pieces))
    for intervals in held.values():
        assert all(one[1] != other[0] for one, other in pairwise(intervals))


@settings(max_examples=50)
@given(told(), statement(9))
def test_what_is_retracted_leaves_no_trace(statements: list[Statement], wrong: Statement) -> None:
    before = resolve_intervals(statements)
    resolve_intervals([*statements, wrong])
    assert resolve_intervals(statements) == before


@settings(max_examples=50)
@given(told(), later)
def test_said_again_is_the_same_as_told_anew(statements: list[Statement], at: str) -> None:
    """A mention on a known fact and a fact of its own make the same world."""
    first = statements[0]
    new = Statement(fact="new", value=first.value, stated_at=at, asserted=("9", 99))
    found = repeats(new, statements, resolve_intervals(statements))
    if found is None or found.kind != "mention":
        return
    noted = [
        Statement(**{n: getattr(s, n) for n in s.__struct_fields__ if n != "mentions"},
                  mentions=(*s.mentions, *([at] if s.fact == found.fact else [])))
        for s in statements
    ]  # fmt: skip
    assert _world(noted) == _world([*statements, new])


def _world(statements: list[Statement]) -> list[tuple[str, str]]:
    held = resolve_intervals(statements)
    times = sorted({t for i in held.values() for pair in i for t in pair if t} | {"2030", "2019"})
    value = {s.fact: s.value for s in statements}
    return [(at, value[fact]) for at in times for fact, i in held.items() if holds(i, at)]


def said(fact: str, value: str, start: str | None = None, end: str | None = None) -> Statement:
    return Statement(fact=fact, value=value, stated_at="2023", start=start, end=end)


def test_a_visit_interrupts_and_an_end_leaves_nothing() -> None:
    visit = [said("home", "a", "2019"), said("visit", "b", "2020", "2021")]
    assert resolve_intervals(visit) == {
        "home": [("2019", "2020"), ("2021", None)],
        "visit": [("2020", "2021")],
    }
    ended = Statement(
        fact="new", value="b", stated_at="2023", start="2020", ends=(("2021", ("", 0)),)
    )
    assert resolve_intervals([said("home", "a", "2019"), ended])["home"] == [("2019", "2020")]


def test_an_end_told_first_ends_what_is_told_later() -> None:
    end = said("end", "a", None, "2022")
    assert resolve_intervals([end]) == {"end": [(BEGINNING, "2022")]}
    assert resolve_intervals([end, said("a", "a", "2020")]) == {"end": [], "a": [("2020", "2022")]}


def test_of_two_without_beginnings_the_one_that_ended_first_is_the_older() -> None:
    held = resolve_intervals([said("new", "a", None, "2020"), said("old", "b", None, "2018")])
    assert held == {"old": [(BEGINNING, "2018")], "new": [("2018", "2020")]}


def test_fractions_of_seconds_are_in_order() -> None:
    one, other = "2026-01-01T10:00:00Z", "2026-01-01T10:00:00.500Z"
    assert resolve_intervals([said("a", "a", other), said("b", "b", one)])["a"] == [(other, None)]


def at(day: int, hour: int = 12) -> str:
    return f"2026-05-{day:02}T{hour:02}:00:00Z"


def test_news_stand_against_what_was_said_in_passing_before_they_were_told() -> None:
    """I live in Lisbon. And, minutes later: I moved to Porto last week."""
    passing = Statement(fact="lisbon", value="lisbon", stated_at=at(8))
    news = Statement(fact="porto", value="porto", stated_at=at(8, 13), start=at(1))
    assert resolve_intervals([passing, news]) == {"lisbon": [], "porto": [(at(1), None)]}
    # an older home ends where the news begin, however often it was mentioned since
    older = Statement(fact="lisbon", value="lisbon", stated_at=at(1, 1), mentions=(at(4), at(8)))
    assert resolve_intervals([older, news]) == {
        "lisbon": [(at(1, 1), at(1))],
        "porto": [(at(1), None)],
    }
    # told at the same moment, as in a script with a fixed time: the later of the two counts
    first = Statement(fact="lisbon", value="lisbon", stated_at=at(8), asserted=(at(8), 1))
    second = Statement(
        fact="porto", value="porto", stated_at=at(8), start=at(1), asserted=(at(8), 2)
    )
    assert resolve_intervals([first, second]) == {"lisbon": [], "porto": [(at(1), None)]}
    # said after the news were told, it is newer
    back = Statement(fact="lisbon", value="lisbon", stated_at=at(9))
    assert resolve_intervals([back, news])["lisbon"] == [(at(9), None)]


def test_what_is_told_long_after_it_happened_is_no_news() -> None:
    passing = Statement(fact="lisbon", value="lisbon", stated_at=at(8))
    story = Statement(
        fact="porto", value="porto", stated_at=at(8, 13), start="2015-01-01T00:00:00Z"
    )
    assert resolve_intervals([passing, story]) == {
        "porto": [("2015-01-01T00:00:00Z", at(8))],
        "lisbon": [(at(8), None)],
    }


def test_an_end_stands_against_what_was_said_in_passing_before_it_was_told() -> None:
    """I work at Siemens. And, minutes later: I left Siemens last week."""
    told = (at(8, 13), 2)
    job = Statement(fact="job", value="siemens", stated_at=at(8), asserted=(at(8), 1))
    left = structs.replace(job, ends=((at(1), told),))
    assert resolve_intervals([left]) == {"job": [(BEGINNING, at(1))]}
    # it had been spoken of earlier, and was again in between
    since = structs.replace(job, stated_at=at(1, 1), mentions=(at(6),), ends=((at(4), told),))
    assert resolve_intervals([since]) == {"job": [(at(1, 1), at(4))]}
    # said again after the end was told: so it goes on
    back = structs.replace(since, mentions=(at(9),))
    assert resolve_intervals([back])["job"][-1] == (at(9), None)
    # what ended long before was another time
    long_ago = structs.replace(job, ends=(("2010-05-01T00:00:00Z", told),))
    assert resolve_intervals([long_ago])["job"][-1] == (at(8), None)


def test_an_end_before_what_was_said_in_passing_is_of_the_same_fact() -> None:
    passing = Statement(fact="club", value="chess", stated_at=at(8), asserted=(at(8), 1))
    end = Statement(fact="new", value="chess", stated_at=at(12), asserted=(at(12), 2), end=at(4))
    assert repeats(end, [passing], resolve_intervals([passing])) == Repeat("club", "end", at(4))
    noted = structs.replace(passing, ends=((at(4), (at(12), 2)),))
    assert resolve_intervals([noted]) == {"club": [(BEGINNING, at(4))]}
    dated = structs.replace(passing, start=at(6))  # another time of it
    assert repeats(end, [dated], resolve_intervals([dated])) is None


def arrived(statements: list[Statement]) -> list[Statement]:
    """The statements as they are stored when they arrive in this order, one after the other."""
    known: list[Statement] = []
    for number, new in enumerate(statements):
        told = (f"2025-01-01T00:00:{number:02}", number)
        repeat = repeats(new, known, resolve_intervals(known))
        if repeat is None:
            known.append(structs.replace(new, fact=f"f{number}", asserted=told))
            continue
        place = next(n for n, one in enumerate(known) if one.fact == repeat.fact)
        one = known[place]
        if repeat.kind == "mention":
            one = structs.replace(one, mentions=(*one.mentions, repeat.at))
        elif repeat.kind == "since":
            one = structs.replace(one, since=(*one.since, (repeat.at, told)))
        elif repeat.kind == "end":
            one = structs.replace(one, ends=(*one.ends, (repeat.at, told)))
        known[place] = one
    return known


MONTHS = [f"2023-{month:02}-01T00:00:00Z" for month in range(1, 13)]
SAID = [f"2023-{month:02}-15T00:00:00Z" for month in range(1, 13)]


@settings(max_examples=200)
@given(
    said=st.lists(st.sampled_from(SAID), min_size=2, max_size=2, unique=True),
    values=st.tuples(st.sampled_from("AB"), st.sampled_from("AB")),
    number=st.integers(0, 11),
    start=st.none() | st.sampled_from(MONTHS),
)
def test_an_end_may_arrive_before_what_it_ends(
    said: list[str], values: tuple[str, str], number: int, start: str | None
) -> None:
    end, begun = MONTHS[number], start if start is not None and start < said[1] else None
    if end > said[0]:  # announced
        return
    both = [
        Statement(fact="", value=values[0], stated_at=said[0], end=end),
        Statement(fact="", value=values[1], stated_at=said[1], start=begun),
    ]

    def holding(statements: list[Statement]) -> list[set[str]]:
        stored = arrived(statements)
        intervals = resolve_intervals(stored)
        return [
            {one.value for one in stored if holds(intervals[one.fact], at)}
            for at in (*MONTHS, *SAID)
        ]

    assert holding(both) == holding(both[::-1])
