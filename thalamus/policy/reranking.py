"""Final order of the best evidence after reranking.

A reranker does not see what the search knows (speaker, time, conversation), so its score is mixed
with the search's. bench/retrieval.md has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from thalamus.records import Evidence

RERANKED = 30  # pieces of evidence that are judged; the others keep their places behind them
WEIGHT = 0.3  # of the reranker's score; the search has the rest


def reranked(evidence: Sequence[Evidence], scores: Sequence[float]) -> list[Evidence]:
    """Reorders the evidence that has scores, the first of the list.

    Each place keeps its search score, which is comparable with that of other questions; ``scores``
    and ``why`` include the reranker's result.
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
    """True if these are valid scores for ``count`` texts."""
    return len(scores) == count and all(
        math.isfinite(score) and 0 <= score <= 1 for score in scores
    )
