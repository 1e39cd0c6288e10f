"""Splits a document into chunks at the boundaries that its author set.

Offsets count characters in the document's full text: its pages joined by a blank line
(``full_text``). So ``full_text[chunk.offset : chunk.offset + len(chunk.text)] == chunk.text``.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec import Struct

from thalamus.text.sentences import sentence_spans, trimmed_span

PAGE_JOINT = "\n\n"
Counter = Callable[[str], int]
Fits = Callable[[int, int], bool]


class Chunk(Struct, frozen=True):
    """A piece of a document; ``heading`` is the path of its section, such as ``Setup > Linux``."""

    text: str
    page: int
    offset: int
    heading: str | None


class _Heading(Struct, frozen=True):
    start: int
    end: int
    level: int
    title: str


def full_text(pages: list[tuple[int, str]]) -> str:
    """The text that offsets refer to."""
    return PAGE_JOINT.join(text for _, text in pages)


def chunk(pages: list[tuple[int, str]], max_tokens: int, count: Counter) -> list[Chunk]:
    """Splits ``pages`` (number, text) into chunks of at most ``max_tokens`` tokens by ``count``.

    A chunk never crosses a page or a heading (a heading without text stays with the text that
    follows). Within these limits it takes as many whole paragraphs as fit. A paragraph that does
    not fit is split after a sentence, a sentence after a clause, then between words, then between
    characters, at least one at a time. Every character that is not white space is in exactly one
    chunk. ``count`` should not shrink much when text is added; the limit holds even if it does.
    """
    chunks: list[Chunk] = []
    stack: list[_Heading] = []
    offset = 0
    for number, text in pages:
        for start, body, end, opened in _sections(text):
            for heading in opened:
                stack = [above for above in stack if above.level < heading.level] + [heading]
            path = " > ".join(heading.title for heading in stack) or None
            for a, b in _cut(text, start, body, end, max_tokens, count):
                chunks.append(Chunk(text[a:b], number, offset + a, path))
        offset += len(text) + len(PAGE_JOINT)
    return chunks


# --- headings -----------------------------------------------------------------------------------

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(={3,}|-{3,})[ \t]*$")
_NUMBERED = re.compile(r"[ \t]*(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?[ \t]+\S")
_NUMBERED_TITLE = re.compile(r"[ \t]*[\d.]+[ \t]+[^\W\d_a-z]")
_NAMED_TITLE = re.compile(
    r"[ \t]*(?:Chapter|Appendix|Part|Section)[ \t]+(?:\d+|[IVXLC]+|[A-Z])\b(?!\s+[a-z])"
)
_TITLE_WIDTH = 80


def _sections(text: str) -> Iterator[tuple[int, int, int, list[_Heading]]]:
    """(start, start of the body, end, new headings) of each section of a page."""
    start, body, opened = 0, 0, list[_Heading]()
    for heading in _headings(text):
        if text[body : heading.start].strip():
            yield start, body, heading.start, opened
            start, opened = heading.start, []
        opened.append(heading)
        body = heading.end
    yield start, body, len(text), opened


def _headings(text: str) -> Iterator[_Heading]:
    lines = text.split("\n")
    fence, start, last = "", 0, -1
    for at, line in enumerate(lines):
        end = start + len(line)
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence and line.strip():
            before = lines[at - 1] if at else ""
            after = lines[at + 1] if at + 1 < len(lines) else ""
            level = _level(line, "" if last == at - 1 else before, after)
            if level:
                underlined = not _ATX.match(line) and _UNDERLINE.match(after)
                last = at + 1 if underlined else at
                stop = end + 1 + len(after) if underlined else end
                yield _Heading(start, stop, level, _title(line))
        start = end + 1


def _level(line: str, before: str, after: str) -> int:
    """Level of a heading, or 0 for any other line; ``before`` is empty after a heading.

    Text extracted from PDFs rarely has blank lines, so the end of a sentence counts as well.
    """
    if atx := _ATX.match(line):
        return len(atx[1])
    if before.strip() and before.rstrip()[-1] not in ".!?:。":
        return 0
    under = _UNDERLINE.match(after)
    if under and not _UNDERLINE.match(line):
        return 1 if "=" in under[1] else 2
    if len(line) > _TITLE_WIDTH or line.rstrip()[-1] in ".,;:!?":
        return 0
    if _NAMED_TITLE.match(line):
        return 1
    depth = _depth(line) if _NUMBERED_TITLE.match(line) else 0
    if not depth or depth in (_depth(before), _depth(after)):
        return 0  # neighbours of the same depth: a list
    followed = not after.strip() or len(after) > len(line) or _depth(after) > depth
    return depth if depth > 1 or followed else 0  # "12 Baker Street" is followed by less


def _depth(line: str) -> int:
    """Depth of a line's own number: 2 for "2.1 Methods", 0 without one."""
    found = _NUMBERED.match(line)
    return found[1].count(".") + 1 if found else 0


