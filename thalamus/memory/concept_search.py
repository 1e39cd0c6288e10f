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
    where: dict[str, object] = {"folded": seed_keys(question)}
    if user is not None:
        where["owner"] = ("", user)
    seeds = [row[0] for row in reader.select("concept", ("n",), where)] if where["folded"] else []
    degrees = _degrees(reader, seeds, SEED_DEGREE)
    if not degrees:
        return {}
    scores = first_step(degrees, _about(reader, degrees))
    first = _best(scores, 2 * limit)
    others = reader.select("about", ("key", "concept"), {"key": tuple(first)})
    weights = _best(spread(first, [(row[0], row[1]) for row in others], seeds), SECOND)
    second = _degrees(reader, list(weights), DEGREE)
    best = _best(second_step(scores, weights, second, _about(reader, second)), limit)
    most = max(best.values(), default=0.0)
    return {key: (score / most) ** CONCAVE for key, score in best.items()}


def _best(scores: Mapping[int, float], limit: int) -> dict[int, float]:
    """The ``limit`` best, of equal ones the newest."""
    return dict(nlargest(limit, scores.items(), key=lambda item: (item[1], item[0])))


def _degrees(reader: Reader, concepts: list[int], most: int) -> dict[int, int]:
    """How many entries are about each of these concepts, without those of too many."""
    if not concepts:
        return {}
    where = {"concept": tuple(concepts)}
    rows = reader.select("about", ("concept", "count(*)"), where, group=("concept",))
    return {row[0]: row[1] for row in rows if row[1] <= most}


def _about(reader: Reader, concepts: dict[int, int]) -> list[tuple[int, int]]:
    if not concepts:
        return []
    rows = reader.select("about", ("concept", "key"), {"concept": tuple(concepts)})
    return [(row[0], row[1]) for row in rows]
