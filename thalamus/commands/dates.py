"""Dates given as options."""

from __future__ import annotations


def read_date(value: str | None, option: str) -> str | None:
    """A date or time option as RFC 3339 text in UTC; None when not given.

    Raises ``UsageError`` naming the option.
    """
    if not value:
        return None
    from thalamus.clock import format_time, parse_time
    from thalamus.errors import UsageError

    try:
        return format_time(parse_time(value))
    except ValueError:
        raise UsageError(f"{option}: {value!r} is not a date; write it like 2026-05-08") from None
