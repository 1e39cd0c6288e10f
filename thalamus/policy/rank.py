"""One ranking out of what the two search arms found.

BM25 and cosine are brought to one scale and added with weights, which on conversations keeps more
of what each arm knows than reciprocal rank fusion (Bruch et al., "An Analysis of Fusion Functions
for Hybrid Retrieval", 2023). BM25 is taken as a share of the best hit's, the cosine as a share of
the way from what any text has in common with the question to the best hit; neither depends on
how many candidates were looked at. On top come small boosts for what a single text cannot show.
Each figure stands in docs/retrieval.md with what it gained.
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

VECTOR_WEIGHT = 0.5  # of the cosine; the rest is BM25's
STATIC_WEIGHT = 0.4  # of the cosine of embeddings that know each word alone, without its neighbours
SENTENCE_WEIGHT = 0.3  # of the cosine of the nearest sentence of what was answered, on top
CLOSE = 0.2  # a cosine from which on a sentence is said to come close
CONVERSATION_WEIGHT = 0.5  # of how much else in the same conversation fits
CONVERSATION_BEST = 3  # hits of a conversation that speak for it
SPEAKER_WEIGHT = 0.4  # for words of someone whom the question names
TIME_WEIGHT = 0.4  # for what was said when the question says
CONCEPT_WEIGHT = 0.3  # for what is near the concepts of the question
DATED_WEIGHT = 0.25  # for words that say a time, where the question asks when
ASKED = 0.3  # a past question is like the present one in every word, and answers nothing
STALE = 0.5  # what may no longer be true stands behind what is as near and holds; not measured
CONCLUDED = 0.8  # what was only concluded stands behind what was said
MOST_CONCLUDED = 2  # insights among the evidence for one question
PLANNED = 0.7  # what only the plan asked for counts less than what the message itself calls up


class Candidate(Struct, frozen=True):
    """Something that an arm found. ``text``: its BM25 score, ``vector``: its cosine, ``sentence``:
    that of the nearest sentence of what was answered; None where there is none. ``conversation``:
    what it was part of; ``named``: the question names who said it; ``timely``: how near (0..1) it
    is to the time that the question speaks of; ``dated``: it says a time, and the question asks for
    one; ``lack``: how little it says by itself (``policy.substance``); ``asked``: it only asks;
    ``stale``: it may no longer be true; ``concluded``: nobody said it, it is an insight;
    ``concept``: how near (0..1) it is to the concepts of the question, where that arm is on."""

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
    concept: float = 0.0


@dataclass(frozen=True)
class Fused:
    """A candidate's score in 0..1 and the parts it came from, by id."""

    id: str
    score: float
    parts: dict[str, float] = field(default_factory=dict)


def fuse(
    candidates: Sequence[Candidate],
    background: float = 0.0,
    limit: int | None = None,
    vector_weight: float = VECTOR_WEIGHT,
) -> list[Fused]:
    """The best ``limit`` candidates, the best of all with 1. With one arm silent the other alone
    decides.

    ``background``: the cosine that the question has with texts that have nothing to do with it.
    """
    # neither past questions nor conclusions may set the scale of the others' scores
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
    # max and min take four times as long, of every candidate of every search
    return 0.0 if share < 0 else share if share < 1 else 1.0


def _factor(candidate: Candidate) -> float:
    factor = (ASKED if candidate.asked else 1.0) * (STALE if candidate.stale else 1.0)
    return factor * CONCLUDED if candidate.concluded else factor


def with_conclusions(
    best: Sequence[Fused], sources: Mapping[str, Collection[str]], limit: int
) -> list[Fused]:
    """The best ``limit``, with at most ``MOST_CONCLUDED`` insights. ``sources``: of each insight
    among them, the ids of what it rests on: that is never left out for it."""
    insights = [one.id for one in best if one.id in sources][:MOST_CONCLUDED]
    while True:
        kept = [one for one in best if one.id not in sources or one.id in insights]
        needed = {id for one in insights for id in sources[one]}
        spare = [one.id for one in reversed(kept) if one.id not in needed]
        left_out = set(spare[: max(0, len(kept) - limit)])
        kept = [one for one in kept if one.id not in left_out]
        if len(kept) <= limit and left_out.isdisjoint(insights):
            return kept
        # there is no room for the last one and what it rests on
        insights.pop()


def _weights(text: bool, vector: bool, vector_weight: float) -> tuple[float, float]:
    if text and vector:
        return 1 - vector_weight, vector_weight
    return float(text), float(vector)


class _Share:
    """How far a score is from ``low`` to ``high``, as a share of ``weight``."""

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
    """How well each conversation fits as a whole, the best of them 1."""
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
        + CONCEPT_WEIGHT * candidate.concept
        - candidate.lack
    )


def _parts(candidate: Candidate, fitting: float, background: float) -> dict[str, float]:
    """The parts of a score that are not zero. Nearly every answer has some sentence; one that is no
    nearer to the question than any text is not mentioned."""
    arms = {"fulltext": candidate.text, "vector": candidate.vector}
    if candidate.sentence is not None and candidate.sentence > background:
        arms["sentence"] = candidate.sentence
    boosts = {
        "conversation": CONVERSATION_WEIGHT * fitting,
        "speaker": SPEAKER_WEIGHT * candidate.named,
        "time": TIME_WEIGHT * candidate.timely,
        "dated": DATED_WEIGHT * candidate.dated,
        "concept": CONCEPT_WEIGHT * candidate.concept,
        "lack": -candidate.lack,
    }
    found = {name: round(score, 4) for name, score in arms.items() if score is not None}
    return found | {name: round(boost, 4) for name, boost in boosts.items() if boost}


def why(parts: Mapping[str, float], planned: bool, query: str) -> str:
    """In words, how something was found."""
    reasons = []
    if "fulltext" in parts:
        reasons.append("shares words with")
    if "vector" in parts:
        reasons.append("is close in meaning to")
    if "concept" in parts and not reasons:
        reasons.append("is connected with what is named in")
    found = " and ".join(reasons) or "is recent; no words to compare"
    what = f"the plan's “{query}”" if planned else "the message"
    reason = f"{found} {what}" if reasons else found
    near = parts.get("sentence", 0.0) >= CLOSE
    reason += "; a sentence of the answer comes close to it" if near else ""
    reason += "; said by someone it names" if "speaker" in parts else ""
    reason += "; said at the time it speaks of" if "time" in parts else ""
    return reason + ("; says a time, as it asks for" if "dated" in parts else "")


def merge(lists: Iterable[Sequence[Evidence]], limit: int) -> list[Evidence]:
    """One list out of several, each id once with its best score."""
    best: dict[str, Evidence] = {}
    for evidence in (item for found in lists for item in found):
        known = best.get(evidence.id)
        if known is None or evidence.score > known.score:
            best[evidence.id] = evidence
    return sorted(best.values(), key=lambda item: (-item.score, item.id))[:limit]
