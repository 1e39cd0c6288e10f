"""Parts of a message in the user's own words, and parts that are quoted or pasted.

Only marks that writing itself gives in any language count: code fences, ``>`` before quoted lines,
the header of a mail, the lines of a chat log. Unmarked text is the user's, and so is a list of
labels with no text below it that they could be the header of ("Name: …, Age: …").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from thalamus.text.quotes import Span

_FENCE = re.compile(r"\s*(```|~~~)")
_QUOTED = re.compile(r"\s*>")
# "12.11.26, 20:15:03 Anna: …", "[20:15] <anna> …", "2026-01-30T10:00:00 INFO …"
_LOGGED = re.compile(
    r"\s*[\[(]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[,T ]\s*)?\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:\s?[ap]\.?m\.?)?[\])]?\s*(?:[-–]\s*)?(?:<[^>]+>|[^\s:]+(?: [^\s:]+){0,2}:|[A-Z]{4,}\b)\s"
)
_LABEL = re.compile(r"\s*([^\W\d_][^\s:]*(?:[ -][^\s:]+)?):(?:\s|$)")
_LEAST_LABELS = 3  # consecutive lines "Label: …" that make the header of a mail, or a log
_RULE = re.compile(r"\s*[-_=*—]{4,}.*$")  # "-----Original Message-----"


def own_parts(message: str) -> list[Span]:
    """Spans of a message in the user's own words, in order."""
    found: list[Span] = []
    for line, own in _lines(message):
        if own and found and found[-1].end == line.start:
            found[-1] = Span(found[-1].start, line.end)
        elif own:
            found.append(line)
    return found


def has_others(message: str) -> bool:
    """True if a message contains words of another author."""
    return not all(own for _, own in _lines(message))


def marked(message: str) -> str:
    """The message with ``> `` before each line that is not the user's own."""
    return "".join(
        line.of(message) if own else f"> {line.of(message)}" for line, own in _lines(message)
    )


def _lines(message: str) -> Iterator[tuple[Span, bool]]:
    """Each line with its line end, and True if it is the user's own."""
    lines = message.splitlines(keepends=True)
    heads, chat_lines = _labelled_lines(lines)
    logged = {number for number, text in enumerate(lines) if _LOGGED.match(text)}
    logged = logged if len(logged) > 1 else set()  # a single time of day is an appointment
    start, fenced, pasted = 0, "", False
    for number, text in enumerate(lines):
        span = Span(start, start + len(text))
        start = span.end
        mark = _FENCE.match(text)
        if fenced or mark:
            yield span, False
            if mark is not None:
                fenced = "" if mark[1] == fenced else fenced or mark[1]
            continue
        if number in heads or (_RULE.match(text) and number and lines[number + 1 : number + 2]):
            pasted = True  # text below the header of a mail is the mail
        others = number in logged or number in chat_lines or _QUOTED.match(text)
        yield span, not (pasted or others)


def _labelled_lines(lines: Sequence[str]) -> tuple[set[int], set[int]]:
    """Numbers of header lines (several labels in a row with a text below them), and of chat lines
    (recurring labels)."""
    heads: set[int] = set()
    chat_lines: set[int] = set()
    run: dict[int, str] = {}
    for number, text in enumerate([*lines, ""]):
        label = _LABEL.match(text)
        if label is not None:
            run[number] = label[1].casefold()
            continue
        if len(run) >= _LEAST_LABELS:
            if len({*run.values()}) < len(run):
                chat_lines.update(run)
            elif not text.strip() and any(line.strip() for line in lines[number:]):
                heads.update(run)
        run = {}
    return heads, chat_lines
