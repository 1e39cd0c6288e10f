"""Search for a quote in its source: exact except for case, accents, white space and quotation
marks, or aligned when a model did not copy it literally.

The alignment is the longest common subsequence of words, as in langextract's resolver: at least
three quarters of the quote, and close together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations_with_replacement

from msgspec import Struct

from thalamus.text.analyzer import MARKS, RUN, fold
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.names import is_cased

ENOUGH = 0.75  # share of a quote's words found in its source, in order
SPREAD = 1.6  # times the length of the quote within which they must lie
_QUOTATION_MARKS = str.maketrans(dict.fromkeys("“”„‟«»″", '"') | {"`": "'"})
# a character with its marks, or white space
_LETTER = lazy_regex(f"\\s+|.(?:(?![^\\W_])[{MARKS}])*", re.DOTALL)
# characters of scripts without spaces, and words, in the scripts of India with their vowels
_TOKEN = lazy_regex(f"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|{RUN}")
_PAIRS = '"" “” “" „“ „” „" «» »« ‹› ›‹ ”” 「」 『』 ‚‘'.split()
MARKED = lazy_regex(
    "|".join(f"{pair[0]}[^{pair}\n]{{2,}}{pair[1]}" for pair in _PAIRS)
    + r"|(?<!\w)['‘](?:[^'’‘\n]|(?<=\w)['’](?=\w)){2,}['’](?!\w)"
)
ENDS = ".!?…。！？"  # ends of sentences
_OPENING, _CLOSING = "([（［", ")]）］"
_EDGES = " \t\n.,;:!?…。、，！？\"'()[]-–—*_「」『』‹›"


class Span(Struct, frozen=True):
    """A part of a text, from ``start`` to before ``end``."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The text in the span."""
        return text[self.start : self.end]

    def with_end(self, text: str) -> str:
        """The text in the span, with directly following punctuation that ends a sentence, and the
        brackets that close those opened in it."""
        own, end = self.of(text), self.end
        open_ones = sum(map(own.count, _OPENING)) - sum(map(own.count, _CLOSING))
        while end < len(text) and (text[end] in ENDS or (open_ones > 0 and text[end] in _CLOSING)):
            open_ones -= text[end] in _CLOSING
            end += 1
        return text[self.start : end]

    def within(self, spans: Iterable[Span]) -> bool:
        """True if it lies in one of the others."""
        return any(other.start <= self.start and self.end <= other.end for other in spans)

    def overlaps(self, other: Span) -> bool:
        """True if the two have a position in common."""
        return self.start < other.end and other.start < self.end


class _Folded(Struct, frozen=True):
    """A text normalized for comparison, with the start and end in the original of each of its
    characters, and its words with their positions."""

    text: str
    starts: list[int]
    ends: list[int]
    tokens: list[tuple[str, int, int]]

    def span(self, start: int, end: int) -> Span:
        """Part of the original for a part of the normalized text."""
        return Span(self.starts[start], self.ends[end - 1])


def find(quote: str, source: str) -> Span | None:
    """The part of ``source`` that a quote copies, to the end of its last word; None if there is
    none."""
    folded, folded_quote = _folded(source), _folded(quote).text.strip(_EDGES)
    if not folded_quote:
        return None
    start = folded.text.find(folded_quote)
    while start >= 0:
        if not _is_inside(folded.text, start):
            return folded.span(start, _word_end(folded.text, start + len(folded_quote)))
        start = folded.text.find(folded_quote, start + 1)
    return _aligned(folded_quote, folded)


def _is_inside(text: str, place: int) -> bool:
    """True if a position is inside a word or a number. In scripts without capitals other words may
    be attached before a word, or there are no spaces."""
    if place == 0 or place == len(text):
        return False
    one, other = text[place - 1], text[place]
    if one.isdigit() or other.isdigit():
        return one.isdigit() and other.isdigit()
    return one.isalpha() and other.isalpha() and is_cased(other)


def _word_end(text: str, place: int) -> int:
    while _is_inside(text, place):
        place += 1
    return place


def _aligned(quote: str, source: _Folded) -> Span | None:
    """The part with most words of the quote, in order and close together."""
    quote_words = _TOKEN.findall(quote)
    if len(quote_words) < 2:
        return None
    source_words = source.tokens
    matcher = SequenceMatcher(
        None, [token for token, _, _ in source_words], quote_words, autojunk=False
    )
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    best, least = None, ENOUGH * len(quote_words)
    for first, last in combinations_with_replacement(range(len(blocks)), 2):
        found = sum(block.size for block in blocks[first : last + 1])
        begin, end = blocks[first].a, blocks[last].a + blocks[last].size
        if found >= least and end - begin <= SPREAD * len(quote_words) + 1:
            best, least = (begin, end), found + 1
    return (
        None
        if best is None
        else source.span(source_words[best[0]][1], source_words[best[1] - 1][2])
    )


@lru_cache(maxsize=64)  # each quote of a reply is searched for in the same few texts
def _folded(text: str) -> _Folded:
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _LETTER.finditer(text):
        for letter in " " if match.group().isspace() else _folded_letter(match.group()):
            if letter == " " and letters[-1:] == [" "]:
                continue
            letters.append(letter)
            starts.append(match.start())
            ends.append(match.end())
    folded = "".join(letters)
    tokens = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(folded)]
    return _Folded(folded, starts, ends, tokens)


@lru_cache(maxsize=4096)
def _folded_letter(letter: str) -> str:
    return fold(letter.translate(_QUOTATION_MARKS))
