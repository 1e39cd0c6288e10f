"""How a new memory stands to those that are there: by its words, and by its vector.

Words decide, for they show what differs: a name, a number, a "not". Vectors of short sentences
about like things ("likes cats", "likes dogs") are near each other whatever they say, so a near
vector alone only makes a memory less novel, and never the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from thalamus.policy.negation import NEGATIONS, negated
from thalamus.text.names import names, numbers
from thalamus.text.tokens import COMMON, Forms, content_words, similar, words

if TYPE_CHECKING:
    from thalamus.records import Memory

_FRAME = frozenset("user user's users assistant person".split())
# Words that add nothing to a statement
_PLAIN = frozenset("really also very currently now still always currently nowadays just".split())
_WAYS = frozenset("from to with without before after for by over under until since than".split())
_MOODS = {
    **dict.fromkeys("was were had used formerly".split(), "past"),
    **dict.fromkeys("will shall going plans wants hopes".split(), "future"),
    **dict.fromkeys("would could might may should if maybe perhaps probably".split(), "unsure"),
    **{word: word for word in "only all some few most more both each too".split()},
}
_CAPITAL = re.compile(r"\b[^\W\d_a-z][\w'’-]*")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class Neighbour:
    """A memory that is there, and how near it is. ``cosine``: that of the vectors, ``background``
    that of any two texts of the store; ``recalled``: it was in the prompt of this turn."""

    memory: Memory
    cosine: float | None = None
    background: float = 0.0
    recalled: bool = False

    @property
    def closeness(self) -> float:
        """The cosine above what any text has in common, as a share of what is possible."""
        if self.cosine is None or self.background >= 1:
            return 0.0
        above = (self.cosine - self.background) / (1 - self.background)
        return min(1.0, max(0.0, above))


@lru_cache(maxsize=1024)  # each memory is compared with many
def bearing(content: str) -> tuple[str, ...]:
    """The words of a statement, without negations and filling, in order."""
    return tuple(
        word
        for word in content_words(content)
        if word not in _FRAME and word not in NEGATIONS and word not in _PLAIN
    )


@lru_cache(maxsize=1024)
def covered(content: str, by: str) -> float:
    """The share of the statement's words that another one has a form of."""
    said = bearing(content)
    if not bearing(by):
        return 0.0
    return sum(map(_bearing_forms(by).has, said)) / len(said) if said else 1.0


@lru_cache(maxsize=1024)
def _bearing_forms(content: str) -> Forms:
    return Forms(bearing(content))


@lru_cache(maxsize=1024)  # it is asked for several reasons
def exact(content: str, by: str) -> bool:
    """Whether every word, name and number of ``content`` stands in ``by``, in the same mood and
    not the other way round ("Ana told Bo", "from Porto to Lisbon")."""
    mine, theirs = bearing(content), bearing(by)
    if not mine or not theirs:
        return words(content) == words(by)
    if not all(_has(word, theirs) for word in mine):  # first, for so it is of most
        return False
    named = {word for name in names(content) for word in content_words(name)} - _FRAME
    if set(numbers(content)) - set(numbers(by)) or not named <= set(words(by)):
        return False
    if _moods(content) != _moods(by) or (mine[:1] != theirs[:1] and not _has(mine[0], theirs[:1])):
        return False
    where, there = _directions(content), _directions(by)
    turned = any(there.get(word, way) != way for word, way in where.items())
    return not turned and _in_order(_names(content), _names(by))


def _has(word: str, theirs: Sequence[str]) -> bool:
    """A form of the word; "liked" is not one of "likes"."""
    singular, begins = _forms(tuple(theirs))
    past = word.endswith("ed")
    return word.removesuffix("s") in singular or any(
        similar(word, other) and other.endswith("ed") == past
        for other in begins.get(word[:COMMON], ())
    )


@lru_cache(maxsize=1024)
def _forms(theirs: tuple[str, ...]) -> tuple[frozenset[str], dict[str, list[str]]]:
    """Words without a last s, and words by how they begin: only such can be similar."""
    begins: dict[str, list[str]] = {}
    for word in theirs:
        begins.setdefault(word[:COMMON], []).append(word)
    return frozenset(word.removesuffix("s") for word in theirs), begins


def _moods(content: str) -> frozenset[str]:
    """What changes a statement without being part of it: might, was, only, if …"""
    said = [word.casefold() for word in _WORD.findall(content) if word != "May"]
    return frozenset(_MOODS[word] for word in said if word in _MOODS)


def _directions(content: str) -> dict[str, str]:
    """Each word behind a preposition that says which way, with that preposition."""
    said = [word for word in words(content) if word not in ("the", "a", "an", "his", "her")]
    return {word: way for way, word in pairwise(said) if way in _WAYS}


def _names(content: str) -> list[str]:
    return [word.casefold() for word in _CAPITAL.findall(content) if content_words(word)]


def _in_order(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether these come in the same order among the others, as far as they are there."""
    rest = iter(others)
    return all(word in rest for word in some if word in others)


def says_same(one: str, other: str) -> bool:
    """Whether two statements say the same, whatever the words around it."""
    return exact(one, other) and exact(other, one) and negated(one) == negated(other)


def says_within(one: str, other: str) -> bool:
    """Whether ``other`` says all that ``one`` does, and perhaps more."""
    return exact(one, other) and negated(one) == negated(other)


def likeness(content: str, neighbour: Neighbour) -> float:
    """0..1: how much of a statement the neighbour has, by words or by vector."""
    other = neighbour.memory.content
    by_words = min(covered(content, other), max(covered(other, content), 0.5))
    return round(max(by_words, neighbour.closeness), 4)


def novelty(content: str, neighbours: Sequence[Neighbour]) -> float:
    """0..1: how little of a statement is there already."""
    return round(1 - max((likeness(content, near) for near in neighbours), default=0.0), 4)
