"""Values of foreign exports: times in any of their forms, and clean text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from thalamus.clock import format_time, parse_time
from thalamus.text.storable import storable

_LATEST = 10**11  # seconds since 1970; larger numbers are parts of a second


def time_of(*values: Any) -> str | None:
    """RFC 3339 of the first value that is a time: text, or the seconds since 1970 (or the
    milli-, micro- or nanoseconds)."""
    for value in values:
        if not isinstance(value, (int, float, str)) or isinstance(value, bool):
            continue
        try:
            return format_time(_moment(value))
        except (ValueError, OverflowError, OSError):
            continue
    return None


def _moment(value: float | str) -> datetime:
    if isinstance(value, str):
        try:
            return parse_time(value.replace(" UTC", "+00:00"))
        except ValueError:
            value = float(value)
    if not 0 < value < _LATEST * 10**9:  # nor is NaN
        raise ValueError(f"{value} is not a time")
    while value > _LATEST:
        value /= 1000
    return datetime.fromtimestamp(value, UTC)


def clean(text: Any) -> str:
    """Text that can be stored; empty for anything but text."""
    return storable(text).strip() if isinstance(text, str) else ""


def identity(*values: Any) -> str:
    """The first value that can be an id, as text that can be stored; empty if there is none."""
    names = (str(value) for value in values if isinstance(value, (str, int)))
    return next((name for name in map(clean, names) if name), "")


def storable_value(value: Any) -> Any:
    """A JSON value with clean text; numbers that JSON does not know become null."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [storable_value(item) for item in value]
    if isinstance(value, dict):
        return {clean(name): storable_value(item) for name, item in value.items()}
    known = value is None or isinstance(value, bool) or -(2**63) < value < 2**63
    return value if known else None


def paragraphs(parts: Iterable[str]) -> str:
    """Parts with a blank line between them, without the blank ones."""
    return "\n\n".join(part for part in parts if part.strip())


def listed(value: Any) -> list[Any]:
    """A list as it is; nothing for anything else."""
    return value if isinstance(value, list) else []


def mapped(value: Any) -> dict[str, Any]:
    """An object as it is; nothing for anything else."""
    return value if isinstance(value, dict) else {}
