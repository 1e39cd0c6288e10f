"""Personalised spreading: from the concepts of a question to entries, at most two steps away.

A random walk that begins at the concepts of the question and is likely to stop soon finds what is
connected with them although it has none of the question's words (personalised PageRank over a
graph of phrases and passages, with rare phrases weighing more: HippoRAG, Gutiérrez et al. 2024,
arXiv:2405.14831). Two steps are worked out exactly instead of walking: concept → entries about it,
and → what these are about besides → entries about that. Each step is divided by how many ways
there are to go, so that a concept that half of the store is about leads nowhere in particular.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from thalamus.policy.concept_names import concept_key
from thalamus.policy.concepts import in_text
from thalamus.policy.entities import USER
from thalamus.text.tokens import words
from thalamus.text.word_lists import STOP_WORDS

DAMPING = 0.5  # the share of a score that goes on to the second step
LONGEST = 3  # words of a question that may be one concept
SEEDS = 64  # of a question, at most


def seed_keys(question: str) -> list[str]:
    """What concepts of a question may be compared by: those that its text has, and each of its
    words and runs of words, for a question often has them in another place than a statement."""
    found = {concept.key: None for concept in in_text(question)}
    said = words(question)
    for size in range(LONGEST, 0, -1):
        for place in range(len(said) - size + 1):
            run = said[place : place + size]
            if run[0] in STOP_WORDS or run[-1] in STOP_WORDS or run[-1] == USER:
                continue
            found[concept_key(" ".join(run))] = None
    return list(found)[:SEEDS]


def first_step(degrees: Mapping[int, int], about: Iterable[tuple[int, int]]) -> dict[int, float]:
    """The scores of the entries that are about the concepts of the question. ``degrees``: how many
    entries are about each of these; ``about``: (concept, entry)."""
    weights = {concept: 1.0 / degree for concept, degree in degrees.items() if degree}
    total = sum(weights.values()) or 1.0
    scores: dict[int, float] = defaultdict(float)
    for concept, entry in about:
        if concept in weights:
            scores[entry] += weights[concept] / total / degrees[concept]
    return dict(scores)


def onward(
    scores: Mapping[int, float], about: Sequence[tuple[int, int]], seeds: Iterable[int]
) -> dict[int, float]:
    """How much of the scores of entries goes on to the other concepts that they are about.
    ``about``: (entry, concept) of all of them."""
    ways: dict[int, int] = defaultdict(int)
    for entry, _ in about:
        ways[entry] += 1
    known = set(seeds)
    found: dict[int, float] = defaultdict(float)
    for entry, concept in about:
        if concept not in known:
            found[concept] += DAMPING * scores.get(entry, 0.0) / ways[entry]
    return dict(found)


def second_step(
    scores: Mapping[int, float],
    weights: Mapping[int, float],
    degrees: Mapping[int, int],
    about: Iterable[tuple[int, int]],
) -> dict[int, float]:
    """The scores of entries with what reaches them through other concepts."""
    found = dict(scores)
    for concept, entry in about:
        if degrees.get(concept):
            more = weights.get(concept, 0.0) / degrees[concept]
            found[entry] = found.get(entry, 0.0) + more
    return found
