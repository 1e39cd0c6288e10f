"""Since when and until when a fact holds, by the words it was taken from and their day.

"Since 2019", "until last month", "from May to July", "two years ago"; "I used to live in Porto",
"I quit Acme in March". Rules for English in the manner of temporal taggers; a date is the first
moment of what it names, at both ends of an interval. What is not understood is left open. Words
of another language are turned into those of English first, where its lexicon has them
(``Lexicon.time_words``); in a language without them nothing is dated.

The tense decides which February is meant: the last one for what happened, the next for what is
announced, and none for what simply is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

from msgspec import Struct, structs

from thalamus.policy import time_expressions
from thalamus.policy.entities import fold
from thalamus.policy.language.patterns import Pattern

# what does not begin or end
TIMELESS = frozenset(
    "plans_to due_on wedding_on meets_on name born_in born_on birthday native_language mother"
    " father".split()
)
_NEGATIVE = frozenset("dislikes avoids opposes distrusts disbelieves".split())
_NEGATED = re.compile(r"dislik|\bhat|avoid|oppos|distrust|disbeliev")

_MONTH, _YEAR, _DAY = time_expressions.MONTH, time_expressions.YEAR, time_expressions.DAY
_UNITS = r"(day|week|month|year)s?"
_FEASTS = {"new": (1, 1), "chr": (12, 25), "hal": (10, 31), "val": (2, 14)}
_FEAST = r"(new year'?s(?: day)?|christmas(?: day)?|halloween|valentine'?s(?: day)?)"


def _feast(now: date, found: re.Match[str]) -> tuple[date, date]:
    """The last day of that name, or that of the year that is named."""
    month, day = _FEASTS[found[1][:3]]
    if found[2]:
        year = int(found[2])
    else:
        year = now.year if date(now.year, month, day) <= now else now.year - 1
    return date(year, month, day), date(year, month, day)


_RULES = (
    (r"\d{4}-\d\d-\d\d", time_expressions.iso),
    (r"(\d{4})-(\d\d)", lambda now, m: time_expressions.month_of(int(m[1]), int(m[2]))),
    (rf"{_MONTH}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+{_YEAR})?", time_expressions.month_day),
    (
        rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?",
        time_expressions.day_month,
    ),
    (rf"{_MONTH}(?:,?\s+(?:of\s+)?{_YEAR})?", time_expressions.month),
    (
        rf"{time_expressions.COUNT}\s+{_UNITS}\s+(?:ago|earlier|back)",
        lambda now, m: _back(now, m[1], m[2]),
    ),
    (time_expressions.SEASON, time_expressions.season),
    (rf"{_FEAST}(?:\s+{_YEAR})?", _feast),
    (rf"(?:last|on|past|this|from|until|since)\s+{_DAY}", time_expressions.weekday),
    (r"(?:last|past)\s+(weekend|week|month|year)", time_expressions.last),
    (r"this\s+(week|month|year)", time_expressions.this),
    (
        rf"next\s+(week|weekend|month|year|{'|'.join(time_expressions.DAYS)})",
        time_expressions.following,
    ),
    (r"(?:the\s+)?day before yesterday", lambda now, m: _back(now, "two", "day")),
    (r"yesterday|last night", lambda now, m: _back(now, "one", "day")),
    (r"today|this (?:morning|afternoon|evening)", lambda now, m: (now, now)),
    (r"tomorrow", time_expressions.tomorrow),
    (_YEAR, time_expressions.in_year),
)
_COMPILED = tuple((re.compile(rf"(?<!\w){pattern}(?!\w)"), meaning) for pattern, meaning in _RULES)

_CLAUSE = re.compile(
    r";\s*|,?\s+(?:and|but|while|though)\s+(?=(?:i|i'm|i've|i'll|he|she|we|they|my|now|then|quit|left|"
    r"joined|moved|started|stopped|began|took|got|became|no longer)\b)|,\s+(?=(?:i|he|she|we|they|"
    r"who|which|where|my|now|but|then|i'm|i've)\b)"
)
_PAST_STATE = re.compile(
    r"\b(?:used to|lived|worked|was|were|had|loved|liked|enjoyed|studied|owned|drove|played|hated|"
    r"preferred|stayed|resided|knew|spoke|disliked)\b"
)
# what somebody did for as long as the time that is named: "in 2010 I lived in Rome"
_STAYED = re.compile(r"^(?!.*\b(?:no longer|since)\b).*\b(?:used to|lived|worked|studied)\b")
_PRESENT = re.compile(
    r"\b(?:live|lives|living|work|works|working|like|likes|love|loves|enjoy|enjoys|prefer|prefers|"
    r"hate|hates|dislike|dislikes|am|i'm|is|own|owns|speak|speaks|know|knows|drive|drives)\b"
)
_CHANGE = re.compile(
    r"\b(?:moved|moving|move|relocat\w+|join\w*|start\w*|began|begin|becam?e|got|switch\w*|chang\w+|"
    r"took|take|taking|diagnos\w+|prescribed|promoted|elected|appointed|bought|adopt\w+|"
    r"married|hired|will|'ll|going to|now|new)\b"
)


_COMING = re.compile(
    r"\b(?:will|'ll|shall|(?:am|'m|are|'re|is|'s) going to|gonna|about to|plan(?:s|ning)? to|"
    r"want(?:s)? to|hop(?:e|es|ing) to|tomorrow|next (?:week|month|year))\b"
    r"|(?:'m|'re|'s|\bam|\bare|\bis) (?:moving|starting|joining|leaving|quitting)\b"
)
_ENDING = re.compile(
    r"\b(?:stop|stops|stopping|quit|quits|quitting|leave|leaves|leaving|resign\w*|retir\w+|"
    r"giv\w+ up|finish\w*|end|ends|ending|sell|sells|selling|kündig\w*|aufhör\w*|verlass\w*)\b"
)
# "two sons, born in 2015 and 2018": the years are theirs
_BORN = re.compile(
    r"\b(?:born|geboren)\s+(?:in|on|am|im)?\s*[\w ,.]*?\d{4}(?:\s*(?:and|und|&)\s*\d{4})?"
)
_BEFORE_A_MONTH = frozenset("in since until till from to last of this next and".split())


_LASTING = re.compile(
    rf"\b(?:have|has|'ve|been)\b.*\bfor\s+(?:about\s+|over\s+)?{time_expressions.COUNT}\s+{_UNITS}"
)


class Dates(Struct, frozen=True):
    """Since when and until when. ``ended``: what it says is no longer so, from ``end`` on.

    ``sure``: there are both ends, or one that a word such as "until" or "since" makes plain.
    """

    begin: date | None = None
    end: date | None = None
    ended: bool = False
    sure: bool = False


class Said(Struct, frozen=True):
    """How something was said: its ``tense`` (past, present, coming; None when nobody has looked),
    whether it is ``over`` by the words, and the ``time_words`` of its language (none for English,
    None for a language in which nothing is dated)."""

    tense: str | None = None
    over: bool = False
    time_words: tuple[tuple[Pattern, str], ...] | None = ()


class _Span(Struct, frozen=True):
    begin: int
    end: int
    first: date
    after: date
    open_year: bool = False  # a month, or a day of one, without a year
    weekday: bool = False  # "on Monday"
    precision: str | None = None  # week, month, season or year; None for a day


def dates(quote: str, predicate: str, object: str, now: date, said: Said | None = None) -> Dates:
    """What the words of a fact say about its time, on the day ``now`` on which they were said.

    ``said``: how a clause that was read says it; by default that is found in the words.
    """
    if predicate in TIMELESS:
        return Dates()
    text = _BORN.sub("born", quote.casefold().replace("’", "'"))
    said = said or Said()
    if said.time_words is None:
        return Dates(end=now, ended=True, sure=True) if said.over else Dates()
    for pattern, word in said.time_words:
        text = pattern.sub(word, text)
    clause = _clause(text, object) if said.tense is None else text
    coming = (
        said.tense == "coming" if said.tense is not None else _COMING.search(clause) is not None
    )
    if coming:
        return _announced(clause, _ahead(_spans(clause, now), now), now)
    spans = _spans(clause, now)
    if not spans:
        # "In March, I quit Acme"
        spans_before = [s for s in _spans(text, now) if s.begin < 12 and clause != text]
        if spans_before:
            lead = text[: spans_before[0].end]
            clause = f"{lead} {clause}"
            spans = _spans(clause, now)
    if said.over or _has_ended(clause, predicate, object):
        return _end(clause, spans, now)
    found = _begin(clause, spans, now)
    if said.tense == "present" and not found.sure:
        return Dates()  # "We are open in May" has no beginning
    return found


def precisions(quote: str, now: date, said: Said | None = None) -> dict[date, str]:
    """How precisely the words of a fact say the days that ``dates`` finds in them, of those that
    they do not name as a day: week, month, season or year."""
    text = _BORN.sub("born", quote.casefold().replace("’", "'"))
    said = said or Said()
    for pattern, word in said.time_words or ():
        text = pattern.sub(word, text)
    found = _spans(text, now) if said.time_words is not None else []
    lasting = _LASTING.search(text)
    named = {_back(now, lasting[1], lasting[2])[0]: lasting[2]} if lasting else {}
    for span in (*found, *_ahead(found, now)):
        if span.precision is not None:
            named |= {span.first: span.precision, span.after: span.precision}
    exact = {span.first for span in found if span.precision is None}
    return {day: name for day, name in named.items() if name != "day" and day not in exact}


def _announced(clause: str, spans: list[_Span], now: date) -> Dates:
    """What is still to come begins, or ends, on a later day; without one it has no dates, and
    ends nothing that holds."""
    later = [span for span in spans if span.first > now]
    if not later:
        return Dates()
    both = _both(clause, later)
    if both is not None:
        return both
    until = re.search(
        r"\b(?:until|till|up to)\s+(?:the\s+)?(?:end\s+of\s+)?$", clause[: later[0].begin]
    )
    named = clause[later[0].begin : later[0].end]
    if until or named.startswith("until") or _ENDING.search(clause):
        return Dates(end=later[0].first, sure=True)
    return Dates(begin=later[0].first, sure=True)


def _ahead(spans: list[_Span], now: date) -> list[_Span]:
    """The spans as somebody means them who speaks of what is to come."""
    return [_next(span, now) for span in spans]


def _next(span: _Span, now: date) -> _Span:
    first, after = span.first, span.after
    if span.weekday:
        while first <= now:
            first, after = first + timedelta(days=7), after + timedelta(days=7)
    elif span.open_year:
        while first <= now:
            first, after = _year_later(first), _year_later(after)
    return structs.replace(span, first=first, after=after)


def _year_later(day: date) -> date:
    return day.replace(year=day.year + 1, day=min(day.day, 28) if day.month == 2 else day.day)


def _clause(text: str, object: str) -> str:
    wanted = set(fold(object).split())
    parts = [part for part in _CLAUSE.split(text) if part]
    return max(parts or [text], key=lambda part: len(wanted & set(re.findall(r"\w+", fold(part)))))


def _has_ended(clause: str, predicate: str, object: str) -> bool:
    """Whether a clause says that what was so is so no more."""
    if predicate in _NEGATIVE and not _NEGATED.search(clause):
        return False  # "I don't like it any more" begins a dislike
    what = re.escape(object.casefold().strip())
    the = r"(?:(?:the|my|our|at|for|a|an|in|with|being|as|to|job)\s+)*"
    doing = r"(?:\w+ing\s+)?"
    patterns = (
        rf"\bused to\b.*{what}",
        rf"\bno longer\b.*{what}",
        rf"\b(?:not|\w+n't)\b.*{what}.*\bany\s?(?:more|longer)\b",
        rf"\b(?:haven't|hasn't|have not|has not)\b.*{what}.*\bsince\b",
        rf"\b(?:quit|left|resigned from|retired from|stopped|gave up|sold|divorced|broke up with|"
        r"got rid of|dropped out of|was fired from|was laid off from|finished|ended)"
        rf"\s+{doing}{the}{what}",
        rf"\b(?:moved|relocated)\s+(?:away\s+|out\s+)?(?:from|of)\s+{the}{what}",
    )
    return any(re.search(pattern, clause) for pattern in patterns)


def _end(clause: str, spans: list[_Span], now: date) -> Dates:
    both = _both(clause, spans)
    if both is not None:
        return both
    for span in spans:
        if re.search(r"(?:until|till|up to|to)\s+(?:the\s+)?$", clause[: span.begin]):
            return Dates(end=span.first, ended=True, sure=True)
    if spans and _STAYED.search(clause):
        return Dates(begin=spans[0].first, end=min(spans[0].after, now), sure=True)
    return Dates(end=spans[0].first if spans else now, ended=True, sure=True)


def _begin(clause: str, spans: list[_Span], now: date) -> Dates:
    lasting = _LASTING.search(clause)
    if lasting:
        return Dates(begin=_back(now, lasting[1], lasting[2])[0], sure=True)
    if not spans:
        return Dates()
    both = _both(clause, spans)
    if both is not None:
        return both
    span, before = spans[0], clause[: spans[0].begin]
    past = _PAST_STATE.search(clause) is not None
    if re.search(r"\b(?:until|till|up to)\s+(?:the\s+)?(?:end\s+of\s+)?$", before) or clause[
        span.begin : span.end
    ].startswith("until"):
        end = span.first
        if span.open_year and end <= now and not past:  # "I am there until June"
            end = end.replace(year=end.year + 1)
        return Dates(end=end, ended=end <= now, sure=True)
    said_since = re.search(r"\b(?:since|from|as of|starting(?: in)?)\s+(?:the\s+)?$", before)
    if said_since or clause[span.begin : span.end].startswith("since"):
        return Dates(begin=span.first, sure=True)
    if past and not _CHANGE.search(clause):
        return Dates(begin=span.first, end=span.after, sure=True)
    if _PRESENT.search(clause) and not _CHANGE.search(clause):
        return Dates()
    return Dates(begin=span.first)


def _both(clause: str, spans: list[_Span]) -> Dates | None:
    """ "From May to July", "between 2019 and 2021", "2019 to 2021"."""
    for one, other in pairwise(spans):
        between = clause[one.end : other.begin].strip(" ,")
        if re.fullmatch(r"(?:to|till|until|and|through|-|–|up to)(?:\s+the)?", between):
            if between == "and" and "between" not in clause[: one.begin]:
                continue
            first = one.first
            if one.open_year and first >= other.first:
                first = first.replace(year=first.year - 1)
            if first < other.first:
                return Dates(begin=first, end=other.first, sure=True)
    return None


def _spans(text: str, now: date) -> list[_Span]:
    return sorted(_found(text, now), key=lambda span: span.begin)


def _found(text: str, now: date) -> Iterator[_Span]:
    for pattern, meaning in _COMPILED:
        for found in pattern.finditer(text):
            try:
                first, last = meaning(now, found)
                if (
                    meaning is time_expressions.month
                    and found[1] == "may"
                    and not found[2]
                    and not _names_may(text, found)
                ):
                    continue
                dayless = _YEARLESS.get(meaning)
                bare = dayless is not None and not found[dayless]
                day = meaning is time_expressions.weekday and not found[0].startswith(
                    ("last", "past")
                )
                after = last + timedelta(days=1)
                precision = _precision(found[0], (after - first).days)
                yield _Span(*found.span(), first, after, bare, day, precision)
            except (ValueError, OverflowError):
                continue
            # "May 3rd, 2023" is not "2023" as well
            text = text[: found.start()] + "#" * len(found[0]) + text[found.end() :]


def _precision(words: str, days: int) -> str | None:
    """How precisely words name a time that has so many days: "two months ago" names a month."""
    ago = _AGO.search(words)
    if ago is not None:
        return None if ago[1] == "day" else ago[1]
    lengths = ((1, None), (10, "week"), (31, "month"), (150, "season"))
    return next((name for most, name in lengths if days <= most), "year")


_AGO = re.compile(r"(day|week|month|year)s?\s+(?:ago|earlier|back)$")


def _names_may(text: str, found: re.Match[str]) -> bool:
    """ "I may move" names no month."""
    return text[: found.start()].rstrip().rpartition(" ")[2] in _BEFORE_A_MONTH


# rules whose dates may come without a year, and the group that holds it
_YEARLESS = {
    time_expressions.month: 2,
    time_expressions.month_day: 3,
    time_expressions.day_month: 3,
    time_expressions.season: 3,
    _feast: 2,
}


def _back(now: date, count: str, unit: str) -> tuple[date, date]:
    """So many days, weeks, months or years before, on the same day of month and year."""
    number = time_expressions.number(count)
    if unit in ("day", "week"):
        day = now - timedelta(days=number * (7 if unit == "week" else 1))
        return day, day
    months = now.year * 12 + now.month - 1 - number * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    last = (date(year, month + 1, 28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    day = date(year, month + 1, min(now.day, last.day))
    return day, day
