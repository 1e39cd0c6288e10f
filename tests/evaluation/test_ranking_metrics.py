"""The measures of a ranking, by what must hold of them whatever the ranking."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.evaluation.ranking_metrics import (
    all_at,
    any_at,
    means,
    measures,
    percentile,
    recall_at,
    sign_test,
)

pytestmark = pytest.mark.storeless

names = st.sampled_from("abcdefgh")
rankings = st.lists(names, unique=True)
golds = st.lists(names, unique=True, min_size=1)
depths = st.integers(1, 10)


@given(rankings, golds, depths)
def test_all_is_the_hardest_and_any_the_easiest(ranked: list[str], gold: list[str], k: int) -> None:
    every, share, some = (f(ranked, gold, k) for f in (all_at, recall_at, any_at))
    assert 0 <= every <= share <= some <= 1
    assert (share == 1) == (every == 1)
    assert (share == 0) == (some == 0)


@given(rankings, golds, depths)
def test_looking_further_never_lowers_a_measure(ranked: list[str], gold: list[str], k: int) -> None:
    for measure in (any_at, all_at, recall_at):
        assert measure(ranked, gold, k) <= measure(ranked, gold, k + 1)


@given(rankings, golds, depths, st.randoms())
def test_the_order_of_the_gold_and_beyond_k_is_indifferent(
    ranked: list[str], gold: list[str], k: int, random: object
) -> None:
    mixed, rest = list(gold), ranked[k:]
    random.shuffle(mixed)  # type: ignore[attr-defined]
    random.shuffle(rest)  # type: ignore[attr-defined]
    assert measures(ranked, gold, [k]) == measures(ranked[:k] + rest, mixed, [k])


@given(golds)
def test_the_gold_itself_is_a_perfect_ranking(gold: list[str]) -> None:
    assert set(measures(gold, gold, [len(gold)]).values()) == {1.0}


def test_an_example() -> None:
    found = measures(["a", "x", "b"], ["b", "a"], [1, 3])
    assert found == {
        "any@1": 1.0,
        "all@1": 0.0,
        "recall@1": 0.5,
        "any@3": 1.0,
        "all@3": 1.0,
        "recall@3": 1.0,
    }
    assert means([{"any@1": 1.0}, {"any@1": 0.0}]) == {"any@1": 0.5}
    assert means([]) == {}


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_a_percentile_is_one_of_them_and_enough_are_below(
    numbers: list[float], share: float
) -> None:
    found = percentile(numbers, share)
    assert found in numbers
    assert sum(number <= found for number in numbers) >= share * len(numbers) - 1e-9
    assert percentile(numbers, 0) == min(numbers)
    assert percentile(numbers, 1) == max(numbers)


def test_percentiles_of_nothing() -> None:
    assert percentile([], 0.5) == 0.0


@pytest.mark.parametrize("total", range(9))
def test_the_sign_test_counts_outcomes_as_likely_as_this(total: int) -> None:
    """Against every sequence of wins and losses there is, one by one."""
    outcomes = [sum(tosses) for tosses in product((0, 1), repeat=total)]
    for won in range(total + 1):
        lean = abs(2 * won - total)
        as_one_sided = sum(abs(2 * other - total) >= lean for other in outcomes)
        assert sign_test(won, total - won) == pytest.approx(
            float(Fraction(as_one_sided, len(outcomes)))
        )


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_the_sign_test_has_no_side(won: int, lost: int) -> None:
    assert 0 <= sign_test(won, lost) == sign_test(lost, won) <= 1


def test_known_significance() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(9, 1) == pytest.approx(22 / 1024)
