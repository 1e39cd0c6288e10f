"""Dates and times given as options."""

from __future__ import annotations


def read_date(value: str | None, option: str) -> str | None:
    """Reads a date as ``clock.read_date`` does, in the user's time zone."""
    from thalamus import clock
    from thalamus.terminal.local import zone

    return clock.read_date(value, option, zone())
