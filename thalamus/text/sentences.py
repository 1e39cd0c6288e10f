"""Sentences of a text, in any language: the one place that knows where a sentence ends.

A full stop ends none after an abbreviation, an initial, an ordinal ("am 14. November") or the
number of a list: two sentences taken for one do less harm than half of one.
"""

from __future__ import annotations

import re

from thalamus.text.analyzer import fold
from thalamus.text.calendar import calendar
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.word_lists import ABBREVIATIONS, BEFORE_NUMBERS, DETERMINERS

CLOSERS = "\"'”’»)]}」』）〉》*_"
_CLOSING = re.escape(CLOSERS)
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff"  # Japanese and Chinese have no space after a mark
_END = lazy_regex(
    rf"(?P<mark>[.!?…]+)[{_CLOSING}]*(?=[\s{_UNSPACED}])\s*"
    rf"|[。！？｡।॥؟۔]+[{_CLOSING}]*\s*|\n[ \t]*\n\s*"
)
_OPENERS = "\"'“‘«([{*_-–—¿¡„"
_FIRST_WORD = lazy_regex(r"\w+")
_ORDINAL = 2  # digits of an ordinal, at most


def sentences(text: str) -> list[str]:
    """Sentences and lines of a text, unchanged. In casual writing a lower-case letter starts a
    sentence too."""
    return [
        line[start:end]
        for line in text.splitlines()
        for start, end in sentence_spans(line, casual=True)
    ]


def sentence_spans(text: str, casual: bool = False) -> list[tuple[int, int]]:
    """Spans of the sentences of ``text`` as (start, end), without the white space between them.

    Blank lines end a sentence, line breaks do not. A lower-case letter starts a sentence only in
    ``casual`` writing.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for found in _END.finditer(text):
        if found["mark"] and not _ends_sentence(text, found, start, casual):
            continue
        spans.append((start, found.end()))
        start = found.end()
    spans.append((start, len(text)))
    trimmed = (trimmed_span(text, a, b) for a, b in spans)
    return [(a, b) for a, b in trimmed if a < b]


def trimmed_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends; empty if there is nothing else."""
    while start < end and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _ends_sentence(text: str, found: re.Match[str], start: int, casual: bool) -> bool:
    following = text[found.end() : found.end() + 24].lstrip(_OPENERS)
    closed = not found[0].rstrip().endswith(found["mark"])  # "Stop!" he said
    if following[:1].islower() and (closed or not casual):
        return False
    if found["mark"] != ".":
        return True
    before = text[max(start, found.start() - 24) : found.start()].split()
    word = before[-1].lstrip(_OPENERS) if before else ""
    if word.isdigit():
        is_item = not text[start : found.start() - len(word)].strip()  # "1. Open it"
        return len(word) > _ORDINAL or not (is_item or _is_ordinal(before[:-1], following))
    if following[:1].isdigit() and fold(word) in BEFORE_NUMBERS:
        return False
    initial = len(word) == 1 and word.isascii() and word.isalpha()
    dotted = "." in word and all(len(part) == 1 and part.isalpha() for part in word.split("."))
    return not (initial or dotted or fold(word) in ABBREVIATIONS)


def _is_ordinal(before: list[str], following: str) -> bool:
    """True for a number between these words that is a day ("14. November") or stands after a
    German article ("der 3. Versuch"): German writes the noun after it with a capital."""
    month = _FIRST_WORD.match(following)
    if month and calendar().month(month[0].lower()) is not None:
        return True
    return bool(before) and fold(before[-1]) in DETERMINERS["de"]
