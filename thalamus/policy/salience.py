"""Salience of a memory: its kind, importance, specificity, source and length.

A weighted sum from 0 to 1. It is cheap, because it is computed for every stored memory, also in
bulk.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from thalamus.text.analyzer import fold, has_digit, only_letters
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.word_lists import SMALL_TALK, SPEAKERS, STOP_WORDS

if TYPE_CHECKING:
    from thalamus.records import Memory

LEAST = 0.2  # salience below which a memory from a reflection is ignored
WEIGHTS = (0.3, 0.25, 0.25, 0.1, 0.1)  # of kind, importance, specificity, source and length
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

# a pattern that begins with a set of characters is found several times faster
_NUMBER = re.compile(r"\d\d*")
# a capital, or a letter outside ASCII
_NAME = lazy_regex(r"[^\x00-@\[-\x7f](?<=[^\W\d_])(?<!\w.)(?<![.!?]\s.)(?<!^.)[\w'’-]+")
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = lazy_regex("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_PREFIX = 400  # characters: a long text is specific enough at its beginning
_FRAME = SPEAKERS | {"s"}  # the word behind an apostrophe


def salience(memory: Memory) -> float:
    """Score of a memory by its own content and fields, from 0 to 1."""
    begins = memory.content[:_PREFIX]
    words = only_letters(begins).split()
    bearing = len(words) - sum(map(STOP_WORDS.__contains__, words))
    if not begins.isascii():
        bearing += len(_UNSPACED.findall(begins)) // 2
    specific = len(set(_NAME.findall(begins)) - {"I"})
    if has_digit(begins):
        specific += len(_NUMBER.findall(begins))
    quoted = memory.provenance is not None and memory.provenance.quote is not None
    return _weighted(
        KINDS.get(memory.type, OTHER_KIND),
        IMPORTANCE[memory.importance],
        min(specific, SPECIFICS) / SPECIFICS,
        memory.trust * (1.0 if quoted else 0.7),
        min(bearing, ENOUGH_WORDS) / ENOUGH_WORDS,
    )


@lru_cache(maxsize=1024)  # many memories are on the same levels
def _weighted(*levels: float) -> float:
    parts = [round(weight * level, 4) for weight, level in zip(WEIGHTS, levels, strict=True)]
    return round(min(1.0, sum(parts)), 4)


def small_talk(content: str) -> bool:
    """True if a text is only a greeting, thanks or assent."""
    words = [
        word
        for word in _WORD.findall(fold(content))
        if word not in STOP_WORDS and word not in _FRAME
    ]
    return not words or all(word in SMALL_TALK for word in words)
