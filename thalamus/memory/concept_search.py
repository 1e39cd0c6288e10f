"""The third search arm: entries that are near the concepts of a question, whatever their words."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest
from typing import TYPE_CHECKING

from thalamus.policy.spreading import first_step, second_step, seed_keys, spread

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader

SEED_DEGREE = 1000  # entries about a seed, above which it says nothing in particular
DEGREE = 60  # the same for a concept of the second step
CONCAVE = 0.5  # an exponent: among many that are near a few are very near
SECOND = 40  # concepts that lead to a second step, at most


def near_concepts(reader: Reader, question: str, user: str | None, limit: int) -> dict[int, float]:
    """The keys of the ``limit`` entries nearest to the concepts of a question, with how near they
    are, the nearest 1; nothing where the question names no concept that is known."""
    owners = None if user is None else ("", user)
    seeds = reader.concepts.numbers(seed_keys(question), owners)
    degrees = _degrees(reader, seeds, SEED_DEGREE)
    if not degrees:
        return {}
    scores = first_step(degrees, reader.concepts.entries(degrees))
    first = _best(scores, 2 * limit)
    others = reader.concepts.of_entries(first)
    weights = _best(spread(first, others, seeds), SECOND)
    second = _degrees(reader, list(weights), DEGREE)
    entries = reader.concepts.entries(second)
    best = _best(second_step(scores, weights, second, entries), limit)
    most = max(best.values(), default=0.0)
    return {key: (score / most) ** CONCAVE for key, score in best.items()}


def _best(scores: Mapping[int, float], limit: int) -> dict[int, float]:
    """The ``limit`` best, of equal ones the newest."""
    return dict(nlargest(limit, scores.items(), key=lambda item: (item[1], item[0])))


def _degrees(reader: Reader, concepts: list[int], most: int) -> dict[int, int]:
    """How many entries are about each of these concepts, without those of too many."""
    counts = reader.concepts.degrees(concepts)
    return {concept: count for concept, count in counts.items() if count <= most}
