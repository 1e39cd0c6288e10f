"""Fusion of the search arms and of what else is known about their hits into one ranking.

Each signal is brought to a scale from 0 to 1, and all but BM25 count the same: weights fitted to
the questions at hand gain nothing on others (bench/retrieval.md has the figures), as Dawes found in
"The Robust Beauty of Improper Linear Models in Decision Making" (1979). BM25 is scaled by the best
hit; a cosine is scaled from the average similarity of any text to that of the best hit. Neither
depends on the number of candidates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.records import Evidence, Explanation

WORDS_WEIGHT = 1.5  # of BM25 next to the other signals, most of which are cosines
PROJECT = 2.0  # times a signal that is an eighth of the others together: a quarter more
MOST_LACK = 1.8  # the greatest lack of content (``policy.utterances``)
# of the signals; each has a value from 0 to 1
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "fulltext": WORDS_WEIGHT,
        "vector": 1.0,
        "sentence": 1.0,
        "conversation_vector": 1.0,
        "conversation_words": 1.0,
        "speaker": 1.0,
        "time": 1.0,
        "dated": 1.0,
        "project": PROJECT,
        "lack": -MOST_LACK,
    }
)
CLOSE_SENTENCE = 0.2  # cosine from which a sentence counts as close
REASON = 0.1  # value from which a signal is a reason for a result
ELSEWHERE = 0.7  # share that counts of what belongs to another project; not measured
SECONDARY = 0.7  # share that counts of past questions, of insights, and of results of the plan
STALE = 0.5  # outdated entries rank behind current ones of the same similarity; not measured
MOST_CONCLUDED = 2  # insights among the evidence for one question


class Candidate(Struct, frozen=True):
    """A hit of a search arm. ``text``: its BM25 score; ``vector``: its cosine; ``sentence``: the
    cosine of an answer's nearest sentence; None if the arm did not find it. ``words``: words of the
    question among its own; ``conversation``: the conversation it is part of; ``named``: the
    question names its speaker; ``timely``: closeness (0 to 1) to the time in the question;
    ``dated``: it has a time and the question asks for one; ``project``: it belongs to the current
    project (1), to none or to one that the question names (0), or to another (-1); ``at``: when it
    was said; ``frame``: its text without numbers and names (``policy.utterances``); ``lack``:
    penalty for little content (``policy.utterances``); ``asked``: it is just a question; ``stale``:
    it may no longer be true; ``concluded``: it is an insight."""

    id: str
    text: float | None = None
    vector: float | None = None
    sentence: float | None = None
    words: Collection[str] = ()
    conversation: str | None = None
    named: bool = False
    timely: float = 0.0
    dated: bool = False
    project: int = 0
    lack: float = 0.0
    asked: bool = False
    stale: bool = False
    concluded: bool = False
    at: str = ""
    frame: str = ""


class Fused(Struct, frozen=True):
    """A candidate's score from 0 to 1 and its parts: what was measured (``parts``), and the signals
    in the order of ``WEIGHTS`` (``values``), whose weighted sum is ``total``; ``best``: that of the
    best candidate."""

    id: str
    score: float
    parts: dict[str, float] = {}
    values: Sequence[float] = ()
    total: float = 0.0
    best: float = 1.0


def fuse(
    candidates: Sequence[Candidate],
    background: float = 0.0,
    limit: int | None = None,
    rarity: Mapping[str, float] | None = None,
) -> list[Fused]:
    """The best ``limit`` candidates, the best with score 1; of equals the newest first.

    ``background``: cosine of the question with unrelated texts; ``rarity``: of each of its words.
    """
    # past questions and conclusions must not set the scale for the others
    scale = [c for c in candidates if not (c.asked or c.concluded)] or list(candidates)
    texts = _scaled([c.text for c in candidates], 0.0, [c.text for c in scale])
    similar = _scaled([c.vector for c in candidates], background, [c.vector for c in scale])
    closest = _scaled([c.sentence for c in candidates], background, [c.sentence for c in scale])
    near, shared = _conversations(candidates, similar, rarity or {})
    signals = zip(candidates, texts, similar, closest, near, shared, strict=True)
    totals = {
        c.id: WORDS_WEIGHT * text
        + cosine
        + sentence
        + other
        + words
        + c.named
        + c.timely
        + c.dated
        - c.lack
        for c, text, cosine, sentence, other, words in signals
    }
    # it grows with the other signals, so that it tells entries of different projects apart, not
    # those of one
    here = {c.id: _within_one(totals[c.id] / 8) for c in candidates if c.project > 0}
    for id, value in here.items():
        totals[id] += PROJECT * value
    best = max((totals[c.id] for c in scale), default=0.0) or 1.0
    low, unit = _scale(best)
    scores = [
        (_within_one((total - low) * unit) * _factor(c), total)
        for c, total in zip(candidates, totals.values(), strict=True)
    ]
    order = sorted(range(len(candidates)), key=lambda place: candidates[place].id)
    order.sort(key=lambda place: candidates[place].at, reverse=True)
    order.sort(key=scores.__getitem__, reverse=True)
    shown = [scores[place][0] for place in order]
    found = zip(_newest_first(order, candidates), shown, strict=True)
    results = []
    for place, score in islice(found, limit):
        c = candidates[place]
        arms = (texts[place], similar[place], closest[place], near[place], shared[place])
        preferred = here.get(c.id, 0.0)
        boosts = (float(c.named), c.timely, float(c.dated), preferred, c.lack / MOST_LACK)
        parts = _parts(c, near[place] + shared[place], background, preferred)
        total = scores[place][1]
        results.append(Fused(c.id, round(score, 4), parts, (*arms, *boosts), total, best))
    return results


def _newest_first(order: Sequence[int], candidates: Sequence[Candidate]) -> list[int]:
    """Places of the candidates in order, with those that are equals newest first: sentences that
    differ only in numbers and names, and have the same to do with the question."""
    frames: dict[str, list[int]] = {}
    for rank, place in enumerate(order):
        if frame := candidates[place].frame:
            frames.setdefault(frame, []).append(rank)
    equals: dict[object, list[int]] = {}
    for rank in (rank for ranks in frames.values() if len(ranks) > 1 for rank in ranks):
        equals.setdefault(common(candidates[order[rank]]), []).append(rank)
    found = list(order)
    for ranks in equals.values():
        if len(ranks) > 1:
            places = [order[rank] for rank in ranks]
            places.sort(key=lambda place: candidates[place].at, reverse=True)
            for rank, place in zip(ranks, places, strict=True):
                found[rank] = place
    return found


def common(c: Candidate) -> object:
    """All that equals have in common: the frame, and their relation to the question."""
    signals = (c.named, c.timely, c.dated, c.project, c.asked, c.stale, c.concluded)
    return c.frame, frozenset(c.words), signals


def _scale(best: float) -> tuple[float, float]:
    """The total with score 0, and the score of one more. That is 0, or if no total is above it,
    because everything says little, the lowest possible one."""
    low = 0.0 if best > 0 else -MOST_LACK
    return low, 1 / (best - low or 1.0)


def _within_one(share: float) -> float:
    # max and min take four times as long, for every candidate of every search
    return 0.0 if share < 0 else share if share < 1 else 1.0


def _factor(candidate: Candidate) -> float:
    share = SECONDARY if candidate.asked or candidate.concluded else 1.0
    if candidate.project < 0:
        share *= ELSEWHERE
    return share * STALE if candidate.stale else share


def explanation(fused: Fused, candidate: Candidate, relevance: Mapping[str, float]) -> Explanation:
    """Explanation of a candidate's score. ``relevance``: of each of its signals by itself."""
    from thalamus.records import Explanation, Signal

    signals = {
        name: Signal(value=round(value, 4), weight=weight, adds=round(weight * value, 4) + 0.0)
        for (name, weight), value in zip(WEIGHTS.items(), fused.values, strict=True)
    }
    factors = {"secondary": SECONDARY} if candidate.asked or candidate.concluded else {}
    factors |= {"elsewhere": ELSEWHERE} if candidate.project < 0 else {}
    factors |= {"stale": STALE} if candidate.stale else {}
    low, unit = _scale(fused.best)
    return Explanation(
        signals=signals,
        total=round(fused.total, 4),
        best=round(fused.best, 4),
        factors=factors,
        score=round(_within_one((fused.total - low) * unit) * _factor(candidate), 4),
        relevance=dict(relevance),
    )


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


