"""Dates in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)

_EASTERNMOST = timedelta(hours=14)  # a day begins that much earlier than in UTC

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day_in_words(at: str) -> str:
    """The day of a moment (ISO 8601) as a question would phrase it: 8 May 2023."""
    return _in_words(at[:10])


@lru_cache(maxsize=4096)
def _in_words(day: str) -> str:
    try:
        date_ = date.fromisoformat(day)
    except ValueError:
        return ""
    return f"{date_.day} {MONTHS[date_.month - 1]} {date_.year}"


def as_said(day: str, at: str | None, metadata: Mapping[str, Any]) -> str:
    """A day (ISO 8601) of a fact at its original precision: ``2026-05`` for "last month", ``2019``
    for "in 2019", ``about 2026-04-27`` for "last week". ``at`` is its moment, for which
    ``metadata["precision"]`` of the fact has the precision."""
    known = metadata.get("precision")
    precision = known.get(at) if isinstance(known, Mapping) else None
    if precision == "year":
        return _begun(day, at)[:4]
    if precision == "month":
        return _begun(day, at)[:7]
    if precision == "season":
        return f"about {_begun(day, at)[:7]}"
    return f"about {day}" if precision in ("week", "about") else day


def _begun(day: str, at: str | None) -> str:
    """The first day of a month or year that begins at ``at``, a midnight in any time zone: the
    ``day`` of that moment in another zone may be the last one of the month before."""
    try:
        return str((datetime.fromisoformat(at or day) + _EASTERNMOST).date())
    except (ValueError, OverflowError):
        return day
