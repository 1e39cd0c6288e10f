"""The third search arm: entries related to the concepts of a question, whatever their words."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest
from typing import TYPE_CHECKING

from thalamus.policy.spreading import first_step, second_step, seed_keys, spread

if TYPE_CHECKING:
    from thalamus.storage.protocol.reader import Reader

SEED_DEGREE = 1000  # entries about a seed concept, above which it is too common to be informative
DEGREE = 60  # the same for a concept of the second step
CONCAVE = 0.5  # exponent that makes a few of many related entries stand out
SECOND = 40  # concepts that lead to a second step, at most


def near_concepts(reader: Reader, question: str, user: str | None, limit: int) -> dict[int, float]:
    """Keys of the ``limit`` entries most closely related to the concepts of a question, with their
    scores, the highest 1; empty when the question names no known concept."""
    owners = None if user is None else ("", user)
    seeds = reader.concepts.numbers(seed_keys(question), owners)
    degrees = _degrees(reader, seeds, SEED_DEGREE)
    if not degrees:
        return {}
    scores = first_step(degrees, reader.concepts.entries(degrees))
    first = _best(scores, 2 * limit)
    entry_concepts = reader.concepts.of_entries(first)
    weights = _best(spread(first, entry_concepts, seeds), SECOND)
    second = _degrees(reader, list(weights), DEGREE)
    entries = reader.concepts.entries(second)
    best = _best(second_step(scores, weights, second, entries), limit)
    most = max(best.values(), default=0.0)
    return {key: (score / most) ** CONCAVE for key, score in best.items()}


def _best(scores: Mapping[int, float], limit: int) -> dict[int, float]:
    """The ``limit`` highest scores; newer entries win ties."""
    return dict(nlargest(limit, scores.items(), key=lambda item: (item[1], item[0])))


def _degrees(reader: Reader, concepts: list[int], most: int) -> dict[int, int]:
    """Number of entries about each of these concepts, without concepts that have more than
    ``most``."""
    counts = reader.concepts.degrees(concepts)
    return {concept: count for concept, count in counts.items() if count <= most}
