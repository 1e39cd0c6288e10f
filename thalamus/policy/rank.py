"""Fusion of the two search arms into one ranking.

BM25 and cosine are scaled and added with weights, which on conversations keeps more of what each
arm knows than reciprocal rank fusion (Bruch et al., "An Analysis of Fusion Functions for Hybrid
Retrieval", 2023). BM25 is scaled by the best hit; the cosine is scaled from the average similarity
of any text to that of the best hit. Neither depends on the number of candidates. Small boosts are
added for properties that a single text cannot show. docs/retrieval.md has each constant with its
measured gain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.records import Evidence

VECTOR_WEIGHT = 0.5  # of the cosine; BM25 has the rest
STATIC_WEIGHT = 0.4  # of the cosine of static embeddings, which do not depend on neighbouring words
SENTENCE_WEIGHT = 0.3  # added for the cosine of an answer's nearest sentence
CLOSE_SENTENCE = 0.2  # cosine from which a sentence counts as close
CONVERSATION_WEIGHT = 0.5  # for how well the rest of the same conversation matches
CONVERSATION_BEST = 3  # best hits of a conversation that count for it
SPEAKER_WEIGHT = 0.4  # for words of someone named in the question
TIME_WEIGHT = 0.4  # for what was said at the time the question names
DATED_WEIGHT = 0.25  # for text with a time, if the question asks when
PAST_QUESTION = 0.3  # a past question repeats the present one word for word, and answers nothing
STALE = 0.5  # outdated entries rank behind current ones of the same similarity; not measured
CONCLUDED = 0.8  # insights rank behind statements
MOST_CONCLUDED = 2  # insights among the evidence for one question
PLANNED = 0.7  # results of the plan count less than those of the message itself


class Candidate(Struct, frozen=True):
    """A hit of a search arm. ``text``: its BM25 score; ``vector``: its cosine; ``sentence``: the
    cosine of an answer's nearest sentence; None if the arm did not find it. ``conversation``: the
    conversation it is part of; ``named``: the question names its speaker; ``timely``: closeness (0
    to 1) to the time in the question; ``dated``: it has a time and the question asks for one;
    ``lack``: penalty for little content (``policy.utterances``); ``asked``: it is just a question;
    ``stale``: it may no longer be true; ``concluded``: it is an insight."""

    id: str
    text: float | None = None
    vector: float | None = None
    sentence: float | None = None
    conversation: str | None = None
    named: bool = False
    timely: float = 0.0
    dated: bool = False
    lack: float = 0.0
    asked: bool = False
    stale: bool = False
    concluded: bool = False


@dataclass(frozen=True)
class Fused:
    """A candidate's score from 0 to 1 and its parts."""

    id: str
    score: float
    parts: dict[str, float] = field(default_factory=dict)


def fuse(
    candidates: Sequence[Candidate],
    background: float = 0.0,
    limit: int | None = None,
    vector_weight: float = VECTOR_WEIGHT,
) -> list[Fused]:
    """The best ``limit`` candidates, the best with score 1. If one arm finds nothing, the other
    decides alone.

    ``background``: cosine of the question with unrelated texts.
    """
    # past questions and conclusions must not set the scale for the others
    scale = [c for c in candidates if not (c.asked or c.concluded)] or list(candidates)
    best_text = max((c.text for c in scale if c.text is not None), default=0.0)
    best_vector = max((c.vector for c in scale if c.vector is not None), default=background)
    best_sentence = max((c.sentence for c in scale if c.sentence is not None), default=background)
    weights = _weights(best_text > 0, best_vector > background, vector_weight)
    text = _Share(0.0, best_text, weights[0])
    vector = _Share(background, best_vector, weights[1])
    sentence = _Share(background, best_sentence, SENTENCE_WEIGHT)
    base = {
        c.id: text.of(c.text) + vector.of(c.vector) + sentence.of(c.sentence) for c in candidates
    }
    fitting = _conversations(candidates, base)
    totals = {c.id: base[c.id] + _boost(c, fitting.get(c.conversation, 0.0)) for c in candidates}
    best = max((totals[c.id] for c in scale), default=0.0) or 1.0
    scores = {c.id: _within_one(totals[c.id] / best) * _factor(c) for c in candidates}
    order = nsmallest(
        len(candidates) if limit is None else limit,
        candidates,
        key=lambda c: (-scores[c.id], -totals[c.id], c.id),
    )
    return [
        Fused(c.id, round(scores[c.id], 4), _parts(c, fitting.get(c.conversation, 0.0), background))
        for c in order
    ]


def _within_one(share: float) -> float:
    # max and min take four times as long, for every candidate of every search
    return 0.0 if share < 0 else share if share < 1 else 1.0


