"""Salience of a memory by itself: its kind, importance, how specific it is, whose words.

A weighted sum in 0..1. Cheap: it is computed for every memory that is stored, also in bulk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thalamus.text.word_lists import SMALL_TALK, SPEAKERS, STOP_WORDS

if TYPE_CHECKING:
    from thalamus.records import Memory

LEAST = 0.2  # below it a memory out of a reflection is too little to keep
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
OTHER_KIND = 0.5  # a kind of one's own
IMPORTANCE = {"low": 0.2, "medium": 0.5, "high": 1.0}
SPECIFICS = 3  # names, numbers and dates from which on more add nothing
ENOUGH_WORDS = 8  # words from which on a longer text matters no more

_NUMBER = re.compile(r"\d+")
# what stands before it is looked at last: few characters get so far
_NAME = re.compile(r"\b[^\W\d_a-z](?<![.!?]\s.)(?<!^.)[\w'’-]+")
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_FRAME = SPEAKERS | {"s"}  # the word behind an apostrophe
_LOOKED_AT = 400  # characters: a long text is specific enough in its beginning


@dataclass(frozen=True)
class Salience:
    """The score in 0..1 and the parts that it is the weighted sum of."""

    score: float
    parts: dict[str, float]

    def __str__(self) -> str:
        """In words, the strongest part first: ``0.62: kind 0.30, importance 0.25 …``."""
        parts = sorted(self.parts.items(), key=lambda part: -part[1])
        return f"{self.score:.2f}: " + ", ".join(f"{name} {part:.2f}" for name, part in parts)


def salience(memory: Memory) -> Salience:
    """Scores a memory by what it says about itself."""
    begins = memory.content[:_LOOKED_AT]
    words = [word for word in _WORD.findall(begins.casefold()) if word not in STOP_WORDS]
    bearing = len(words)
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
        for word in _WORD.findall(content.casefold())
        if word not in STOP_WORDS and word not in _FRAME
    ]
    return not words or all(word in SMALL_TALK for word in words)
