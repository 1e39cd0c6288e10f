"""Kinds of things that the grammar tells apart by word: occupations, animals, illnesses …

The words stand with their languages; an object is looked up in all of them.
"""

from __future__ import annotations

import re

from thalamus.policy.language.english import word_classes as english
from thalamus.policy.language.french import word_classes as french
from thalamus.policy.language.german import word_classes as german
from thalamus.policy.language.portuguese import word_classes as portuguese
from thalamus.policy.language.romance import word_classes as romance
from thalamus.policy.language.spanish import word_classes as spanish

DEMONYMS = english.DEMONYMS
_LANGUAGES = (english, german, spanish, french, portuguese)
_OCCUPATIONS = frozenset().union(*(one.OCCUPATIONS for one in _LANGUAGES))
_LASTING = frozenset().union(*(one.LASTING for one in _LANGUAGES))
_PLAIN_WORD = re.compile(r"[^\W\d_][\w'-]*")


def is_occupation(object: str) -> bool:
    """Whether a noun phrase names an occupation: its last word does ("paediatric nurse")."""
    words = _PLAIN_WORD.findall(object.casefold())
    return (
        bool(words)
        and len(words) <= 5
        and english.GRADED.isdisjoint(words)
        and (
            english.OCCUPATION_ENDINGS.search(words[-1]) is not None
            or any(
                word in _OCCUPATIONS
                or word.removesuffix("in") in _OCCUPATIONS  # German: Schornsteinfegerin
                or german.is_trade(word)
                or _has_romance_ending(word)
                for word in words[-1:] + words[:1]
            )
        )
    )


def _has_romance_ending(word: str) -> bool:
    named = romance.OCCUPATION_ENDINGS.match(word) is not None
    return named and word not in romance.NO_OCCUPATIONS


def is_animal_or_illness(object: str) -> bool:
    """Whether "I have X" says something lasting: family, an animal, a home, an illness."""
    words = _PLAIN_WORD.findall(object.casefold())
    if re.match(r"(?:an?\s+)?(?:19|20)\d\d\s+[A-Z]", object):
        return True  # a car by its year
    if (
        words and (words[0] == "been" or (words[0].endswith("ed") and len(words) > 1))
    ) or "to" in words:
        return False  # "I have wanted to have a garden": no thing, but a tense
    if not english.TAUGHT.isdisjoint(words):
        return False  # "piano lessons every Saturday"
    if "called" in words or "named" in words:
        return False  # the name is what matters, and a frame of its own finds it
    if not words or len(words) > 6:
        return False
    return (
        any(word in _LASTING for word in (words[-1], words[0]))
        or is_romance_illness(object)
        or is_illness(object)
    )


def is_romance_illness(object: str) -> bool:
    """Whether a Romance word or phrase names an illness by its form: "rinitis", "síndrome de …"."""
    words = _PLAIN_WORD.findall(object.casefold())
    return bool(words) and (
        romance.ILLNESS_NAMES.match(object) is not None
        or romance.ILLNESS_ENDINGS.match(words[0]) is not None
    )


def is_illness(object: str) -> bool:
    """Whether a phrase names an illness that lasts."""
    return english.ILLNESSES.search(object) is not None and len(object.split()) <= 4


def is_medicine(object: str) -> bool:
    """Whether a word names a medicine."""
    return (
        english.MEDICINES.match(object) is not None
        or romance.MEDICINES.match(object) is not None
        or german.is_medicine(object)
    )


def has_capital(object: str) -> bool:
    """Whether a phrase holds a name."""
    return any(word[0].isupper() for word in _PLAIN_WORD.findall(object))


def is_trait(object: str) -> bool:
    """Whether a word says what somebody lastingly is: vegan, left-handed, divorced."""
    return (
        english.TRAITS.match(object) is not None
        or romance.TRAITS.match(object) is not None
        or german.is_trait(object)
    )


def is_possession(object: str) -> bool:
    """Whether a phrase names something that people own for long."""
    return len(object.split()) <= 7 and (
        english.OWNED.search(object) is not None
        or re.match(r"(?:an?\s+)?(?:19|20)\d\d\s+(?-i:[A-Z])", object) is not None
    )


def is_demonym(object: str) -> bool:
    """Whether a word says of which country somebody is."""
    return object.casefold() in DEMONYMS
