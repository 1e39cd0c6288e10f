"""Personalised spreading over concepts and what is about them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.policy.spreading import DAMPING, first_step, second_step, seed_keys, spread

# concepts 1, 2, 3; entries 10, 11, 12: 10 is about 1 and 2, 11 about 2 and 3, 12 about 3
ABOUT = [(1, 10), (2, 10), (2, 11), (3, 11), (3, 12)]
DEGREES = {1: 1, 2: 2, 3: 2}


def test_the_concepts_of_a_question() -> None:
    keys = seed_keys("What instruments does Anna play in Lisbon?")
    assert {"instrument", "anna", "lisbon"} <= set(keys)
    assert "what" not in keys and "the" not in keys
    assert seed_keys("") == [] and seed_keys("What is it?") == []


def test_what_is_two_steps_away_is_found_with_less() -> None:
    scores = first_step({1: 1}, [(1, 10)])
    assert scores == {10: 1.0}
    weights = spread(scores, [(10, 1), (10, 2)], [1])
    assert weights == {2: pytest.approx(DAMPING / 2)}
    found = second_step(scores, weights, DEGREES, [(2, 10), (2, 11)])
    assert found[10] > found[11] > 0 and 12 not in found


def test_a_rare_concept_counts_more() -> None:
    found = first_step({1: 1, 2: 4}, [(1, 10), *((2, entry) for entry in (11, 12, 13, 14))])
    assert found[10] > 4 * found[11]


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(10, 18)), unique=True))
def test_no_more_arrives_than_sets_out(about: list[tuple[int, int]]) -> None:
    degrees = {c: sum(one == c for one, _ in about) for c, _ in about}
    seeds = {c: n for c, n in degrees.items() if c <= 2}
    scores = first_step(seeds, [pair for pair in about if pair[0] in seeds])
    assert sum(scores.values()) <= 1.0 + 1e-9
    weights = spread(scores, [(entry, c) for c, entry in about if entry in scores], seeds)
    assert not set(weights) & set(seeds)
    assert sum(weights.values()) <= DAMPING * sum(scores.values()) + 1e-9
    found = second_step(scores, weights, degrees, [p for p in about if p[0] in weights])
    assert sum(found.values()) <= 1.0 + DAMPING + 1e-9
    assert all(found[entry] >= score for entry, score in scores.items())