def _title(line: str) -> str:
    atx = _ATX.match(line)
    return " ".join((atx[2] if atx else line).split())[:_TITLE_WIDTH].rstrip()


# --- cutting ------------------------------------------------------------------------------------

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_CLAUSE = re.compile(r"[,;:.!?–—][ \t\n]+|[，；：、]|\n")
_WORD = re.compile(r"\s+")


class _Section:
    """Possible cuts in a section, from the best places to the worst; computed on demand.

    Each level is a sorted list of positions including the section's end. ``body`` is the start of
    the text after the headings: only ``anywhere`` cuts before it.
    """

    def __init__(self, text: str, start: int, body: int, end: int) -> None:
        self.text = text
        self.start, self.end = trimmed_span(text, start, end)
        self.body = max(self.start, min(trimmed_span(text, body, end)[0], self.end))

    def levels(self) -> Iterator[tuple[list[int], int]]:
        """The places of each level, and the position after which they count."""
        for places in ("paragraphs", "sentences", "clauses", "words"):
            yield getattr(self, places), self.body
        yield self.anywhere, self.start

    @cached_property
    def paragraphs(self) -> list[int]:
        return self._ends(_PARAGRAPH, self.body, [self.end])

    @cached_property
    def sentences(self) -> list[int]:
        spans = sentence_spans(self.text[self.body : self.end])
        return sorted({*self.paragraphs, *(self.body + end for _, end in spans)})

    @cached_property
    def clauses(self) -> list[int]:
        return self._ends(_CLAUSE, self.body, self.sentences)

    @cached_property
    def words(self) -> list[int]:
        return self._ends(_WORD, self.body, self.clauses)

    @cached_property
    def anywhere(self) -> list[int]:
        return self._ends(_WORD, self.start, [self.body, *self.words])

    def _ends(self, pattern: re.Pattern[str], start: int, more: list[int]) -> list[int]:
        found = (match.end() for match in pattern.finditer(self.text, start, self.end))
        return sorted({*found, *more})


def _cut(
    text: str, start: int, body: int, end: int, limit: int, count: Counter
) -> Iterator[tuple[int, int]]:
    """The chunks of one section as trimmed spans."""

    def fits(a: int, b: int) -> bool:
        a, b = trimmed_span(text, a, b)
        return a == b or count(text[a:b]) <= limit

    section = _Section(text, start, body, end)
    position, width = section.start, 64
    while position < section.end:
        while position + width < section.end and fits(position, position + width):
            width *= 2  # so that at most about two chunks' worth is counted
        reach = min(position + width, section.end)
        cut = None
        for places, behind in section.levels():
            first = bisect_right(places, max(position, behind))
            cut = _furthest(places[first : bisect_right(places, reach)], position, fits)
            if cut is not None:
                break
        if cut is None:
            cut = _between_characters(text, position, reach, fits)
        yield trimmed_span(text, position, cut)
        width = max(64, cut - position)
        position = trimmed_span(text, cut, section.end)[0]


def _furthest(places: list[int], position: int, fits: Fits) -> int | None:
    """The last of the sorted ``places`` up to which the text from ``position`` fits, or None."""
    if not places or not fits(position, places[0]):
        return None
    low, high = 0, len(places)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(position, places[middle]) else (low, middle)
    return places[low]


def _between_characters(text: str, position: int, reach: int, fits: Fits) -> int:
    """A cut within a word; an accent stays with its letter. At least one character is taken."""
    inner = range(position + 1, reach)
    places = [*(at for at in inner if not unicodedata.combining(text[at])), reach]
    return _furthest(places, position, fits) or places[0]
