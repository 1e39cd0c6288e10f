"""Time phrases ("last Saturday", "two weeks ago", "in May 2023") as intervals, and days in words.

Rules for English, in the manner of rule-based temporal taggers (Strötgen and Gertz, "HeidelTime",
2010), for the phrases that people use when they ask for something they said. What is not
understood is left out: the phrases only ever raise what was said at the time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache

Interval = tuple[date, date]  # first and last day

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "",
            "a an one",
            "two couple",
            "three few",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        )
    )
    for word in words.split()
}
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}

COUNT = rf"(\d{{1,3}}|{'|'.join(_NUMBERS)})(?:\s+of)?"
_UNIT = "(day|week|month|year)s?"
MONTH = "(" + "|".join(f"{m}|{m[:3]}" for m in _MONTHS if m != "may") + "|may)"
DAY = "(" + "|".join(DAYS) + ")"
YEAR = r"((?:19|20)\d\d)"


def _days_before(now: date, days: int, slack: int = 0) -> Interval:
    middle = now - timedelta(days=days)
    return middle - timedelta(days=slack), min(now, middle + timedelta(days=slack))


def _ago(now: date, found: re.Match[str]) -> Interval:
    days = number(found.group(1)) * _UNITS[found.group(2)]
    # "three weeks ago" is not meant to the day
    return _days_before(now, days, {"day": 0, "week": 3, "month": 15, "year": 180}[found.group(2)])


def _past(now: date, found: re.Match[str]) -> Interval:
    return now - timedelta(days=number(found.group(1)) * _UNITS[found.group(2)]), now


def last(now: date, found: re.Match[str]) -> Interval:
    """The interval of "last weekend", "last week", "last month" or "last year"."""
    unit = found.group(1)
    if unit == "weekend":
        sunday = now - timedelta(days=now.isoweekday())
        return sunday - timedelta(days=1), sunday
    if unit == "week":
        return now - timedelta(days=now.weekday() + 7), now - timedelta(days=now.weekday() + 1)
    if unit == "month":
        end = now.replace(day=1) - timedelta(days=1)
        return end.replace(day=1), end
    return date(now.year - 1, 1, 1), date(now.year - 1, 12, 31)


def this(now: date, found: re.Match[str]) -> Interval:
    """The interval of "this week"."""
    unit = found.group(1)
    if unit == "week":
        return now - timedelta(days=now.weekday()), now
    return (now.replace(day=1) if unit == "month" else date(now.year, 1, 1)), now


def weekday(now: date, found: re.Match[str]) -> Interval:
    """The day of the last weekday of that name."""
    back = (now.weekday() - DAYS.index(found.group(1))) % 7 or 7
    return _days_before(now, back)


def month(now: date, found: re.Match[str]) -> Interval:
    """The interval of a month, with or without its year."""
    which = _month_number(found.group(1))
    return month_of(int(found.group(2)) if found.group(2) else _latest_year(now, which), which)


def month_day(now: date, found: re.Match[str]) -> Interval:
    """The day of "May 3" and "May 3, 2024"."""
    return _on(now, found.group(1), found.group(2), found.group(3))


def day_month(now: date, found: re.Match[str]) -> Interval:
    """The day of "3 May" and "the 3rd of May 2024"."""
    return _on(now, found.group(2), found.group(1), found.group(3))


def _on(now: date, month: str, day: str, year: str | None) -> Interval:
    which = _month_number(month)
    said = date(int(year) if year else _latest_year(now, which), which, int(day))
    return said, said


def iso(now: date, found: re.Match[str]) -> Interval:
    """The day of "2024-05-03"."""
    said = date.fromisoformat(found.group(0))
    return said, said


def in_year(now: date, found: re.Match[str]) -> Interval:
    """The interval of "in 2024"."""
    year = int(found.group(1))
    return date(year, 1, 1), date(year, 12, 31)


def season(now: date, found: re.Match[str]) -> Interval:
    """ "Last spring" is over, "this spring" and a bare one have begun, "next spring" has not."""
    which, name, said = found.group(1), found.group(2), found.group(3)
    begins = SEASONS[name]
    if said:
        return _quarter(int(said), begins)
    year = now.year + 1
    if which == "next":
        while _quarter(year - 1, begins)[0] > now:
            year -= 1
        return _quarter(year, begins)
    while _quarter(year, begins)[1 if which == "last" else 0] >= now:
        year -= 1
    return _quarter(year, begins)


def _quarter(year: int, begins: int) -> Interval:
    first = date(year, begins, 1)
    return first, (first + timedelta(days=95)).replace(day=1) - timedelta(days=1)


def following(now: date, found: re.Match[str]) -> Interval:
    """ "Next Friday", "next month"."""
    unit = found.group(1)
    if unit in DAYS:
        day = now + timedelta(days=(DAYS.index(unit) - now.weekday() - 1) % 7 + 1)
        return day, day
    monday = now + timedelta(days=7 - now.weekday())
    if unit == "week":
        return monday, monday + timedelta(days=6)
    if unit == "weekend":
        return monday - timedelta(days=2), monday - timedelta(days=1)
    if unit == "month":
        first = (now.replace(day=1) + timedelta(days=32)).replace(day=1)
        return month_of(first.year, first.month)
    return date(now.year + 1, 1, 1), date(now.year + 1, 12, 31)


def tomorrow(now: date, found: re.Match[str]) -> Interval:
    """The day after ``now``."""
    return now + timedelta(days=1), now + timedelta(days=1)


def month_of(year: int, number: int) -> Interval:
    """The first and the last day of a month."""
    first = date(year, number, 1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
SEASON = (
    r"(?:in\s+)?(?:the\s+)?(last|this|next|in|since|until|the)\s+(?:the\s+)?"
    rf"({'|'.join(SEASONS)})(?:,?\s+(?:of\s+)?{YEAR})?"
)
_Rule = tuple[re.Pattern[str], Callable[[date, re.Match[str]], Interval]]
_RULES: tuple[_Rule, ...] = tuple(
    (re.compile(rf"\b{pattern}\b"), meaning)
    for pattern, meaning in (
        (r"\d{4}-\d\d-\d\d", iso),
        (rf"{MONTH}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+{YEAR})?", month_day),
        (rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:,?\s+{YEAR})?", day_month),
        (rf"(?:in|during|since|of|last)\s+{MONTH}(?:,?\s+{YEAR})?", month),
        (rf"{MONTH},?\s+{YEAR}", month),
        (rf"{COUNT}\s+{_UNIT}\s+(?:ago|before|earlier)", _ago),
        (rf"(?:past|last)\s+{COUNT}\s+{_UNIT}", _past),
        (rf"(?:last|on|past|this)\s+{DAY}", weekday),
        (r"(?:last|past)\s+(weekend|week|month|year)", last),
        (r"this\s+(week|month|year)", this),
        (r"(?:the\s+)?day before yesterday", lambda now, _: _days_before(now, 2)),
        (r"yesterday|last night", lambda now, _: _days_before(now, 1)),
        (r"today|this (?:morning|afternoon|evening)", lambda now, _: (now, now)),
        (rf"(?:in|during|since)\s+{YEAR}", in_year),
        (SEASON, season),
        (rf"next\s+(week|weekend|month|year|{'|'.join(DAYS)})", following),
        (r"tomorrow", tomorrow),
    )
)


def intervals(text: str, now: date) -> list[Interval]:
    """The spans of days that a text speaks of, as it is understood on the day ``now``."""
    return list(_intervals(text.casefold(), now))


def _intervals(text: str, now: date) -> Iterator[Interval]:
    for pattern, meaning in _RULES:
        for found in pattern.finditer(text):
            try:
                yield meaning(now, found)
            except (ValueError, OverflowError):  # the 31st of June, 999 years ago
                continue
        text = pattern.sub(" ", text)  # "May 3rd, 2023" is not "in 2023" as well


def without_times(text: str) -> str:
    """A text in small letters without its time phrases."""
    text = text.casefold()
    for pattern, _ in _RULES:
        text = pattern.sub(" ", text)
    return text


def nearness(at: str | None, spans: Sequence[Interval]) -> float:
    """How near a moment (ISO 8601) is to the nearest of the spans: 1 within, less with each day
    outside. What happened is spoken of on the day or later, hardly before: after a span the
    nearness falls more slowly."""
    if not at or not spans:
        return 0.0
    try:
        day = date.fromisoformat(at[:10])
    except ValueError:
        return 0.0
    return round(max(_near(day, first, last) for first, last in spans), 4)


def _near(day: date, first: date, last: date) -> float:
    length = (last - first).days
    if day < first:
        return math.exp(-(first - day).days / (1 + length / 4))
    return math.exp(-max(0, (day - last).days) / (7 + length))


def selectivity(nearness: Sequence[float]) -> float:
    """How much it tells (0..1) that something was said at the time of a question, by how near to it
    the candidates are: nothing when all of them are ("this year", in a store of a year)."""
    mean = sum(nearness) / len(nearness) if nearness else 0.0
    return min(1.0, -math.log(mean)) if mean > 0 else 0.0


def asks_when(question: str) -> bool:
    """Whether a question asks for a time."""
    return _ASKS_WHEN.match(question.strip()) is not None


@lru_cache(4096)  # most candidates of a question are those of the next one
def says_when(text: str) -> bool:
    """Whether a text says a time, exact or not ("last Friday", "in May", "since 2019")."""
    return _SAYS_WHEN.search(text) is not None


_ASKS_WHEN = re.compile(r"(?:when|how long|what (?:day|date|time|month|year))\b", re.IGNORECASE)
_SAYS_WHEN = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|recently|since|morning"
    rf"|days?|weeks?|weekend|months?|years?|(?:19|20)\d\d|{'|'.join(DAYS)}|{'|'.join(_MONTHS)})\b",
    re.IGNORECASE,
)


def ago(at: str, today: str) -> str:
    """How long before ``today`` a moment was, in words: two weeks ago. Empty for the future."""
    try:
        days = (date.fromisoformat(today[:10]) - date.fromisoformat(at[:10])).days
    except ValueError:
        return ""
    if days <= 1:
        return {0: "today", 1: "yesterday"}.get(days, "")
    for unit, length in (("year", 365), ("month", 30), ("week", 7), ("day", 1)):
        if days >= 2 * length or (unit == "year" and days >= length):
            count = days // length
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return ""


def number(word: str) -> int:
    """The number that a word or its digits name."""
    return int(word) if word.isdigit() else _NUMBERS[word]


def _month_number(word: str) -> int:
    return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(word))


def _latest_year(now: date, month: int) -> int:
    """A month without a year is the last one that has begun."""
    return now.year if month <= now.month else now.year - 1
