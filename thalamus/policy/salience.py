"""Salience of a memory: its kind, importance, specificity, source and length.

A weighted sum from 0 to 1. It is cheap, because it is computed for every stored memory, also in
bulk.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.text.analyzer import fold
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.word_lists import SMALL_TALK, SPEAKERS, STOP_WORDS

if TYPE_CHECKING:
    from thalamus.records import Memory

LEAST = 0.2  # salience below which a memory from a reflection is ignored
WEIGHTS = {"kind": 0.3, "importance": 0.25, "specific": 0.25, "words": 0.1, "length": 0.1}
KINDS = {
    "user_identity": 1.0,
    "assistant_identity": 1.0,
    "persona": 1.0,
    "relationship": 0.8,
    "project": 0.75,
    "preference": 0.7,
    "goal": 0.7,
    "event": 0.6,
    "skill": 0.6,
    "topic_of_interest": 0.5,
    "observation": 0.3,
}
OTHER_KIND = 0.5  # for custom kinds
IMPORTANCE = {"low": 0.2, "medium": 0.5, "high": 1.0}
SPECIFICS = 3  # names, numbers and dates; more add nothing
ENOUGH_WORDS = 8  # content words; a longer text adds nothing

_NUMBER = re.compile(r"\d+")
# the lookbehinds come last, since few characters get so far
_NAME = lazy_regex(r"\b[^\W\d_a-z](?<![.!?]\s.)(?<!^.)[\w'’-]+")
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = lazy_regex("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_PREFIX = 400  # characters: a long text is specific enough at its beginning
_FRAME = SPEAKERS | {"s"}  # the word behind an apostrophe


class Salience(Struct, frozen=True):
    """The score from 0 to 1 and its weighted parts."""

    score: float
    parts: dict[str, float]

    def __str__(self) -> str:
        """The score with its parts, the strongest first: ``0.62: kind 0.30, importance 0.25 …``."""
        parts = sorted(self.parts.items(), key=lambda part: -part[1])
        return f"{self.score:.2f}: " + ", ".join(f"{name} {part:.2f}" for name, part in parts)


def salience(memory: Memory) -> Salience:
    """Scores a memory by its own content and fields."""
    begins = memory.content[:_PREFIX]
    words = (word[0] for word in _WORD.finditer(fold(begins)))
    bearing = sum(1 for _ in islice((w for w in words if w not in STOP_WORDS), ENOUGH_WORDS))
    if not begins.isascii():
        bearing += len(_UNSPACED.findall(begins)) // 2
    specific = len(set(_NAME.findall(begins)) - {"I"}) + len(_NUMBER.findall(begins))
    quoted = memory.provenance is not None and memory.provenance.quote is not None
    levels = {
        "kind": KINDS.get(memory.type, OTHER_KIND),
        "importance": IMPORTANCE[memory.importance],
        "specific": min(specific, SPECIFICS) / SPECIFICS,
        "words": memory.trust * (1.0 if quoted else 0.7),
        "length": min(bearing, ENOUGH_WORDS) / ENOUGH_WORDS,
    }
    parts = {name: round(WEIGHTS[name] * level, 4) for name, level in levels.items()}
    return Salience(round(min(1.0, sum(parts.values())), 4), parts)


def small_talk(content: str) -> bool:
    """True if a text is only a greeting, thanks or assent."""
    words = [
        word
        for word in _WORD.findall(fold(content))
        if word not in STOP_WORDS and word not in _FRAME
    ]
    return not words or all(word in SMALL_TALK for word in words)
