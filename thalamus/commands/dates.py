"""Dates and times given as options."""

from __future__ import annotations


def read_date(value: str | None, option: str, *, end: bool = False) -> str | None:
    """Reads a date as ``clock.read_date`` does, in the user's time zone; with ``end`` a year, a
    month or a day stands for its last moment."""
    from thalamus import clock
    from thalamus.terminal.local import zone
    from thalamus.text.local_time import midnight
    from thalamus.text.partial_dates import parse

    day = parse((value or "").strip())
    if end and day is not None and "T" not in (value or ""):
        return midnight(day.after, zone())
    return clock.read_date(value, option, zone())


def read_since(value: str | None, option: str, now: str) -> str | None:
    """Reads a date as ``read_date`` does, or a time up to ``now``: hours, days or weeks (12h, 30d,
    4w)."""
    from thalamus.clock import days_in, days_later
    from thalamus.errors import UsageError

    days = days_in(value or "", "hdw")
    if days is None:
        try:
            return read_date(value, option)
        except UsageError as error:
            raise UsageError(str(error), fix="Or give a time such as 12h, 30d or 4w.") from None
    try:
        return days_later(now, -days)
    except (OverflowError, ValueError):
        raise UsageError(f"invalid {option} {value!r}: too long ago") from None
