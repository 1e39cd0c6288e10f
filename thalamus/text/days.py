"""Days in words."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def day_in_words(at: str) -> str:
    """The day of a moment (ISO 8601) in words that a question would use: 8 May 2023."""
    return _in_words(at[:10])


@lru_cache(maxsize=4096)
def _in_words(day: str) -> str:
    try:
        said = date.fromisoformat(day)
    except ValueError:
        return ""
    return f"{said.day} {MONTHS[said.month - 1]} {said.year}"
