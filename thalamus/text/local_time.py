"""Moments in the user's time zone.

Moments are stored in UTC (RFC 3339). Times shown to a person or a model, and words such as
"yesterday", refer to the user's time zone.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache


@lru_cache(maxsize=4096)
def local(at: str, zone: tzinfo) -> str:
    """Local time of a moment, in the same form without a zone: ``2026-05-08T15:56:00``. A text that
    is not a moment is returned unchanged."""
    try:
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(zone).replace(tzinfo=None).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return at


def local_day(at: str | None, zone: tzinfo) -> str:
    """Local day of a moment: ``2026-05-08``; empty for None."""
    return local(at, zone)[:10] if at else ""


def local_date(at: str, zone: tzinfo) -> date:
    """Local day of a moment. Raises ``ValueError`` for a text that is not a moment."""
    return date.fromisoformat(local_day(at, zone))


def midnight(day: date, zone: tzinfo) -> str:
    """First moment of a local day (RFC 3339 in UTC). If the clocks go forward at midnight, the
    moment at which they do."""
    try:
        moment = datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
    except OverflowError:  # the first and the last possible day
        moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