def _scaled(
    scores: Sequence[float | None], low: float, scale: Sequence[float | None]
) -> list[float]:
    """Position of each score between ``low`` (0) and the best of ``scale`` (1)."""
    high = max((score for score in scale if score is not None), default=low)
    factor = 1 / (high - low) if high > low else 0.0
    return [
        0.0 if score is None or score <= low else _within_one((score - low) * factor)
        for score in scores
    ]


def _conversations(
    candidates: Sequence[Candidate], similar: Sequence[float], rarity: Mapping[str, float]
) -> tuple[list[float], list[float]]:
    """Scores of what each candidate stands in, from 0 to 1: the best cosine of the other entries of
    its conversation, since its own counts already; and the share of the question's words that all
    of them have, which counts for an entry that belongs to none too. A conversation of many
    candidates tells little apart: the scores are less by the share of the others that are in it."""
    keys = [c.conversation or c.id for c in candidates]
    counts = Counter(keys)
    closest = dict.fromkeys(counts, (0.0, 0.0))  # the best two cosines
    found: dict[str, set[str]] = {}
    for c, key, cosine in zip(candidates, keys, similar, strict=True):
        best, second = closest[key]
        if cosine > best:
            closest[key] = cosine, best
        elif cosine > second:
            closest[key] = best, cosine
        if c.words:
            found.setdefault(key, set()).update(c.words)
    total = sum(rarity.values()) or 1.0
    weight = rarity.get
    shares = {key: sum([weight(w, 0.0) for w in words]) / total for key, words in found.items()}
    others = max(1, len(candidates) - 1)
    apart = {key: 1 - (count - 1) / others for key, count in counts.items()}
    near, shared = [], []
    for c, key, cosine in zip(candidates, keys, similar, strict=True):
        own = sum([weight(word, 0.0) for word in c.words]) / total if c.words else 0.0
        best, second = closest[key]
        near.append(apart[key] * (second if cosine == best else best))
        shared.append(own + apart[key] * (shares.get(key, 0.0) - own))
    return near, shared


