"""The order of evidence after a reranker has judged it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.policy.reranking import reranked, usable
from thalamus.records import Evidence

pytestmark = pytest.mark.storeless


def found(*scores: float) -> list[Evidence]:
    return [
        Evidence(id=f"e{n}", kind="memory", text=f"text {n}", score=score, why="is near")
        for n, score in enumerate(scores)
    ]


def order(evidence: list[Evidence], scores: list[float]) -> list[str]:
    return [item.id for item in reranked(evidence, scores)]


def test_a_clear_judgement_moves_what_the_search_finds_nearly_alike() -> None:
    assert order(found(1.0, 0.9, 0.8), [0.1, 0.1, 0.9]) == ["e2", "e0", "e1"]


def test_what_the_search_is_sure_of_is_not_moved_by_a_small_difference() -> None:
    assert order(found(1.0, 0.2, 0.1), [0.8, 0.9, 0.1]) == ["e0", "e1", "e2"]


def test_a_reranker_that_finds_all_alike_changes_nothing() -> None:
    assert order(found(1.0, 0.9, 0.8), [0.5, 0.5, 0.5]) == ["e0", "e1", "e2"]


def test_a_place_keeps_its_score_and_says_what_the_reranker_found() -> None:
    first, second = reranked(found(1.0, 0.9), [0.2, 0.7])
    assert (first.id, first.score, first.scores) == ("e1", 1.0, {"reranker": 0.7})
    assert first.why == "is near; the reranker gives it 0.70"
    assert (second.id, second.score) == ("e0", 0.9)


def test_what_was_not_judged_stays_behind() -> None:
    evidence = reranked(found(1.0, 0.9, 0.8, 0.7), [0.1, 0.9])
    assert [item.id for item in evidence] == ["e1", "e0", "e2", "e3"]
    assert "reranker" not in evidence[2].scores


SCORE = st.floats(0, 1)


@given(st.lists(st.tuples(SCORE, SCORE), max_size=12), st.integers(0, 12))
def test_nothing_is_lost_and_the_scores_still_fall(
    pairs: list[tuple[float, float]], judged: int
) -> None:
    evidence = found(*sorted((score for score, _ in pairs), reverse=True))
    placed = reranked(evidence, [score for _, score in pairs][:judged])
    assert sorted(item.id for item in placed) == sorted(item.id for item in evidence)
    assert [item.score for item in placed] == [item.score for item in evidence]


@pytest.mark.parametrize(
    ("scores", "fits"),
    [
        ([0.0, 1.0], True),
        ([0.5], False),
        ([0.5, 1.1], False),
        ([0.5, -0.1], False),
        ([0.5, float("nan")], False),
        ([0.5, float("inf")], False),
    ],
)
def test_scores_that_can_be_used(scores: list[float], fits: bool) -> None:
    assert usable(scores, 2) is fits
