"""Finding a quote in its source: exactly, but for case, white space and quotation marks, or aligned
where a model did not copy it letter by letter.

The alignment is the longest common subsequence of words, as in langextract's resolver: at least
three quarters of the quote, and close together.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

ENOUGH = 0.75  # share of a quote's words that stand in its source, in their order
SPREAD = 1.6  # times the length of the quote over which they may be spread
_MARKS = str.maketrans(dict.fromkeys("‘’‚‛`´ʼ′＇", "'") | dict.fromkeys("“”„‟«»″＂", '"'))
_TOKEN = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\\W_]+")
_EDGES = " \t\n.,;:!?…。、，！？\"'()[]-–—*_"


class Span(NamedTuple):
    """A part of a text, from ``start`` to before ``end``."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words themselves."""
        return text[self.start : self.end]

    def within(self, others: Iterable[Span]) -> bool:
        """Whether it lies in one of the others."""
        return any(other.start <= self.start and self.end <= other.end for other in others)

    def overlaps(self, other: Span) -> bool:
        """Whether the two have a place in common."""
        return self.start < other.end and other.start < self.end


class _Folded(NamedTuple):
    """A text in the form in which it is compared, and the place of each character in the text."""

    text: str
    places: list[int]


def find(quote: str, source: str) -> Span | None:
    """The part of ``source`` that a quote copies; None where there is none."""
    folded, wanted = _folded(source), _folded(quote).text.strip(_EDGES)
    if not wanted:
        return None
    start = folded.text.find(wanted)
    if start >= 0:
        return Span(folded.places[start], folded.places[start + len(wanted) - 1] + 1)
    return _aligned(wanted, folded)


def _aligned(quote: str, source: _Folded) -> Span | None:
    """The part that has most words of the quote, in their order."""
    wanted = _TOKEN.findall(quote)
    there = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(source.text)]
    matcher = SequenceMatcher(None, [token for token, _, _ in there], wanted, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    found = sum(block.size for block in blocks)
    if len(wanted) < 2 or found < ENOUGH * len(wanted):
        return None
    first, last = blocks[0].a, blocks[-1].a + blocks[-1].size
    if last - first > SPREAD * len(wanted) + 1:
        return None
    return Span(source.places[there[first][1]], source.places[there[last - 1][2] - 1] + 1)


@lru_cache(maxsize=64)  # each quote of a reply is looked for in the same few texts
def _folded(text: str) -> _Folded:
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        if unicodedata.category(letter) == "Cf":  # zero width and the like
            continue
        for folded in unicodedata.normalize("NFKC", letter).casefold().translate(_MARKS):
            if folded.isspace():
                if letters and letters[-1] == " ":
                    continue
                folded = " "
            letters.append(folded)
            places.append(place)
    return _Folded("".join(letters), places)
