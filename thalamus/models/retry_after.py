"""Refusals of servers that are busy for a while, and how long they ask to wait."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from thalamus.text.lazy_regex import lazy_regex

BUSY = (429, 503, 529)  # too many requests, unavailable or loading, overloaded

# limits that no waiting lifts, and those that none lifts unless the server names a time
_EXHAUSTED = lazy_regex(
    r"insufficient[_ ](?:quota|credit|balance|funds)|per[-_ ]?day|\bdaily\b|\blimit: 0\b",
    re.IGNORECASE,
)
_PAYABLE = lazy_regex(r"billing|current quota|payment|\bcredits?\b", re.IGNORECASE)
_UNIT = r"(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)"
_IN_TEXT = lazy_regex(
    r"(?:try again|retry|wait|available|resets?)(?:[^.\n]{0,40}?)(?:in|after|for|about|:)\s*"
    rf"((?:\d+(?:\.\d+)?\s*{_UNIT}(?![a-z])\s*)+)"
    rf"|\"?(?:retryDelay|retry_after|estimated_time)\"?\s*[:=]\s*\"?((?:\d+(?:\.\d+)?\s*{_UNIT}?)+)",
    re.IGNORECASE,
)
_PART = lazy_regex(rf"(\d+(?:\.\d+)?)\s*({_UNIT})?", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
_HEADERS = ("retry-after", "x-ratelimit-reset-after")


def is_busy(status: int, words: str, headers: Mapping[str, str]) -> bool:
    """True if a refusal is one that a later request may not get."""
    if status not in BUSY or _EXHAUSTED.search(words):
        return False
    return not _PAYABLE.search(words) or retry_after(words, headers) is not None


def retry_after(words: str, headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait, by its headers or its words; None if it names no time."""
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    for name in _HEADERS:
        value = headers.get(name, "").strip()
        seconds = _number(value)
        if seconds is None and value:
            seconds = _until(value, headers.get("date", ""))
        if seconds is not None:
            return seconds
    found = _IN_TEXT.search(words)
    return None if found is None else _duration(found[1] or found[2])


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < 1e9 else None


def _until(value: str, date: str) -> float | None:
    """Seconds up to an HTTP date, by the server's own clock if it sent its time; or a duration such
    as ``1m30s``."""
    try:
        moment = parsedate_to_datetime(value)
        now = parsedate_to_datetime(date) if date else datetime.now(UTC)
        return max(0.0, (moment - now).total_seconds())
    except (ValueError, TypeError):
        return _duration(value) if re.fullmatch(rf"(?:[\d.]+{_UNIT})+", value) else None


def _duration(text: str) -> float:
    """Seconds of a duration such as ``1m30s``; a number without a unit is in seconds."""
    total = 0.0
    for number, unit in _PART.findall(text):
        is_ms = unit.lower().startswith(("ms", "milli"))
        total += float(number) * _SECONDS["ms" if is_ms else unit[:1].lower() or "s"]
    return total
