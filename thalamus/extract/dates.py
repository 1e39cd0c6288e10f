"""Dates proposed by a model, checked for their form, their order and against the quote.

Relative expressions ("in two weeks") cannot be read in every language. So a date is accepted if no
digit and no month name in the quote contradicts it and it lies near the message. A wrong date is
worse than none: a date that does not fit is left out.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

from thalamus.policy.time_expressions import leading_time, may_recur
from thalamus.text.calendar import Calendar
from thalamus.text.names import ascii_digits, numbers
from thalamus.text.partial_dates import PartialDate, parse

# distance from the message within which a date is accepted that the quote does not spell out
YEARS = 10
LONGEST_COUNT = 366  # days between the ends of a period of which one is counted from the other
# words (in the scripts of India with their vowels) and numbers
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_.׳॰]|[\u0900-\u0963\u0980-\u09e3])*|\d+")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d|21\d\d)(?!\d)")
# 5月3日, 5월 3일
_COUNTED = re.compile("(?<!\\d)(\\d{1,2}) ?[\u6708\uc6d4](?: ?(\\d{1,2}) ?[\u65e5\u53f7\uc77c])?")
_ENDED = re.compile(r"$|[,;.!(–—-]")  # start of the text after a clause
SHORT = 3  # letters of a month's name that may also be another word
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,4})([./-])(\d{1,2})(?:\2(\d{1,4}))?(?![\d])")


def checked(
    text: str | None, quote: str, message: str, said_on: date, calendar: Calendar
) -> PartialDate | None:
    """The date that a model proposes for a quote; None if it is missing, malformed, or contradicted
    by the quote."""
    found = parse(text)
    if found is None or _contradicted(found, quote, calendar):
        return None
    written = _has_year(found.year, message)
    return found if written or abs(found.year - said_on.year) <= YEARS else None


def counted(
    text: str | None, other: PartialDate | None, quote: str, calendar: Calendar
) -> PartialDate | None:
    """The date that a model counted from the ``other`` end of the same period, "from the 20th for
    ten days"; None if the quote names another date than that end, or only numbers of which none is
    the distance."""
    found = parse(text)
    if found is None or other is None or not (found.day and other.day):
        return None
    quote = ascii_digits(quote)
    if _contradicted(other, quote, calendar) or str(other.day) not in numbers(quote):
        return None
    months = months_in(quote, calendar)
    days = {day for of_month in months.values() for day in of_month}
    if len(months) > 1 or days - {other.day}:
        return None
    distance = abs((found.first - other.first).days)
    rest = {int(number) for number in numbers(quote)} - {other.day, other.month, other.year}
    counts = {distance, distance + 1, *(n for n in range(1, 13) if _months_apart(found, other, n))}
    counts |= {days // 7 for days in (distance, distance + 1) if days % 7 == 0}
    within = 0 < distance <= LONGEST_COUNT
    return found if within and (not rest or rest & counts) else None


def _months_apart(one: PartialDate, other: PartialDate, count: int) -> bool:
    months = [day.year * 12 + (day.month or 1) for day in (one, other)]
    return one.day == other.day and abs(months[0] - months[1]) == count


def named(
    text: str, said_on: date, *, state: bool, lasting: bool = False
) -> tuple[str, PartialDate | None] | None:
    """The time expression right at the beginning of what follows a statement, and its date; an
    empty text if the statement ends there, None if anything else follows, or a time to come.

    Of a ``state``, a time that may recur ("in summer") is not the beginning. ``lasting``: a
    duration ("for three years") tells the beginning.
    """
    if _ENDED.match(text.strip()):
        return "", None
    time, span = leading_time(text, said_on, lasting=lasting)
    if span is None or span[0] > said_on or (state and may_recur(time)):
        return None
    ended = _ENDED.match(" ".join(text.split())[len(time) :].strip())
    return (time, of_span(*span)) if ended else None


def of_span(first: date, last: date) -> PartialDate:
    """A span as a day, a month or a year; the day in the middle of any other one."""
    month = PartialDate(first.year, first.month)
    if (first, last + timedelta(days=1)) == (month.first, month.after):
        return month
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
        return PartialDate(first.year)
    return PartialDate.of(first + (last - first) / 2)


def months_in(text: str, calendar: Calendar) -> dict[int, list[int]]:
    """Months named in a text, each with the numbers next to it that could be days. Short names
    count only with a capital or next to a number: "may" is a verb."""
    text = ascii_digits(unicodedata.normalize("NFKC", text))
    found: dict[int, list[int]] = {}
    for match in _COUNTED.finditer(text):
        if 1 <= int(match[1]) <= 12:
            found.setdefault(int(match[1]), []).extend([int(match[2])] if match[2] else [])
    tokens = _WORD.findall(text)
    for place, token in enumerate(tokens):
        month = calendar.month(token.casefold())
        before, after = tokens[max(0, place - 2) : place], tokens[place + 1 : place + 2]
        by_number = any(map(str.isdecimal, (*before[-1:], *after)))
        if month is None or (len(token) <= SHORT and token[0].islower() and not by_number):
            continue
        neighbours = (*before, *after)
        days = [int(other) for other in neighbours if other.isdecimal() and 1 <= int(other) <= 31]
        found.setdefault(month, []).extend(days)
    return found


def _has_year(year: int, text: str) -> bool:
    """True if the text contains the year, in full or as two digits ('87)."""
    text = ascii_digits(text)
    return re.search(rf"(?<!\d){year}(?!\d)|['’]{year % 100:02}(?!\d)", text) is not None


def _contradicted(found: PartialDate, quote: str, calendar: Calendar) -> bool:
    """True if the quote names a different year, month or day."""
    quote = ascii_digits(quote)
    years = {int(year) for year in _YEAR.findall(quote)}
    if years and found.year not in years:
        return True
    months = months_in(quote, calendar)
    if months and found.month is not None:
        if found.month not in months:
            return True
        days = [day for of_month in months.values() for day in of_month]
        return bool(days) and found.day is not None and found.day not in days
    numeric = [match for match in _NUMERIC.finditer(quote) if not _is_price(match)]
    if found.day is not None and len(numeric) == 1 and _is_date(numeric[0].groups()):
        written = {int(part) for part in numeric[0].groups() if part and part.isdecimal()}
        return not {found.day, found.month} <= written
    return False


def _is_price(match: re.Match[str]) -> bool:
    """True if a currency sign is beside a number: "£5.10", "5.10 €"."""
    before, after = match.string[: match.start()].rstrip(), match.string[match.end() :].lstrip()
    return any(unicodedata.category(sign) == "Sc" for sign in before[-1:] + after[:1])


def _is_date(parts: tuple[str | None, ...]) -> bool:
    """True if numbers separated by dots, slashes or dashes may be a day and a month: "3.11.", but
    neither "6.52" nor the time "9.15". Where a dot separates them, the day is first."""
    first, mark, second, third = parts
    numbers = [int(part) for part in (first, second, third) if part]
    day_first = mark != "." or numbers[1] <= 12
    possible = mark != "-" and day_first and max(numbers[:2]) <= 31 and min(numbers[:2]) <= 12
    return third is not None or possible
