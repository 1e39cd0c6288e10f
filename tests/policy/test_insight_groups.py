"""Which insights become one: each in one group at most, and none of their strength is lost."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thalamus.policy import insight_groups as rules
from thalamus.policy.insight_groups import ConceptGroup, Member

pytestmark = pytest.mark.storeless


def member(id: str, *concepts: str, strength: float = 1.0, level: int = 1) -> Member:
    return Member(id, frozenset(concepts), strength, level)


def test_the_concept_that_most_share_comes_first() -> None:
    found = rules.groups(
        [
            member("a", "tea", "lisbon"),
            member("b", "tea", "porto"),
            member("c", "tea", "chess", strength=3),
            member("d", "porto", "chess"),
            member("e", "boats"),
        ]
    )
    assert [(group.concept, group.ids) for group in found] == [("tea", ("c", "a", "b"))]
    assert found[0].common == ["tea"]


def test_a_group_is_not_too_large_and_the_rest_form_another() -> None:
    found = rules.groups([member(f"i{n:02}", "tea") for n in range(11)])
    assert [len(group.ids) for group in found] == [8, 3]


def test_what_nearly_all_have_makes_no_group() -> None:
    names = [["Ana", "tea"], ["Ana", "chess"], ["Ana", "tea"], ["Ana", "boats"], ["Ana", "figs"]]
    assert rules.everywhere(names) == {"ana"}
    assert rules.everywhere([["tea", "figs"]] * 3) == frozenset()


def test_a_group_that_was_tried_is_not_formed_again() -> None:
    members = [member("a", "tea", "figs"), member("b", "tea"), member("c", "figs")]
    assert [group.ids for group in rules.groups(members)] == [("a", "c")]
    left = rules.groups(members, (), {frozenset(("a", "c"))})
    assert [group.ids for group in left] == [("a", "b")]


members = st.lists(
    st.builds(
        Member,
        id=st.uuids().map(str),
        concepts=st.frozensets(st.sampled_from("abcdefgh"), max_size=4),
        strength=st.integers(1, 9).map(float),
        level=st.integers(1, 3),
    ),
    unique_by=lambda one: one.id,
    max_size=30,
)


@settings(max_examples=50)
@given(members, st.integers())
def test_each_is_in_one_group_and_the_order_does_not_matter(some: list[Member], n: int) -> None:
    found = rules.groups(some)
    ids = [id for group in found for id in group.ids]
    assert len(ids) == len(set(ids)) and set(ids) <= {one.id for one in some}
    for group in found:
        assert rules.LEAST <= len(group.ids) <= rules.MOST
        assert all(group.concept in one.concepts for one in group.members)
    mixed = list(some)
    random.Random(n).shuffle(mixed)
    assert rules.groups(mixed) == found


@settings(max_examples=50)
@given(members)
def test_strength_is_conserved_and_the_end_is_reached(some: list[Member]) -> None:
    before, active, count = sum(one.strength for one in some), list(some), 0
    while found := rules.groups(active):
        for group in found:
            active = merge(active, group, f"m{count}")
            count += 1
        assert sum(one.strength for one in active) == before
    assert count < max(1, len(some)) and rules.groups(active) == []


def merge(active: list[Member], group: ConceptGroup, id: str) -> list[Member]:
    left = [one for one in active if one.id not in group.ids]
    merged = rules.merged(group, id)
    assert merged.level > max(one.level for one in group.members)
    return [*left, merged]
