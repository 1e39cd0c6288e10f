"""Dates in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any

from thalamus.text.local_time import local_day

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
    return _as_precise(day, _begun(day, at), at, metadata)


def last_day(at: str, metadata: Mapping[str, Any], zone: tzinfo) -> str:
    """The last day, month or year of what ends at a moment, as ``as_said`` has it: ``2026-06`` for
    midnight of the 1st of July, if June was said."""
    day = local_day(at, zone)
    try:
        end = datetime.fromisoformat(at)
        last = local_day((end - timedelta(seconds=1)).isoformat(), zone)
        within = str((end + _EASTERNMOST - timedelta(days=2)).date())
    except (ValueError, OverflowError):
        return as_said(day, at, metadata)
    return _as_precise(last, within, at, metadata)


def _as_precise(day: str, within: str, at: str | None, metadata: Mapping[str, Any]) -> str:
    """The day, or the month or the year that it is in according to the day ``within`` it."""
    known = metadata.get("precision")
    precision = known.get(at) if isinstance(known, Mapping) else None
    if precision == "year":
        return within[:4]
    if precision == "month":
        return within[:7]
    if precision == "season":
        return f"about {within[:7]}"
    return f"about {day}" if precision in ("week", "about") else day


def _begun(day: str, at: str | None) -> str:
    """The first day of a month or year that begins at ``at``, a midnight in any time zone: the
    ``day`` of that moment in another zone may be the last one of the month before."""
    try:
        return str((datetime.fromisoformat(at or day) + _EASTERNMOST).date())
    except (ValueError, OverflowError):
        return day
