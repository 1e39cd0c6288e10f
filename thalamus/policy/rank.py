"""Fusing the two search arms into one ranking.

Scores are min-max normalised within each arm and added with weights: on conversations this keeps
more of what each arm knows than reciprocal rank fusion (Bruch et al., "An Analysis of Fusion
Functions for Hybrid Retrieval", 2023).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from thalamus.records import Evidence

TEXT_WEIGHT = 0.5
VECTOR_WEIGHT = 0.5
ASKED = 0.3  # a past question is like the present one in every word, and tells nothing
PLANNED = 0.7  # what only the plan asked for counts less than what the message itself calls up


@dataclass(frozen=True)
class Fused:
    """A candidate's fused score in 0..1 and its parts, by id."""

    id: str
    score: float
    parts: dict[str, float]


def fuse(text: Sequence[tuple[str, float]], vector: Sequence[tuple[str, float]]) -> list[Fused]:
    """Fuses (id, score) lists, best first. With one arm empty the other alone decides."""
    arms = {"fulltext": (dict(text), TEXT_WEIGHT), "vector": (dict(vector), VECTOR_WEIGHT)}
    total = sum(weight for found, weight in arms.values() if found) or 1.0
    parts: dict[str, dict[str, float]] = {}
    scores: dict[str, float] = {}
    for name, (found, weight) in arms.items():
        for id, normal in normalise(found).items():
            scores[id] = scores.get(id, 0.0) + normal * weight / total
            parts.setdefault(id, {})[name] = round(found[id], 4)
    order = sorted(scores, key=lambda id: (-scores[id], id))
    return [Fused(id, round(scores[id], 4), parts[id]) for id in order]


def fuse_demoting(
    text: Sequence[tuple[str, float]], vector: Sequence[tuple[str, float]], ids: Collection[str]
) -> list[Fused]:
    """``fuse``, with ``ids`` ranked apart: they neither set the scale of the others' scores nor
    keep more than ``ASKED`` of their own."""
    others = fuse(
        [pair for pair in text if pair[0] not in ids],
        [pair for pair in vector if pair[0] not in ids],
    )
    demoted = [
        replace(item, score=round(item.score * ASKED, 4))
        for item in fuse(text, vector)
        if item.id in ids
    ]
    return sorted([*others, *demoted], key=lambda item: (-item.score, item.id))


def normalise(scores: Mapping[str, float]) -> dict[str, float]:
    """Min-max normalisation to 0..1; equal scores all become 1."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {id: (score - low) / (high - low) for id, score in scores.items()}


def why(parts: Mapping[str, float], planned: bool, query: str) -> str:
    """In words, how something was found."""
    reasons = []
    if "fulltext" in parts:
        reasons.append("shares words with")
    if "vector" in parts:
        reasons.append("is close in meaning to")
    found = " and ".join(reasons) or "is recent; nothing to compare with"
    what = f"the plan's “{query}”" if planned else "the message"
    return f"{found} {what}" if reasons else found


def merge(lists: Iterable[Sequence[Evidence]], limit: int) -> list[Evidence]:
    """One list out of several, each id once with its best score."""
    best: dict[str, Evidence] = {}
    for evidence in (item for found in lists for item in found):
        known = best.get(evidence.id)
        if known is None or evidence.score > known.score:
            best[evidence.id] = evidence
    return sorted(best.values(), key=lambda item: (-item.score, item.id))[:limit]
