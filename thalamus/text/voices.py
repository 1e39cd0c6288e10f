"""Authorship of the parts of a message: the user's own words, another author's, or unclear.

Only marks that writing itself gives in any language count. Code fences, ``>`` before quoted lines,
the header of a mail, the lines of a chat or of a log mark another author. A colon that introduces a
text ("My landlord wrote: …"), an arrow behind one ("… -> in German"), labelled lines and what
follows a chat leave it unclear. All other text is the user's.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from thalamus import data
from thalamus.text.analyzer import words
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.marks import DATE, STAMP, TIME, without_invisible, without_marks
from thalamus.text.quotes import MARKED, Span

TITLE = 3  # words between quotation marks up to which they are a title or a name


class Voice(Enum):
    """The author of a line."""

    OWN = "own"
    UNCLEAR = "unclear"
    OTHERS = "others"


class MessageLine(NamedTuple):
    """A line of a message with its line end, and whose words it is."""

    span: Span
    voice: Voice


def own_parts(message: str) -> list[Span]:
    """Spans of a message, in order, that are not the words of another author."""
    return _joined(span for span, voice in _lines(message) if voice is not Voice.OTHERS)


def unclear_parts(message: str) -> list[Span]:
    """Spans of ``own_parts``, in order, that may be the words of another author. A colon introduces
    the rest of its paragraph, or at the end of a line the rest of the message; the words of a line
    before an arrow may be the text that is to be changed."""
    found: list[Span] = []
    introduced = ""
    for span, voice in _lines(message):
        text = span.of(message)
        if voice is Voice.OTHERS or (introduced == "paragraph" and not text.strip()):
            introduced = ""
        if voice is Voice.OTHERS:
            continue
        if voice is Voice.UNCLEAR or introduced:
            found.append(span)
        elif (arrow := _ARROW.search(text)) is not None:
            found.append(Span(span.start, span.start + arrow.start()))
        elif (colon := _COLON.search(text)) is not None:
            found.append(Span(span.start + colon.end(), span.end))
            introduced = "paragraph" if text[colon.end() :].strip() else "message"
    return _joined(found)


def own_words(message: str) -> str:
    """The words of a message that are clearly the user's: without those of another author, those
    that may be, and what stands in quotation marks unless it is as short as a title."""
    quoted = (Span(*match.span()) for match in MARKED.finditer(message))
    others = [span for span in quoted if len(words(span.of(message))) > TITLE]
    others += unclear_parts(message)
    found = []
    for part in own_parts(message):
        start = part.start
        for span in sorted(filter(part.overlaps, others), key=lambda span: span.start):
            found.append(message[start : max(start, span.start)])
            start = max(start, span.end)
        found.append(message[start : part.end])
    return "".join(found).strip()


def has_others(message: str) -> bool:
    """True if a message contains words of another author."""
    return any(voice is Voice.OTHERS for _, voice in _lines(message))


def marked(message: str) -> str:
    """The message with ``> `` before each line of another author."""
    return "".join(
        f"> {span.of(message)}" if voice is Voice.OTHERS else span.of(message)
        for span, voice in _lines(message)
    )


def _joined(spans: Iterable[Span]) -> list[Span]:
    """The spans with adjacent ones made one."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1].end == span.start:
            found[-1] = Span(found[-1].start, span.end)
        elif span.start < span.end:
            found.append(span)
    return found


# -- lines -----------------------------------------------------------------------------------------

# a colon, and the space after it; not the one of a time of day or of a web address
_COLON = re.compile(r"(?<=\S)(?:\s?:(?=\s|[\"'“„«‘*_]|$)|：)\s*")
_ARROW = re.compile(r"(?<=\S)\s+(?:[-=]+>|[→⇒➔➜])(?=\s+\S)")
_FENCE = re.compile(r"\s*(```|~~~)")
_QUOTED = re.compile(r"\s*[>＞](?![:;]?[)(])")
_LABEL = re.compile(r"\s*([^\W\d_][^\s:：]{0,30}(?:[ -][^\s:：]{1,30})?)\s?(?::(?=\s|$)|：)\s*(.*)")
_RULE = re.compile(r"\s*[-_—]{5,}\s*[^\W_].{0,80}[-_—]{5,}\s*$")  # "-----Original Message-----"
_ADDRESS = re.compile(r"[<(\[][^\s<>@]{1,64}@[^\s<>@]{1,200}[>)\]]")
_YEAR = re.compile(r"(?<!\d)(?:\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2})(?!\d)")
_CLOCK = re.compile(r"(?<![\d.])\d{1,2}[:.h]\d{2}(?![.\d])")

