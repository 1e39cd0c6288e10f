"""Personalised spreading: from the concepts of a question to entries, at most two steps away.

A random walk that starts at the concepts of the question and soon stops finds entries connected
with them that share no word with the question (personalised PageRank over a graph of phrases and
passages, with rare phrases weighted higher: HippoRAG, Gutiérrez et al. 2024, arXiv:2405.14831).
Instead of walking, two steps are computed exactly: concept → entries about it, and → their other
concepts → entries about those. Each step is divided by the number of possible ways, so that a
concept of half the store leads nowhere in particular.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from thalamus.policy.concept_names import concept_key
from thalamus.policy.concepts import in_text
from thalamus.policy.entities import USER
from thalamus.text.tokens import words
from thalamus.text.word_lists import STOP_WORDS

DAMPING = 0.5  # share of a score passed on to the second step
LONGEST = 3  # words of a question that may form one concept
SEEDS = 64  # concepts of a question at most


def seed_keys(question: str) -> list[str]:
    """Keys of possible concepts of a question: those found in its text, and each of its words and
    word sequences, since a question often uses another order than a statement."""
    found = {concept.key: None for concept in in_text(question)}
    tokens = words(question)
    for size in range(LONGEST, 0, -1):
        for place in range(len(tokens) - size + 1):
            run = tokens[place : place + size]
            if run[0] in STOP_WORDS or run[-1] in STOP_WORDS or run[-1] == USER:
                continue
            found[concept_key(" ".join(run))] = None
    return list(found)[:SEEDS]


def first_step(degrees: Mapping[int, int], about: Iterable[tuple[int, int]]) -> dict[int, float]:
    """Scores of the entries about the concepts of the question. ``degrees``: number of entries
    about each concept; ``about``: (concept, entry)."""
    weights = {concept: 1.0 / degree for concept, degree in degrees.items() if degree}
    total = sum(weights.values()) or 1.0
    scores: dict[int, float] = defaultdict(float)
    for concept, entry in about:
        if concept in weights:
            scores[entry] += weights[concept] / total / degrees[concept]
    return dict(scores)


def spread(
    scores: Mapping[int, float], about: Sequence[tuple[int, int]], seeds: Iterable[int]
) -> dict[int, float]:
    """Scores passed on from entries to their other concepts. ``about``: (entry, concept) of all
    entries."""
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
    """Scores of entries including those received through other concepts."""
    found = dict(scores)
    for concept, entry in about:
        if degrees.get(concept):
            more = weights.get(concept, 0.0) / degrees[concept]
            found[entry] = found.get(entry, 0.0) + more
    return found
