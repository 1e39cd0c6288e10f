"""The order of the best evidence, after a reranker has judged it.

What the search knows (who spoke, when, in which conversation) a reranker does not see, so that its
score is mixed with the search's. The figures stand in docs/retrieval.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from thalamus.records import Evidence

RERANKED = 30  # pieces of evidence that are judged; what stands behind them stays there
WEIGHT = 0.3  # of the reranker's score; the rest is the search's


def reranked(evidence: Sequence[Evidence], scores: Sequence[float]) -> list[Evidence]:
    """The evidence, best first, in a new order of those that have a score: the first of them.

    Each place keeps its search score, by which the evidence is compared with that of other
    questions; ``scores`` and ``why`` say what the reranker found.
    """
    judged = list(zip(evidence, scores, strict=False))
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    span = (high - low) or 1.0
    order = sorted(
        judged,
        key=lambda pair: (
            -(1 - WEIGHT) * pair[0].score - WEIGHT * (pair[1] - low) / span,
            -pair[0].score,
        ),
    )
    placed = [
        replace(
            item,
            score=place.score,
            scores={**item.scores, "reranker": round(score, 4)},
            why=f"{item.why}; the reranker gives it {score:.2f}",
        )
        for place, (item, score) in zip(evidence, order, strict=False)
    ]
    return [*placed, *evidence[len(placed) :]]


def usable(scores: Sequence[float], count: int) -> bool:
    """Whether these are scores of ``count`` texts."""
    return len(scores) == count and all(
        math.isfinite(score) and 0 <= score <= 1 for score in scores
    )