# "2026-01-30T10:00:00 …", "[02/Nov/2026:10:00:01 …", "Nov  2 10:00:01 …": with seconds
_LOG = re.compile(rf"\s*[\[(<]?(?:{DATE}[,T:]?\s*)?\d{{1,2}}:\d{{2}}:\d{{2}}\b")
_STAMP = rf"(?:{STAMP}|{TIME})"
_AUTHOR = r"(?:<[^>]+>|~?\s?[^\s:]+(?: [^\s:]+){0,4}:|[A-Z]{4,}\b)"
# "12.11.26, 20:15 - Anna: …", "[20:15] <anna> …", "10:00 INFO …"
_LOGGED = re.compile(rf"\s*[\[(]?{_STAMP}[\])]?\s*(?:[-–]\s*)?{_AUTHOR}\s")
# "[12.11.26, 20:15:03] Anna: …": one is enough
_BRACKETED = re.compile(rf"\s*\[{STAMP}\]\s*{_AUTHOR}\s")
_NICK = re.compile(r"\s*<[^<>\s@/]{1,30}>\s+\S")  # "<mira> …"
_NAME = r"[^\W_][^\s,:;.!?\[(]*\.?(?: [^\s,:;.!?\[(]+\.?){0,3}?"
# "Anna, [12 Nov 2026 at 20:15]", "Anna — Today at 8:15 PM", "[20:15] Anna": the text is below
_HEADING = lazy_regex(
    rf"\s*(?:(?P<name>{_NAME}),?\s*[—–-]?\s*[\[(]?\s*(?:[^\W\d_]{{3,10}} [^\W\d_]{{1,3}} )?"
    rf"(?P<stamp>{_STAMP})\s*[\])]?|\[(?P<first>{_STAMP})\]\s*(?P<last>{_NAME}))\s*$"
)
_LEAST_LABELS = 3  # lines "Label: …" from which they are a form or a conversation


class _Marks(Struct, frozen=True):
    """Numbers of the lines that begin a pasted text (``pasted``), may begin one (``unsure``), are
    the message of a chat (``chat``), or name the author of the text below (``headings``)."""

    pasted: frozenset[int]
    unsure: frozenset[int]
    chat: frozenset[int]
    headings: frozenset[int]


@functools.lru_cache(maxsize=16)  # each message is looked at several times
def _lines(message: str) -> Sequence[MessageLine]:
    """The lines of a message."""
    lines = message.splitlines(keepends=True)
    marks = _marks(lines)
    chat = marks.chat | marks.headings
    first, last = min(chat, default=len(lines)), max(chat, default=-1)
    found: list[MessageLine] = []
    start, fenced, pasted, unsure = 0, "", False, False
    above, heading = Voice.OWN, False  # of the line before; whether there is a heading above it
    for number, text in enumerate(lines):
        span = Span(start, start + len(text))
        start = span.end
        mark = _FENCE.match(text)
        pasted = pasted or number in marks.pasted
        unsure = unsure or number in marks.unsure
        if fenced or mark:
            voice = Voice.OTHERS
            if mark is not None:
                fenced = "" if mark[1] == fenced else fenced or mark[1]
        elif pasted or _QUOTED.match(text):
            voice = Voice.OTHERS
        elif number in chat:
            voice = above = Voice.OTHERS
            heading = number in marks.headings
        elif number < first:
            voice = Voice.UNCLEAR if unsure else Voice.OWN
        else:
            blank = not text.strip()
            below = above is Voice.OTHERS and (number < last or heading)
            voice = Voice.OTHERS if below or (blank and number < last) else Voice.UNCLEAR
            above = Voice.UNCLEAR if blank else voice
        found.append(MessageLine(span, voice))
    return found


