"""Dates given as options."""

from __future__ import annotations


def read_date(value: str | None, option: str) -> str | None:
    """A date or time option as RFC 3339 text in UTC; None when not given. What has no zone of its
    own is of the user's; a year or a month is its first moment.

    Raises ``UsageError`` naming the option, also when it is empty: a script's variable was not set.
    """
    if value is None:
        return None
    import re

    from thalamus.clock import format_time, parse_time
    from thalamus.errors import UsageError
    from thalamus.terminal.local import zone

    if not value.strip():
        raise UsageError(f"{option} is empty")

    whole = value.strip()
    if re.fullmatch(r"\d{4}(?:-\d\d)?", whole):
        whole += "-01" if len(whole) == 7 else "-01-01"
    try:
        return format_time(parse_time(whole, zone()))
    except ValueError:
        raise UsageError(
            f"invalid {option} {value!r} (expected a date such as 2026-05-08)"
        ) from None
