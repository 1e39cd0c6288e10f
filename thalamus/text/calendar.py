"""The calendar: names of months and weekdays in thirty languages (``data/calendar.json``, after
Unicode CLDR), and its units as intervals of days."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

from thalamus import data

Interval = tuple[date, date]  # first and last day

# letters shared with a month's name from which a longer word counts as an inflected form
_INFLECTED = 6


class Calendar(NamedTuple):
    """Names of months and weekdays in lower case, with their numbers (January 1, Monday 0)."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]

    def month(self, word: str) -> int | None:
        """The number of a month, by its name in lower case or an inflected form."""
        if word in self.months:
            return self.months[word]
        begins = (word[:length] for length in range(len(word) - 1, _INFLECTED - 1, -1))
        return next((self.months[part] for part in begins if part in self.months), None)

    def differ(self, one: str, other: str) -> bool:
        """True for the names of two months or of two weekdays."""
        for number in (self.month, self.weekdays.get):
            first, second = number(one), number(other)
            if first != second:
                return first is not None and second is not None
        return False


@functools.cache
def calendar() -> Calendar:
    """The calendar that comes with the package."""
    import msgspec

    found = msgspec.json.decode(data.read("calendar.json"), type=dict[str, dict[str, list[str]]])
    months, weekdays = (
        {name: int(number) for number, names in found[kind].items() for name in names}
        for kind in ("months", "weekdays")
    )
    return Calendar(months, weekdays)


def latest_year(now: date, month: int, day: int = 1) -> int:
    """The year in which a month, or a day of it, has last begun."""
    return now.year - ((month, day) > (now.month, now.day))


def month_of(year: int, number: int) -> Interval:
    """The first and the last day of a month."""
    first = date(year, number, 1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def days_of_year(dates: str, year: int | None, now: date) -> Interval:
    """The days of "12-24/12-26" or "10-31" in a year, by default in the last in which they have
    begun."""
    first, _, last = dates.partition("/")
    month, day = map(int, first.split("-"))
    begins = date(year or latest_year(now, month, day), month, day)
    month, day = map(int, (last or first).split("-"))
    ends = date(begins.year, month, day)
    return begins, ends if ends >= begins else date(begins.year + 1, month, day)


def third_of(year: int, number: int, third: int) -> Interval:
    """The days 1 to 10, 11 to 20 or 21 to the last of a month, by ``third`` from 0."""
    first, last = month_of(year, number)
    begins = first + timedelta(days=10 * third)
    return begins, last if third == 2 else begins + timedelta(days=9)


def unit_of(unit: str, offset: int, now: date) -> Interval:
    """The day, week, month or year that lies so many from that of ``now``."""
    if unit == "day":
        day = now + timedelta(days=offset)
        return day, day
    if unit == "week":
        monday = now + timedelta(days=7 * offset - now.weekday())
        return monday, monday + timedelta(days=6)
    if unit == "month":
        months = now.year * 12 + now.month - 1 + offset
        return month_of(months // 12, months % 12 + 1)
    return date(now.year + offset, 1, 1), date(now.year + offset, 12, 31)


def day_before(unit: str, number: int, now: date) -> date:
    """The day so many days, weeks, months or years before ``now``; in a shorter month its last."""
    if unit in ("day", "week"):
        return now - timedelta(days=number * (7 if unit == "week" else 1))
    months = now.year * 12 + now.month - 1 - number * (12 if unit == "year" else 1)
    first, last = month_of(months // 12, months % 12 + 1)
    return first.replace(day=min(now.day, last.day))


def quarter(year: int, begins: int) -> Interval:
    """The three months from the one with the number ``begins``."""
    first = date(year, begins, 1)
    return first, (first + timedelta(days=95)).replace(day=1) - timedelta(days=1)


def season(begins: int, offset: int, now: date) -> Interval:
    """The season from the month ``begins`` on: the last one that is over (``offset`` -1) or has
    begun (0), or the next one (1)."""
    year = now.year + 1
    if offset > 0:
        while quarter(year - 1, begins)[0] > now:
            year -= 1
        return quarter(year, begins)
    while quarter(year, begins)[1 if offset < 0 else 0] >= now:
        year -= 1
    return quarter(year, begins)
