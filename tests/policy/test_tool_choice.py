"""Choice of tools: who comes first, and what moves them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from thalamus.policy.tool_choice import (
    PastCall,
    outcome_of,
    performances,
    ranked,
    weight,
)

pytestmark = pytest.mark.storeless

TOOLS = ["north", "south", "east", "west"]
CALLS = st.lists(
    st.builds(
        PastCall,
        tool=st.sampled_from([*TOOLS, "elsewhere"]),
        outcome=st.sampled_from([0.0, 0.5, 1.0]),
        ms=st.integers(0, 60_000),
        cosine=st.none() | st.floats(-1, 1).map(lambda cosine: round(cosine, 3)),
    ),
    max_size=40,
)
QUOTAS = st.dictionaries(st.sampled_from(TOOLS), st.floats(0, 1))


def order(calls: list[PastCall], **given: object) -> list[str]:
    return [one.tool for one in ranked(TOOLS, calls, **given)]  # type: ignore[arg-type]


@settings(max_examples=50)
@given(CALLS, QUOTAS)
def test_every_tool_is_ranked_once(calls: list[PastCall], quotas: dict[str, float]) -> None:
    found = ranked(TOOLS, calls, quotas)
    assert sorted(one.tool for one in found) == sorted(TOOLS)
    assert all(one.score is None or one.score >= 0 for one in found)
    assert ranked(TOOLS, calls, quotas) == found


@settings(max_examples=50)
@given(CALLS, QUOTAS)
def test_the_untried_come_first_in_the_given_order(
    calls: list[PastCall], quotas: dict[str, float]
) -> None:
    tried = {call.tool for call in calls if weight(call.cosine) > 0}
    found = [one.tool for one in ranked(TOOLS, calls, quotas) if quotas.get(one.tool, 1) > 0]
    untried = [tool for tool in TOOLS if tool not in tried and quotas.get(tool, 1) > 0]
    assert found[: len(untried)] == untried


@settings(max_examples=50)
@given(CALLS)
def test_means_stay_within_what_was_seen(calls: list[PastCall]) -> None:
    for tool, found in performances(calls).items():
        own = [call for call in calls if call.tool == tool]
        assert found.outcome - min(call.outcome for call in own) >= -1e-9
        assert found.outcome <= max(call.outcome for call in own) + 1e-9
        assert 0 < found.n <= len(own)
        assert found.latency <= max(call.ms for call in own) * (1 + 1e-9)


@settings(max_examples=50)
@given(CALLS.filter(bool), st.data())
def test_a_better_outcome_never_lowers_a_tool(calls: list[PastCall], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(calls) - 1))
    tool = calls[place].tool
    better = [*calls]
    better[place] = replace(calls[place], outcome=1.0)
    if tool in TOOLS:
        assert order(better).index(tool) <= order(calls).index(tool)


@settings(max_examples=50)
@given(CALLS, st.sampled_from(TOOLS), st.floats(0, 0.99))
def test_a_spent_quota_never_raises_a_tool(calls: list[PastCall], tool: str, left: float) -> None:
    assert order(calls, quotas={tool: left}).index(tool) >= order(calls).index(tool)
    assert order(calls, quotas={tool: 0.0})[-1] == tool


def test_what_works_comes_first_and_what_is_tried_little_is_tried_again() -> None:
    calls = [PastCall("north", 1.0), PastCall("south", 0.0), PastCall("east", 0.5)] * 5
    assert order([*calls, *[PastCall("west", 0.0)] * 5])[0] == "north"
    # as good, but tried once: there is more to learn from it
    assert order([*calls, PastCall("west", 1.0)])[0] == "west"


def test_a_slow_tool_comes_after_a_quick_one() -> None:
    calls = [PastCall("north", 1.0, ms=9_000), PastCall("south", 1.0, ms=40)] * 3
    assert [one.tool for one in ranked(["north", "south"], calls)] == ["south", "north"]


def test_only_near_tasks_count() -> None:
    near = [PastCall("north", 0.0, cosine=0.9), PastCall("south", 1.0, cosine=0.9)] * 3
    far = [PastCall("north", 1.0, cosine=0.1), PastCall("south", 0.0, cosine=0.1)] * 9
    assert [one.tool for one in ranked(["north", "south"], [*near, *far])] == ["south", "north"]
    assert ranked(["north"], [PastCall("north", 1.0, cosine=-0.2)])[0].score is None


def test_a_tool_that_broke_is_left_after_a_few_failures() -> None:
    calls = [PastCall("north", 1.0)] * 60 + [PastCall("south", 0.6)] * 8
    assert ranked(["north", "south"], calls)[0].tool == "north"
    failed = next(
        count
        for count in range(1, 60)
        if ranked(["north", "south"], [*calls, *[PastCall("north", 0.0)] * count])[0].tool
        == "south"
    )
    without_discount = next(
        count
        for count in range(1, 60)
        if ranked(["north", "south"], [*calls, *[PastCall("north", 0.0)] * count], discount=1.0)[
            0
        ].tool
        == "south"
    )
    assert failed < without_discount


def test_a_tool_tried_long_ago_counts_as_untried() -> None:
    calls = [PastCall("a", 1.0)] + [PastCall("b", 1.0)] * 36_600
    for left in (0.0, 1.0):
        a = next(one for one in ranked(["a", "b"], calls, {"a": left}) if one.tool == "a")
        assert (a.performance, a.score) == (None, None)


def test_outcomes() -> None:
    assert outcome_of(failed=True, used=True, corrected=False) == 0
    assert outcome_of(failed=False, used=True, corrected=True) == 0
    assert outcome_of(failed=False, used=False, corrected=False) == 0.5
    assert outcome_of(failed=False, used=None, corrected=False) == 1
