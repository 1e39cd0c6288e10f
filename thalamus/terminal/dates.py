"""Dates and times given as options."""

from __future__ import annotations

ACCEPTED = (
    "Give a date such as 2026-05-08, a time such as 12h, 30d or 4w before now, or a time in words:"
    ' yesterday, "last week", "in May 2025", 15.10.2025, gestern, 2025年10月.'
)


def read_date(
    value: str | None, option: str, *, end: bool = False, until: bool = False, ago: bool = True
) -> str | None:
    """Reads a date as ``clock.read_date`` does, in the user's time zone. With ``ago`` also hours,
    days or weeks before now (12h, 30d, 4w), or a past time as a message may name it, which stands
    for its first moment, and with ``until`` for its end. With ``end`` a date does so too.

    Raises ``UsageError`` for anything else.
    """
    from thalamus import clock
    from thalamus.errors import UsageError
    from thalamus.terminal.local import zone
    from thalamus.text.local_time import midnight
    from thalamus.text.partial_dates import parse

    day = parse((value or "").strip())
    if end and day is not None and "T" not in (value or ""):
        return midnight(day.after, zone())
    try:
        return clock.read_date(value, option, zone())
    except UsageError as error:
        if not ago or error.fix:
            raise
        found = _relative(value or "", option, end or until)
        if found is None:
            raise UsageError(str(error), fix=ACCEPTED) from None
        return found


def read_period(since: str | None, until: str | None) -> tuple[str | None, str | None]:
    """Reads --since and --until. Raises ``UsageError``, also unless the first is earlier."""
    from thalamus.errors import UsageError
    from thalamus.records.history import sortable

    begin, end = read_date(since, "--since"), read_date(until, "--until", until=True)
    if begin and end and sortable(begin) >= sortable(end):
        raise UsageError("--until must be later than --since.")
    return begin, end


def _relative(value: str, option: str, last: bool) -> str | None:
    """A time relative to the present one, if it is any."""
    from datetime import timedelta

    from thalamus.clock import Clock, days_in, days_later
    from thalamus.errors import UsageError
    from thalamus.policy.time_expressions import whole_time
    from thalamus.terminal.local import zone
    from thalamus.text.local_time import local_date, midnight

    now = Clock.from_environment().stamp()
    try:
        days = days_in(value.strip(), "hdw")
        if days is not None:
            return days_later(now, -days)
        span = whole_time(value, local_date(now, zone()))
        if span is None:
            return None
        return midnight(span[1] + timedelta(days=1) if last else span[0], zone())
    except (OverflowError, ValueError):
        raise UsageError(f"invalid {option} {value!r}: out of range") from None
