"""Dates and times given as options."""

from __future__ import annotations


def read_date(value: str | None, option: str) -> str | None:
    """The same as ``clock.read_date``, in the user's time zone."""
    from thalamus import clock
    from thalamus.terminal.local import zone

    return clock.read_date(value, option, zone())
