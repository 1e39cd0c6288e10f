"""Comparison of statements by their words.

``share_said``: share of a statement contained in another text, in any forms of its words and any
order. ``says_within`` and ``says_same``: true for an identical statement, where a name, a number, a
"not", a "would" or the order of two names makes a difference. Callers define the share above which
two texts count as the same, each with a constant of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from thalamus.text.analyzer import WORD, composed, fold, words
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.names import names, numbers
from thalamus.text.tokens import COMMON, Forms, content_words, similar
from thalamus.text.word_lists import DETERMINERS, DIRECTIONS, FILLERS, MOODS, NEGATIONS, SPEAKERS

LONG = 4096  # characters of a text, above which its words are not cached

_CAPITAL = lazy_regex(r"\b[^\W\d_a-z][\w'’-]*")


@lru_cache(maxsize=1024)  # each is compared with many
def statement_words(content: str) -> tuple[str, ...]:
    """Distinct words of a statement, in order: its content words without fillers and without the
    words for the speakers."""
    found = dict.fromkeys(content_words(content))
    return tuple(word for word in found if word not in SPEAKERS and word not in FILLERS)


def share_said(statement: str, text: str) -> float:
    """Share (0..1) of a statement's words of which a text has a form; 0.0 for a statement without
    words."""
    own_words = statement_words(statement)
    if not own_words:
        return 0.0
    forms = _text_forms(text) if len(text) < LONG else Forms(words(text))
    return sum(map(forms.has, own_words)) / len(own_words)


def says_same(one: str, other: str) -> bool:
    """True if two statements are the same: each contains the other."""
    return _says_all(one, other) and _says_all(other, one) and negated(one) == negated(other)


def says_within(one: str, other: str) -> bool:
    """True if ``other`` contains the statement ``one``, and perhaps more."""
    return _says_all(one, other) and negated(one) == negated(other)


@lru_cache(maxsize=1024)
def negated(content: str) -> bool:
    """True if a statement denies something."""
    return not NEGATIONS.isdisjoint(words(content))


# -- word for word ---------------------------------------------------------------------------------


@lru_cache(maxsize=1024)  # called for several reasons
def _says_all(content: str, by: str) -> bool:
    """True if ``by`` contains every word, name and number of ``content``, in the same mood and not
    reversed ("Ana told Bo", "from Porto to Lisbon")."""
    own_words, other_words = _positive_words(content), _positive_words(by)
    if not own_words or not other_words:
        return words(content) == words(by)
    if not all(_has(word, other_words) for word in own_words):  # first, because it fails for most
        return False
    named = {word for name in names(composed(content)) for word in content_words(name)} - SPEAKERS
    if set(numbers(content)) - set(numbers(by)) or not named <= set(words(by)):
        return False
    if _moods(content) != _moods(by) or (
        own_words[:1] != other_words[:1] and not _has(own_words[0], other_words[:1])
    ):
        return False
    own_directions, other_directions = _directions(content), _directions(by)
    turned = any(other_directions.get(word, way) != way for word, way in own_directions.items())
    return not turned and _in_order(_names(content), _names(by))


@lru_cache(maxsize=1024)
def _positive_words(content: str) -> tuple[str, ...]:
    """Words of a statement without its negations, which are compared separately."""
    return tuple(word for word in statement_words(content) if word not in NEGATIONS)


def _has(word: str, among: tuple[str, ...]) -> bool:
    """True if words have a form of another one; "liked" is not one of "likes"."""
    singular, begins = _forms(among)
    past = word.endswith("ed")
    return word.removesuffix("s") in singular or any(
        similar(word, other) and other.endswith("ed") == past
        for other in begins.get(word[:COMMON], ())
    )


@lru_cache(maxsize=1024)
def _forms(among: tuple[str, ...]) -> tuple[frozenset[str], dict[str, list[str]]]:
    """Words without a final s, and words by their beginning: only those can be similar."""
    begins: dict[str, list[str]] = {}
    for word in among:
        begins.setdefault(word[:COMMON], []).append(word)
    return frozenset(word.removesuffix("s") for word in among), begins


@lru_cache(maxsize=1024)
def _text_forms(text: str) -> Forms:
    return Forms(words(text))


def _moods(content: str) -> frozenset[str]:
    """Words that change a statement without being part of it: might, was, only, if …"""
    found = [fold(word) for word in WORD.findall(content) if word != "May"]
    return frozenset(MOODS[word] for word in found if word in MOODS)


def _directions(content: str) -> dict[str, str]:
    """Each word after a preposition of direction, with that preposition."""
    found = [word for word in words(content) if word not in DETERMINERS["en"]]
    return {word: way for way, word in pairwise(found) if way in DIRECTIONS}


def _names(content: str) -> list[str]:
    return [fold(word) for word in _CAPITAL.findall(composed(content)) if content_words(word)]


def _in_order(some: Sequence[str], among: Sequence[str]) -> bool:
    """True if these come in the same order among the others, as far as they are present."""
    rest = iter(among)
    return all(word in rest for word in some if word in among)
