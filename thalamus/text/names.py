"""Names and numbers in a text, by what writing shows in any language: capitals inside a sentence,
and digits. A script without capitals shows no names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator

from thalamus.text.tokens import words

GERMAN_CAPITALS = 0.2  # share of words inside sentences with a capital from which those are no sign
GERMAN_CAPITALS_IN_FEW = 0.3  # the same of fewer words than
ENOUGH_WORDS = 15
LEAST_WORDS = 3  # inside sentences, from which on capitals are counted at all
_WORD = re.compile(r"(?<![^\W_])[^\W\d_](?:[^\W_]|['’\-](?=[^\W_]))*")
_SENTENCE_START = re.compile(
    r"(?:^|[.!?:…。！？\n]\s*|[\"“„«(\[]\s*)[\W\d_]*([^\W\d_](?:[^\W_]|['’\-](?=[^\W_]))*)"
)
_NUMBER = re.compile(r"\d+")


def names(text: str) -> list[str]:
    """The words with a capital that do not begin a sentence."""
    return [word for word in inside(text) if word[0].isupper()]


def capitalized(text: str) -> list[str]:
    """The words with a capital, wherever they stand."""
    return [word for word in _WORD.findall(text) if word[0].isupper()]


def inside(text: str) -> Iterator[str]:
    """The words of a text that do not begin a sentence."""
    first = {match.start(1) for match in _SENTENCE_START.finditer(text)}
    for match in _WORD.finditer(text):
        if match.start() not in first and not _is_pronoun(match.group()):
            yield match.group()


def capitals_are_names(text: str) -> bool:
    """Whether a capital inside a sentence of this text is a sign of a name: not in German, where
    every noun has one."""
    found = list(inside(text))
    capitals = sum(word[0].isupper() for word in found)
    least = GERMAN_CAPITALS if len(found) >= ENOUGH_WORDS else GERMAN_CAPITALS_IN_FEW
    return len(found) < LEAST_WORDS or capitals / len(found) < least


def numbers(text: str) -> list[str]:
    """The numbers in a text, in ASCII digits."""
    return _NUMBER.findall("".join(_digit(letter) for letter in text))


def folded_words(text: str) -> list[str]:
    """The words of a text in lower case, without accents and the 's of a possessive."""
    return bare(words(text))


def bare(found: Iterable[str]) -> list[str]:
    """Words without accents and without the 's of a possessive."""
    return [_without_accents(re.sub(r"['’]s?$", "", word)) for word in found]


def stands(name: str, among: Collection[str]) -> bool:
    """Whether a form of a name is among folded words: one with the same beginning, for names are
    inflected."""
    for part in folded_words(name):
        if part in among:
            continue
        begin = part[: max(3, -(-len(part) * 3 // 5))]
        if len(part) < 3 or not any(
            word.startswith(begin) and abs(len(word) - len(part)) <= 4 for word in among
        ):
            return False
    return True


def is_cased(letter: str) -> bool:
    """Whether a letter is of a script with capitals."""
    return letter.lower() != letter.upper()


def _is_pronoun(word: str) -> bool:
    """Whether a word is written with a capital without being a name: I, I'm."""
    return word.split("'")[0].split("’")[0] == "I"


def _digit(letter: str) -> str:
    value = unicodedata.digit(letter, None) if letter.isdigit() else None
    return letter if value is None else str(value)


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
