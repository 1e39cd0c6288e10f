"""Time expressions ("last Saturday", "two weeks ago", "in May 2023") as intervals, and days in
words.

Rules for English in the manner of rule-based temporal taggers (Strötgen and Gertz, "HeidelTime",
2010), for expressions that people use when asking about something they said;
``times_by_language`` for other languages. Unknown expressions are ignored: a match only ever raises
the score of what was said at that time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache

from thalamus.text import times_by_language
from thalamus.text.analyzer import WORD, composed, has_unspaced, normal
from thalamus.text.calendar import (
    Interval,
    calendar,
    day_before,
    days_of_year,
    latest_year,
    month_of,
    quarter,
    third_of,
    unit_of,
)
from thalamus.text.calendar import season as season_of
from thalamus.text.days import MONTHS, WEEKDAYS
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.word_lists import TELL, TIME_LEADS, TOLD, function_words

_LATE = date(2100, 1, 1)  # for what is only read for its words

_MONTHS = tuple(map(str.casefold, MONTHS))
DAYS = tuple(map(str.casefold, WEEKDAYS))
LEAST = 4  # letters of a name in another language than English
_NO_NAMES = frozenset(("march", "mars", "mayo", "senin"))  # the last is Turkish for "your"
# with the vowels of Indic scripts, which are marks
_LETTERS = lazy_regex(r"(?:[^\W\d_]|[\u0900-\u0963\u0980-\u09e3])+")
_NUMBERS = (
    {
        word: number
        for number, words in enumerate(
            (
                "",
                "a an one",
                "two couple",
                "three few",
                "four several",
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
    | {
        word: number
        for number, word in enumerate(
            "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(), 13
        )
    }
    | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
)
NUMBERS = {word: n for word, n in _NUMBERS.items() if word not in ("a", "an")}
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365, "decade": 3652}
_SLACK = {"day": 0, "week": 3, "month": 15, "year": 180, "decade": 1500}

COUNT = rf"(?:a\s+(?=couple|few))?(\d{{1,3}}|{'|'.join(_NUMBERS)})(?:\s+of)?"
_UNIT = f"({'|'.join(_UNITS)})s?"
_AGO = "(?:ago|before|earlier)"
_COUNTED_AGO = rf"{COUNT}\s+{_UNIT}\s+{_AGO}"
MONTH = "(" + "|".join(f"{m}|{m[:3]}" for m in _MONTHS if m != "may") + "|may)"
DAY = "(" + "|".join(DAYS) + ")"
YEAR = r"((?:19|20)\d\d)"


def _days_before(now: date, days: int, slack: int = 0) -> Interval:
    middle = now - timedelta(days=days)
    return middle - timedelta(days=slack), min(now, middle + timedelta(days=slack))


def _ago(now: date, found: re.Match[str]) -> Interval:
    unit = found.group(2)
    # "three weeks ago" is not exact to the day
    return _days_before(now, number(found.group(1)) * _UNITS[unit], _SLACK[unit])


def _halves_ago(now: date, found: re.Match[str]) -> Interval:
    """ "Half a year ago", "two and a half years ago", "a year and a half ago"."""
    *count, unit = found.groups()
    whole = sum(map(number, count))
    days = round((whole + 0.5) * _UNITS[unit])
    return _days_before(now, days, _SLACK[unit] // 2)


def _past(now: date, found: re.Match[str]) -> Interval:
    return now - timedelta(days=number(found.group(1)) * _UNITS[found.group(2)]), now


def _lately(now: date, found: re.Match[str]) -> Interval:
    """ "The past month" has no beginning in the calendar."""
    return now - timedelta(days=_UNITS[found.group(1)]), now


def _months(now: date, found: re.Match[str]) -> Interval:
    """ "Between May and July 2023", "from May to July"."""
    year = found.group(4) or found.group(2)
    first, final = _month_number(found.group(1)), _month_number(found.group(3))
    ends = int(year) if year else latest_year(now, final)
    begins = int(found.group(2)) if found.group(2) else ends - (first > final)
    return month_of(begins, first)[0], month_of(ends, final)[1]


def _weekday_ago(now: date, found: re.Match[str]) -> Interval:
    """ "The Wednesday two months ago": the nearest Wednesday."""
    target = now - timedelta(days=number(found.group(2)) * _UNITS[found.group(3)])
    away = (DAYS.index(found.group(1)) - target.weekday()) % 7
    day = target + timedelta(days=away if away <= 3 else away - 7)
    return min(day, now), min(day, now)


def _adjacent(now: date, found: re.Match[str]) -> Interval:
    """ "The week before August 3, 2023", "the day after 3 August"."""
    unit, side, date_of = found.group(1), found.group(2), found.group(3)
    day = _exact(date_of, now)
    if day is None:
        raise ValueError(date_of)
    if unit == "weekend":
        back = day.isoweekday() if side == "before" else day.isoweekday() - 7
        sunday = day - timedelta(days=back)
        return sunday - timedelta(days=1), sunday
    length = timedelta(days=_UNITS[unit])
    one = timedelta(days=1)
    return (day - length, day - one) if side == "before" else (day + one, day + length)


def _exact(text: str, now: date) -> date | None:
    """The first day that a text names exactly."""
    for pattern, meaning in _EXACT:
        if found := pattern.search(text):
            try:
                return meaning(now, found)[0]
            except ValueError:
                continue
    return None


def _part_of_month(now: date, found: re.Match[str]) -> Interval:
    """ "The last two weeks of August 2023", "the first weekend of October", "late in May"."""
    which, count, unit = found.group(1), found.group(2), found.group(3)
    year = int(found.group(5)) if found.group(5) else None
    number_of = _month_number(found.group(4))
    year = year or latest_year(now, number_of)
    if not unit:
        third = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1}.get(which, 2)
        return third_of(year, number_of, third)
    first, last_day = month_of(year, number_of)
    place = _PLACES.get(which)
    if unit == "weekend":
        if place is None:
            saturday = last_day - timedelta(days=(last_day.weekday() - 5) % 7)
        else:
            saturday = first + timedelta(days=(5 - first.weekday()) % 7 + 7 * place)
        return saturday, saturday + timedelta(days=1)
    length = timedelta(days=7 * (number(count) if count else 1) - 1)
    if place is None:
        return max(first, last_day - length), last_day
    begins = first + timedelta(days=7 * place)
    return begins, min(last_day, begins + length)


_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3}


def last(now: date, found: re.Match[str]) -> Interval:
    """The interval of "last weekend", "last week", "last month" or "last year"."""
    unit = found.group(1)
    if unit == "weekend":
        sunday = now - timedelta(days=now.isoweekday())
        return sunday - timedelta(days=1), sunday
    return unit_of(unit, -1, now)


def this(now: date, found: re.Match[str]) -> Interval:
    """The interval of "this week", "this month" or "this year"."""
    unit = found.group(1)
    if unit == "week":
        return now - timedelta(days=now.weekday()), now
    return (now.replace(day=1) if unit == "month" else date(now.year, 1, 1)), now


def weekday(now: date, found: re.Match[str]) -> Interval:
    """The latest past weekday with that name."""
    back = (now.weekday() - DAYS.index(found.group(1))) % 7 or 7
    return _days_before(now, back)


def month(now: date, found: re.Match[str]) -> Interval:
    """The interval of a month, with or without its year."""
    which = _month_number(found.group(1))
    return month_of(int(found.group(2)) if found.group(2) else latest_year(now, which), which)


def month_day(now: date, found: re.Match[str]) -> Interval:
    """The day of "May 3" and "May 3, 2024"."""
    return _on(now, found.group(1), found.group(2), found.group(3))


def day_month(now: date, found: re.Match[str]) -> Interval:
    """The day of "3 May" and "the 3rd of May 2024"."""
    return _on(now, found.group(2), found.group(1), found.group(3))


def _on(now: date, month: str, day: str, year: str | None) -> Interval:
    which = _month_number(month)
    exact = date(int(year or latest_year(now, which, int(day))), which, int(day))
    return exact, exact


def iso(now: date, found: re.Match[str]) -> Interval:
    """The day of "2024-05-03"."""
    day = date.fromisoformat(found.group(0))
    return day, day


def numeric_day(now: date, found: re.Match[str]) -> Interval:
    """The day of "03.05.2019", and of "13/05/2019" and "05/13/2019"."""
    first, mark, second, year = found.groups()
    day, month = int(first), int(second)
    if mark != "." and month > 12:
        day, month = month, day
    exact = date(int(year), month, day)
    return exact, exact


def year_first(now: date, found: re.Match[str]) -> Interval:
    """The day of "2019/05/03" and "2019.05.03"."""
    day = date(*map(int, found.groups()))
    return day, day


def numeric_month(now: date, found: re.Match[str]) -> Interval:
    """The month of "05/2019"."""
    return month_of(int(found.group(2)), int(found.group(1)))


def _part_of_year(now: date, found: re.Match[str]) -> Interval:
    """ "Early in 2019", "the end of 2019": a third of the year."""
    which, year = found.group(1), int(found.group(2))
    third = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1}.get(which, 2)
    return month_of(year, 4 * third + 1)[0], month_of(year, 4 * third + 4)[1]


def _years(now: date, found: re.Match[str]) -> Interval:
    """ "Between 2015 and 2017"."""
    return date(int(found.group(1)), 1, 1), date(int(found.group(2)), 12, 31)


def _decade(now: date, found: re.Match[str]) -> Interval:
    """ "The 1990s"."""
    first = int(found.group(1)) * 10
    return date(first, 1, 1), date(first + 9, 12, 31)


def in_year(now: date, found: re.Match[str]) -> Interval:
    """The interval of "in 2024"."""
    year = int(found.group(1))
    return date(year, 1, 1), date(year, 12, 31)


def season(now: date, found: re.Match[str]) -> Interval:
    """ "Last spring" is over, "this spring" and "the spring" have begun, "next spring" has not."""
    which, name, day = found.group(1), found.group(2), found.group(3)
    begins = SEASONS[name]
    if day:
        return quarter(int(day), begins)
    return season_of(begins, {"last": -1, "next": 1}.get(which, 0), now)


def following(now: date, found: re.Match[str]) -> Interval:
    """ "Next Friday", "next month"."""
    unit = found.group(1)
    if unit in DAYS:
        day = now + timedelta(days=(DAYS.index(unit) - now.weekday() - 1) % 7 + 1)
        return day, day
    if unit == "weekend":
        sunday = now + timedelta(days=6 - now.weekday())
        return sunday - timedelta(days=1), sunday
    return unit_of(unit, 1, now)


def tomorrow(now: date, found: re.Match[str]) -> Interval:
    """The day after ``now``."""
    return now + timedelta(days=1), now + timedelta(days=1)


# those with the same dates every year, in the spelling of ``_holiday``
_HOLIDAYS = {
    "christmas": "12-24/12-26",
    "christmas day": "12-25",
    "christmas eve": "12-24",
    "boxing day": "12-26",
    "new years eve": "12-31",
    "new years day": "1-1",
    "valentines day": "2-14",
    "halloween": "10-31",
}
_HOLIDAY = (
    r"(christmas(?:\s+(?:eve|day))?|boxing\s+day|new\s+year['’]?s\s+(?:eve|day)"
    r"|valentine['’]?s\s+day|halloween)"
)


def _holiday(now: date, found: re.Match[str]) -> Interval:
    """ "At Christmas", "Halloween 2024"."""
    name = " ".join(re.findall(r"\w+", re.sub("['’]", "", found.group(1))))
    return days_of_year(_HOLIDAYS[name], int(found.group(2)) if found.group(2) else None, now)


SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_NAMED_SEASON = (
    rf"(?:the\s+)?({'|'.join(SEASONS)})(?:,?\s+(?:of\s+)?{YEAR}|(?!\s+of\b))"  # the fall of Rome
)
_Rule = tuple[re.Pattern[str], Callable[[date, re.Match[str]], Interval]]


def _compiled(
    rules: Sequence[tuple[str, Callable[[date, re.Match[str]], Interval]]],
) -> list[_Rule]:
    return [(lazy_regex(rf"\b{pattern}\b"), meaning) for pattern, meaning in rules]


_EXACT = _compiled(
    (
        (r"\d{4}-\d\d-\d\d", iso),
        (r"(\d{4})[./](\d\d?)[./](\d\d?)", year_first),
        (rf"(?<![\d/-])(\d\d?)([./-])(\d\d?)\2{YEAR}", numeric_day),
        (rf"{MONTH}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+{YEAR})?", month_day),
        (rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:,?\s+{YEAR})?", day_month),
    )
)
_NAMES = MONTH[1:-1]
_ANY_DAY = (
    rf"(\d{{4}}-\d\d-\d\d|(?:{_NAMES})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+(?:19|20)\d\d)?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_NAMES})(?:,?\s+(?:19|20)\d\d)?)"
)
_OF_MONTH = rf"{MONTH}(?:,?\s+{YEAR})?"
_SEVERAL_MONTHS = lazy_regex(
    r"\b(?<!between )(?<!from )(?:in\s+)?"
    rf"((?:{_NAMES})(?:\s*(?:,|and|or|,\s*and)\s*(?:{_NAMES})\b)+)(?:,?\s+{YEAR})?\b"
)
_EITHER_ORDER = lazy_regex(rf"(?<![\w/-])(0?[1-9]|1[0-2])([/-])(0?[1-9]|1[0-2])\2{YEAR}(?!\w)")
# expressions that name a time by themselves, and those relative to the day of asking or a named day
_ABSOLUTE = (
    *_compiled(
        (
            (rf"(day|week|weekend|month|year)\s+(before|after)\s+{_ANY_DAY}", _adjacent),
            (
                rf"(first|second|third|fourth|last)\s+(?:{COUNT}\s+)?(week|weekend)s?\s+(?:of|in)\s+"
                rf"{_OF_MONTH}",
                _part_of_month,
            ),
            (
                r"(early|mid|late|beginning|start|middle|end)()()(?:\s+of\s+|\s+in\s+|-|\s+)"
                rf"{_OF_MONTH}",
                _part_of_month,
            ),
        )
    ),
    *_EXACT,
    *_compiled(
        (
            (rf"{_HOLIDAY}(?:,?\s+(?:of\s+|in\s+)?{YEAR})?", _holiday),
            (rf"(?:from|between)\s+{_OF_MONTH}\s+(?:to|and|until|till)\s+{_OF_MONTH}", _months),
            (rf"(?:in|during|since|of)\s+{_OF_MONTH}", month),
            (rf"{MONTH},?\s+{YEAR}", month),
            (rf"(?:in\s+|since\s+)?(?<![\d./])(0?[1-9]|1[0-2])[./]{YEAR}", numeric_month),
            (
                r"(early|mid|late|beginning|start|middle|end)(?:\s+of\s+|\s+in\s+|-|\s+)"
                rf"{YEAR}",
                _part_of_year,
            ),
            (rf"(?:from|between)\s+{YEAR}\s+(?:to|and|until|till)\s+{YEAR}", _years),
            (r"(?:in\s+)?the\s+((?:19|20)\d)0s", _decade),
            (rf"(?:in|during|since|around|circa)\s+{YEAR}", in_year),
            (rf"(in|since|until|the)\s+{_NAMED_SEASON}", season),
        )
    ),
)
_RELATIVE = _compiled(
    (
        (rf"{DAY}\s+{COUNT}\s+{_UNIT}\s+{_AGO}", _weekday_ago),
        (rf"half\s+an?\s+{_UNIT}\s+{_AGO}", _halves_ago),
        (rf"{COUNT}\s+and\s+a\s+half\s+{_UNIT}\s+{_AGO}", _halves_ago),
        (rf"(an?|one)\s+{_UNIT}\s+and\s+a\s+half\s+{_AGO}", _halves_ago),
        (_COUNTED_AGO, _ago),
        (rf"(?:past|last)\s+{COUNT}\s+{_UNIT}", _past),
        (r"past\s+(week|month|year)", _lately),
        (rf"(?:last|on|past|this)\s+{DAY}", weekday),
        (r"(?:last|past)\s+(weekend|week|month|year)", last),
        (r"this\s+(week|month|year)", this),
        (r"(?:the\s+)?day before yesterday", lambda now, _: _days_before(now, 2)),
        (r"yesterday|last night", lambda now, _: _days_before(now, 1)),
        (r"today|this (?:morning|afternoon|evening)", lambda now, _: (now, now)),
        (rf"last\s+{_OF_MONTH}", month),
        (rf"(?:in\s+)?(?:the\s+)?(last|this|next)\s+{_NAMED_SEASON}", season),
        (rf"next\s+(week|weekend|month|year|{'|'.join(DAYS)})", following),
        (r"tomorrow", tomorrow),
    )
)


_COUNTED = lazy_regex(_COUNTED_AGO)
# the beginning of what lasts until now
_SINCE = _compiled(
    (
        (rf"since\s+{COUNT}\s+{_UNIT}(?!\s+{_AGO})", _ago),
        (rf"(?:for|over)\s+the\s+(?:last|past)\s+{COUNT}\s+{_UNIT}", _ago),
    )
)
# "I lived there for two years" may be over
_FOR = [*_SINCE, *_compiled(((rf"for\s+{COUNT}\s+{_UNIT}(?!\s+{_AGO})", _ago),))]
_RECURRING = lazy_regex(
    r"(?:(?:in|on|during|at)\s+)?(?:the\s+)?"
    rf"(?:{_NAMES}|{'|'.join((*DAYS, *SEASONS))}|{_HOLIDAY})s?"
)


_DAY_WITH_YEAR = lazy_regex(rf"{_ANY_DAY}(?<=\b\d{{4}})")


# every English expression has one of these words, or a number
_WORDS = frozenset(
    (
        *_MONTHS,
        *(name[:3] for name in _MONTHS),
        *DAYS,
        *SEASONS,
        *(f"{unit}{plural}" for unit in (*_UNITS, "weekend") for plural in ("", "s")),
        *("yesterday", "today", "tomorrow", "morning", "afternoon", "evening", "night"),
        *("christmas", "halloween"),
    )
)


def _may_match(text: str) -> bool:
    """True if a lower-case text may have an English expression: most have none, and the rules take
    a hundred times as long to find that out."""
    found = re.findall(r"\w+", text)
    return not _WORDS.isdisjoint(found) or any(word[0].isdecimal() for word in found)


@lru_cache(256)  # each search of a turn asks for those of the same message
def intervals(text: str, now: date, back: int = 0) -> tuple[Interval, ...]:
    """The intervals that a text names, relative to the day ``now``. In English, next to a full date
    "last Friday" is relative to that date. A time of the year without its year is the last one, or
    lies so many years ``back`` from that."""
    text, then = composed(text), day_before("year", back, now)
    if (other := _other(text, now, then)) and other.days:
        return tuple(other.days)
    text = text.casefold()
    if not _may_match(text):
        return (*_by_name(text, now, then),)
    text = _separated(text)
    found = list(_intervals(text, now, _ABSOLUTE, then))
    dated = _DAY_WITH_YEAR.search(text)
    from_day = _exact(dated.group(0), now) if dated else None
    rest = _without(text, _ABSOLUTE)
    found += _intervals(rest, from_day or now, _RELATIVE)
    return (*found, *_by_name(_without(rest, _RELATIVE), now, then))


@lru_cache(256)
def _other(
    text: str, now: date = _LATE, then: date | None = None
) -> times_by_language.Reading | None:
    """The times of a text that may be in another language than English."""
    lowered = text.casefold()
    codes = times_by_language.languages(lowered)
    if codes == ("en",) or ("en" in codes and _without_english(lowered) != lowered):
        return None
    return times_by_language.times(text, now, then)


def leading_time(text: str, now: date, *, lasting: bool = False) -> tuple[str, Interval | None]:
    """The time expression that a text begins with, or that is all of it ("about a year ago", "since
    2019"), and the interval that it names or in which it began. With ``lasting``, "for three years"
    is one as well. None for the interval if the text begins with no time or with several."""
    lowered = _EITHER_ORDER.sub(r"in \4", composed(text).casefold())
    durations = _FOR if lasting else _SINCE
    rest = _without(lowered, durations)
    spans = [*_intervals(lowered, now, durations), *intervals(rest, now)]
    words = without_times(rest).split()
    while words and words[0] in TIME_LEADS:
        del words[0]
    left, tidy = " ".join(words), " ".join(text.split())
    begins = len(spans) == 1 and " ".join(lowered.split()).endswith(left)
    return (tidy[: len(tidy) - len(left)].strip(), spans[0]) if begins else ("", None)


def whole_time(text: str, now: date) -> Interval | None:
    """The interval that a text names if it is nothing but one time, in any language: "hier" is
    yesterday in French. "A year ago" is a day here, though in a message it is hardly one. None for
    any other text, and for what is another time elsewhere."""
    if counted := _COUNTED.fullmatch(composed(text).casefold().strip()):
        return _days_before(now, number(counted[1]) * _UNITS[counted[2]])
    time, span = leading_time(text, now)
    found = intervals(text, now)
    if span and time == " ".join(text.split()):
        return span if len(found) <= 1 else None
    lowered = composed(text).casefold().strip()
    if len(found) == 1 and [name for name, _ in _names(lowered)] == [lowered]:
        return found[0]
    read = set()
    for code in times_by_language.with_times(lowered):
        reading = times_by_language.read(lowered, now, code)
        if len(reading.days) == 1 and function_words(code).issuperset(reading.rest.split()):
            read.add(reading.days[0])
    if not read:  # a name that is also another word: May, March, summer
        time, span = leading_time(f"in {lowered}", now)
        return span if time == f"in {lowered}" else None
    return read.pop() if len(read) == 1 else None


def may_recur(time: str) -> bool:
    """True if a time expression may also name a time of every year or week: "in summer"."""
    lowered = composed(time).casefold()
    if _RECURRING.fullmatch(lowered):
        return True
    if (other := _other(composed(time))) and other.days:
        return other.recurring
    named = any(True for _ in _names(_without(_without(lowered, _ABSOLUTE), _RELATIVE)))
    return named and not any(map(str.isdecimal, time))


def _separated(text: str) -> str:
    """A text with several times apart: months, and both days that 3/5/2019 may be."""
    return _EITHER_ORDER.sub(_both_orders, _SEVERAL_MONTHS.sub(_separate, text))


def _both_orders(found: re.Match[str]) -> str:
    one, other = (f"{int(found[place]):02}" for place in (1, 3))
    return " ".join(dict.fromkeys((f"{found[4]}-{other}-{one}", f"{found[4]}-{one}-{other}")))


def _separate(found: re.Match[str]) -> str:
    """ "In January and March 2023" as "in January 2023 in March 2023"."""
    year = found.group(2) or ""
    return " ".join(f"in {name} {year} " for name in re.findall(_NAMES, found.group(1)))


def _intervals(
    text: str, now: date, rules: Sequence[_Rule], then: date | None = None
) -> Iterator[Interval]:
    """The intervals of the expressions that match; ``then``: what those without a year are relative
    to."""
    for pattern, meaning in rules:
        for found in pattern.finditer(text):
            try:
                yield meaning(now if re.search(YEAR, found[0]) else then or now, found)
            except (ValueError, OverflowError):  # the 31st of June, 999 years ago
                continue
        text = pattern.sub(" ", text)  # "May 3rd, 2023" is not "in 2023" as well


@lru_cache(256)  # asked for again for the words of the same question
def without_times(text: str) -> str:
    """A text without its time expressions, in lower case."""
    text = composed(text)
    if (other := _other(text)) and other.days:
        return other.rest
    return _without_english(text.casefold())


def _without_english(text: str) -> str:
    if not _may_match(text):
        return text
    return _without(_without(_separated(text), _ABSOLUTE), _RELATIVE)


def named_times(text: str) -> list[str]:
    """The months, weekdays, seasons and years in the time expressions of a text, as words by which
    another text may name them."""
    text, rest = composed(text), without_times(text)
    if (other := _other(text)) and other.days:
        return list(other.names)
    text = text.casefold()
    left = set(rest.split())
    named = _NAMED.findall(text) if _may_match(text) else []
    words = [word for word in named if word not in left]
    return list(dict.fromkeys([*words, *(word for word, _ in _names(rest))]))


_NAMED = lazy_regex(
    rf"\b(?:{_NAMES}|{'|'.join(DAYS)}|{'|'.join(SEASONS)}|(?:19|20)\d\d"
    r"|christmas|halloween|valentine|boxing|eve)\b"
)


def _by_name(text: str, now: date, then: date) -> Iterator[Interval]:
    """Intervals of the months and weekdays that a text names in any language."""
    for _, (which, number) in _names(text):
        if which == "month":
            year = re.search(rf"\b{YEAR}\b", text)
            yield month_of(int(year[1]) if year else latest_year(then, number), number)
        else:
            yield _days_before(now, (now.weekday() - number) % 7 or 7)


def _names(text: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Words for months and weekdays in a lower-case text, with their numbers: those of English and
    of languages that are not read (``times_by_language``), but for short ones and for those that
    mean something else in English."""
    known, read = calendar(), times_by_language.known_names()
    for word in _LETTERS.findall(text):
        if len(word) < LEAST or word in _NO_NAMES or (word in read and word not in _WORDS):
            continue
        if (number := known.month(word)) is not None:
            yield word, ("month", number)
        elif (number := known.weekdays.get(word)) is not None:
            yield word, ("weekday", number)


def _without(text: str, rules: Sequence[_Rule]) -> str:
    for pattern, _ in rules:
        text = pattern.sub(" ", text)
    return text


def nearness(at: str | None, spans: Sequence[Interval]) -> float:
    """Closeness of a moment (ISO 8601) to the nearest interval: 1 inside, decreasing with each day
    outside. Events are mentioned on the day or later, rarely before, so after an interval it
    decreases more slowly."""
    if not at or not spans:
        return 0.0
    try:
        day = date.fromisoformat(at[:10])
    except ValueError:
        return 0.0
    return round(max(_closeness(day, first, last) for first, last in spans), 4)


def _closeness(day: date, first: date, last: date) -> float:
    length = (last - first).days
    if day < first:
        return math.exp(-(first - day).days / (1 + length / 4))
    return math.exp(-max(0, (day - last).days) / (7 + length))


def selectivity(nearness: Sequence[float]) -> float:
    """Discriminating power, from 0 to 1, of the time in a question, by the candidates' closeness to
    it: 0 if all are close ("this year", in a store of one year)."""
    mean = sum(nearness) / len(nearness) if nearness else 0.0
    return min(1.0, -math.log(mean)) if mean > 0 else 0.0


def asks_when(question: str) -> bool:
    """True if a question asks for a time."""
    return _ASKS_WHEN.match(question.strip()) is not None


def asks_what_was_said(question: str) -> bool:
    """True if a question asks for what was said: "What did I tell you yesterday?"."""
    text = normal(question)
    asked = WORD.findall(text)
    if TOLD.intersection(asked) or any(word in text for word in TOLD if has_unspaced(word)):
        return True
    return "did" in asked and not TELL.isdisjoint(asked[asked.index("did") :])


@lru_cache(4096)  # most candidates of a question recur in the next one
def says_when(text: str) -> bool:
    """True if a text contains a time, exact or not ("last Friday", "in May", "since 2019")."""
    return _SAYS_WHEN.search(text) is not None


_ASKS_WHEN = lazy_regex(r"(?:when|how long|what (?:day|date|time|month|year))\b", re.IGNORECASE)
_SAYS_WHEN = lazy_regex(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|recently|since|morning"
    rf"|days?|weeks?|weekend|months?|years?|(?:19|20)\d\d|{'|'.join(DAYS)}|{'|'.join(_MONTHS)})\b",
    re.IGNORECASE,
)


def ago(at: str, today: str) -> str:
    """Time from a moment to ``today`` in words, such as "2 weeks ago"; empty for the future."""
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
    """The number written as a word or in digits."""
    return int(word) if word.isdigit() else _NUMBERS[word]


def _month_number(word: str) -> int:
    return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(word))