def _marks(lines: Sequence[str]) -> _Marks:
    """The marks of another author in a message."""
    plain = [without_marks(text) for text in lines]
    sure, unsure = _mail_headers(plain)
    sure |= {n for n, text in enumerate(lines) if _RULE.match(text) and lines[n + 1 :]}
    for number in range(len(plain)):
        if (length := _attribution(plain, number)) > 0:
            below = next((one for one in lines[number + length :] if one.strip()), "")
            sure |= set() if _QUOTED.match(below) else {number}
    stamped, headings = _chat(lines, plain)
    return _Marks(*map(frozenset, (sure, unsure, stamped, headings)))


def _attribution(lines: Sequence[str], number: int) -> int:
    """Number of lines, from one on, that a mail program wrote before the words of another author:
    "On … at 9:14 Petra <petra@…> wrote:". They end in a colon and contain a time and an address, or
    a name behind a date and time."""
    for length in (1, 2):
        text = " ".join(lines[number : number + length])
        if not text.endswith((":", "：")) or not (clock := _CLOCK.search(text)):
            continue
        named = re.search(r"[^\W\d_]{2,}", text[clock.end() :].removeprefix(" Uhr"))
        if _ADDRESS.search(text) or (_YEAR.search(text) and named):
            return length
    return 0


def _mail_headers(lines: Sequence[str]) -> tuple[set[int], set[int]]:
    """Numbers of first lines of headers of a mail, and of labels that may be one because there is
    text below them."""
    sure: set[int] = set()
    unsure: set[int] = set()
    run: dict[int, tuple[str, str]] = {}
    for number, text in enumerate([*lines, ""]):
        label = _LABEL.match(text)
        if label is not None:
            run[number] = label[1].casefold(), label[2]
            continue
        if run:
            labels, names = {name for name, _ in run.values()}, _mail_labels()
            below = not text.strip() and any(line.strip() for line in lines[number:])
            addressed = any(_ADDRESS.search(value) for _, value in run.values())
            if labels & names["from"] and (addressed or labels & names["sent"]):
                sure.add(min(run))
            elif below and (len(run) >= _LEAST_LABELS or labels <= names["sent"]):
                unsure.add(min(run))
        run = {}
    return sure, unsure


@functools.cache
def _mail_labels() -> dict[str, frozenset[str]]:
    """Labels in the header of a mail (``data/mail.json``): of its author, and of its subject or
    time."""
    import msgspec

    return msgspec.json.decode(data.read("mail.json"), type=dict[str, frozenset[str]])


def _chat(lines: Sequence[str], plain: Sequence[str]) -> tuple[set[int], set[int]]:
    """Numbers of the lines of a chat or a log, and of the headings of messages."""
    seen = [without_invisible(text) for text in lines]
    found: set[int] = set()
    for pattern, least in ((_LOGGED, 2), (_LOG, 2), (_NICK, 2), (_BRACKETED, 1)):
        matching = {number for number, text in enumerate(seen) if pattern.match(text)}
        found |= matching if len(matching) >= least else set()  # one time is an appointment
    matches = enumerate(map(_LABEL.match, plain))
    labels = {number: label[1].casefold() for number, label in matches if label is not None}
    if len(labels) >= _LEAST_LABELS and len({*labels.values()}) < len(labels):
        found |= labels.keys()  # who speaks comes again
    return found, _headings(seen)


def _headings(lines: Sequence[str]) -> set[int]:
    """Numbers of the lines that name an author and a time, with text below. A line with a time of
    day alone, whose name does not come again, may be an appointment."""
    found: dict[int, str] = {}
    sure = False
    for number, text in enumerate(lines[:-1]):
        heading = _HEADING.match(text)
        if heading is not None and lines[number + 1].strip():
            found[number] = heading["name"] or heading["last"]
            sure = sure or _YEAR.search(heading["stamp"] or heading["first"]) is not None
    sure = sure or len({*found.values()}) < len(found)
    return {*found} if sure else set()