def _factor(candidate: Candidate) -> float:
    factor = (PAST_QUESTION if candidate.asked else 1.0) * (STALE if candidate.stale else 1.0)
    return factor * CONCLUDED if candidate.concluded else factor


def with_conclusions(
    best: Sequence[Fused], sources: Mapping[str, Collection[str]], limit: int
) -> list[Fused]:
    """The best ``limit`` with at most ``MOST_CONCLUDED`` insights. ``sources``: ids of each
    insight's sources, which are never dropped in its favour."""
    insights = [one.id for one in best if one.id in sources][:MOST_CONCLUDED]
    while True:
        kept = [one for one in best if one.id not in sources or one.id in insights]
        needed = {id for one in insights for id in sources[one]}
        spare = [one.id for one in reversed(kept) if one.id not in needed]
        left_out = set(spare[: max(0, len(kept) - limit)])
        kept = [one for one in kept if one.id not in left_out]
        if len(kept) <= limit and left_out.isdisjoint(insights):
            return kept
        # there is no room for the last insight and its sources
        insights.pop()


def _weights(text: bool, vector: bool, vector_weight: float) -> tuple[float, float]:
    if text and vector:
        return 1 - vector_weight, vector_weight
    return float(text), float(vector)


class _Share:
    """Position of a score between ``low`` and ``high``, as a share of ``weight``."""

    def __init__(self, low: float, high: float, weight: float) -> None:
        self._low = low
        self._weight = weight
        self._factor = weight / (high - low) if high > low else 0.0

    def of(self, score: float | None) -> float:
        if score is None or score <= self._low:
            return 0.0
        share = (score - self._low) * self._factor
        return share if share < self._weight else self._weight


def _conversations(
    candidates: Sequence[Candidate], base: Mapping[str, float]
) -> dict[str | None, float]:
    """Score of each conversation as a whole, 1 for the best."""
    scores: dict[str | None, list[float]] = defaultdict(list)
    for c in candidates:
        if c.conversation is not None and not c.asked:
            scores[c.conversation].append(base[c.id])
    sums = {
        key: sum(sorted(found)[-CONVERSATION_BEST:]) if len(found) > 1 else found[0]
        for key, found in scores.items()
    }
    best = max(sums.values(), default=0.0)
    return {key: total / best for key, total in sums.items()} if best > 0 else {}


def _boost(candidate: Candidate, fitting: float) -> float:
    return (
        CONVERSATION_WEIGHT * fitting
        + SPEAKER_WEIGHT * candidate.named
        + TIME_WEIGHT * candidate.timely
        + DATED_WEIGHT * candidate.dated
        - candidate.lack
    )


def _parts(candidate: Candidate, fitting: float, background: float) -> dict[str, float]:
    """The non-zero parts of a score. Nearly every answer has some sentence; one no closer to the
    question than any text is omitted."""
    arms = {"fulltext": candidate.text, "vector": candidate.vector}
    if candidate.sentence is not None and candidate.sentence > background:
        arms["sentence"] = candidate.sentence
    boosts = {
        "conversation": CONVERSATION_WEIGHT * fitting,
        "speaker": SPEAKER_WEIGHT * candidate.named,
        "time": TIME_WEIGHT * candidate.timely,
        "dated": DATED_WEIGHT * candidate.dated,
        "lack": -candidate.lack,
    }
    found = {name: round(score, 4) for name, score in arms.items() if score is not None}
    return found | {name: round(boost, 4) for name, boost in boosts.items() if boost}


def why(parts: Mapping[str, float], planned: bool, query: str) -> str:
    """Explanation in words of how an entry was found."""
    reasons = []
    if "fulltext" in parts:
        reasons.append("shares words with")
    if "vector" in parts:
        reasons.append("is close in meaning to")
    what = f"the plan's “{query}”" if planned else "the message"
    if not reasons:
        then = f"was said at the time that {what} names"
        return then if "time" in parts else "is recent; no words to compare"
    reason = f"{' and '.join(reasons)} {what}"
    close = parts.get("sentence", 0.0) >= CLOSE_SENTENCE
    reason += "; a sentence of the answer comes close to it" if close else ""
    reason += "; said by someone it names" if "speaker" in parts else ""
    reason += "; said at the time it speaks of" if "time" in parts else ""
    return reason + ("; says a time, as it asks for" if "dated" in parts else "")


def merge(lists: Iterable[Sequence[Evidence]], limit: int) -> list[Evidence]:
    """Merges lists of evidence, each id once with its best score."""
    best: dict[str, Evidence] = {}
    for evidence in (item for found in lists for item in found):
        known = best.get(evidence.id)
        if known is None or evidence.score > known.score:
            best[evidence.id] = evidence
    return sorted(best.values(), key=lambda item: (-item.score, item.id))[:limit]
