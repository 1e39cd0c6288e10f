"""Arithmetic with calendar days."""

from __future__ import annotations

import calendar
from datetime import date, timedelta


def shifted(day: date, *, years: int = 0, months: int = 0, weeks: int = 0, days: int = 0) -> date:
    """A day the given distance after ``day`` (before it if negative). Years and months are added
    first; a day that the month does not have becomes its last one. Raises ``ValueError`` for a day
    outside the years 1 to 9999."""
    month = day.year * 12 + day.month - 1 + years * 12 + months
    year, month = divmod(month, 12)
    if not date.min.year <= year <= date.max.year:
        raise ValueError(f"the year {year} is not between 1 and 9999")
    last = calendar.monthrange(year, month + 1)[1]
    try:
        return date(year, month + 1, min(day.day, last)) + timedelta(weeks=weeks, days=days)
    except OverflowError:
        raise ValueError("the date is not between the years 1 and 9999") from None


def between(first: date, second: date) -> dict[str, int]:
    """The days from one day to another (negative if it is earlier), and the same distance as whole
    years, months and days."""
    days = (second - first).days
    early, late = sorted((first, second))
    months = (late.year - early.year) * 12 + late.month - early.month
    if shifted(early, months=months) > late:
        months -= 1
    rest = (late - shifted(early, months=months)).days
    return {"days": days, "years": months // 12, "months": months % 12, "rest_days": rest}
