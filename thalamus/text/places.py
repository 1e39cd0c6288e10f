"""Names of places: larger cities, countries, states of the USA and continents, in their own
spelling and in the languages of the plain frames (``data/places.txt``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from thalamus import data
from thalamus.text.analyzer import fold

MOST_WORDS = 4  # of a place that is looked for


def with_capitals(text: str, language: str) -> str:
    """A text with a capital for each place that it writes without one, unless the name is a common
    word of the language as well ("nice"). Words are separated by single spaces."""
    words = text.split(" ")
    for start, word in enumerate(words):
        for end in range(start + MOST_WORDS, start, -1) if word.islower() else ():
            part = " ".join(words[start:end])
            written = part.rstrip(",;!)")
            name = _names(language).get(fold(written)) if written.isprintable() else None
            if name is not None:
                words[start:end] = (_cased(written, name) + part[len(written) :]).split(" ")
                break
    return " ".join(words)


def _cased(text: str, name: str) -> str:
    """The text with the capitals of a name, from which it may differ by accents."""
    if len(text) != len(name):
        return name
    return "".join(a.upper() if b.isupper() else a for a, b in zip(text, name, strict=True))


@cache
def _names(language: str) -> Mapping[str, str]:
    """The names that are no common words of a language, by their folded forms."""
    lines = data.read("places.txt").decode().splitlines()
    rows = (line.partition("\t") for line in lines if not line.startswith("#"))
    return {fold(name): name for name, _, common in rows if language not in common.split()}