def _parts(
    candidate: Candidate, conversation: float, background: float, project: float
) -> dict[str, float]:
    """The non-zero parts of a score. Nearly every answer has some sentence; one no closer to the
    question than any text is omitted."""
    arms = {"fulltext": candidate.text, "vector": candidate.vector}
    if candidate.sentence is not None and candidate.sentence > background:
        arms["sentence"] = candidate.sentence
    boosts = {
        "conversation": conversation,
        "speaker": float(candidate.named),
        "time": candidate.timely,
        "dated": float(candidate.dated),
        "project": project,
        "lack": -candidate.lack,
    }
    found = {name: round(score, 4) for name, score in arms.items() if score is not None}
    return found | {name: round(boost, 4) for name, boost in boosts.items() if boost}


def why(fused: Fused, planned: bool, query: str) -> str:
    """Explanation in words of how an entry was found."""
    what = f"the plan's “{query}”" if planned else "the message"
    values = zip(WEIGHTS, fused.values, strict=False)
    reasons = {name for name, value in values if value >= REASON or (name == "project" and value)}
    if fused.parts.get("sentence", 0.0) < CLOSE_SENTENCE:
        reasons.discard("sentence")
    arms = {"fulltext": "shares words with", "vector": "is close in meaning to"}
    found = " and ".join(text for name, text in arms.items() if name in reasons)
    clauses = [f"{found} {what}"] if found else []
    for name, clause in (
        ("sentence", "a sentence of the answer comes close to {}"),
        ("speaker", "said by someone {} names"),
        ("time", "said at the time {} speaks of"),
        ("dated", "says a time, as {} asks for"),
        ("project", "belongs to this project"),
    ):
        if name in reasons:
            clauses.append(clause.format("it" if clauses else what))
    if clauses:
        return "; ".join(clauses)
    return f"is no closer to {what} than most" if fused.values else "is recent; no words to compare"


def merge(lists: Iterable[Sequence[Evidence]], limit: int) -> list[Evidence]:
    """Merges lists of evidence, each id once with its best score; of equals the newest first."""
    best: dict[str, Evidence] = {}
    for evidence in (item for found in lists for item in found):
        known = best.get(evidence.id)
        if known is None or evidence.score > known.score:
            best[evidence.id] = evidence
    found = sorted(best.values(), key=lambda item: item.id)
    found.sort(key=lambda item: item.at or "", reverse=True)
    found.sort(key=lambda item: item.score, reverse=True)
    return found[:limit]
