"""Time and identifiers, in one place so that both can be fixed.

With ``THALAMUS_NOW`` set (RFC 3339, or a date), the clock stands still, durations are 0 and ids are
derived from their content: the same commands then print the same bytes.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from thalamus.errors import UsageError

_DAYS = {"s": 1 / 86_400, "m": 1 / 1440, "h": 1 / 24, "d": 1, "w": 7, "y": 365}
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford base 32: sorts like the number


class _SystemZone(tzinfo):
    """The system's time zone with its daylight saving time: from ``TZ`` or the system's setting."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        naive = (moment or datetime.now()).replace(tzinfo=None)
        return naive.astimezone().utcoffset() or timedelta()

    def dst(self, moment: datetime | None) -> None:
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        return (moment or datetime.now()).replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, moment: datetime) -> datetime:
        utc = moment.replace(tzinfo=UTC)
        local = utc.astimezone().replace(tzinfo=None)
        is_repeated = local.astimezone(UTC) != utc  # the hour that occurs twice in autumn
        return local.replace(tzinfo=self, fold=int(is_repeated))


@lru_cache(maxsize=32)
def time_zone(name: str) -> tzinfo:
    """The time zone with an IANA name (``Europe/Lisbon``), or the system's for an empty name.

    Raises ``ValueError`` for an unknown name.
    """
    if not name:
        return _SystemZone()
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError):
        raise ValueError(f"{name!r} is not a time zone") from None


LAST_YEAR = 9998
UNENDING = f"Leave out what has no end: dates are up to the year {LAST_YEAR}."


def is_unending(text: str) -> bool:
    """True for a time after the last year, which others store for what has no end."""
    return text[:4] == str(LAST_YEAR + 1) and not text[4:5].isdigit()


def parse_time(text: str, zone: tzinfo = UTC) -> datetime:
    """Parses an ISO 8601 / RFC 3339 date or time; without a zone of its own it is in ``zone``.

    Raises ``ValueError`` for anything else, and for times after the year 9998: the periods around
    them have no end.
    """
    cleaned = text.strip()
    if cleaned[-1:] in "zZ" and "T" in cleaned.upper():
        cleaned = cleaned[:-1] + "+00:00"
    moment = datetime.fromisoformat(cleaned)
    if moment.year > LAST_YEAR:
        raise ValueError(f"{text!r} is out of range")
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{text!r} is out of range") from None


def read_date(value: str | None, option: str, zone: tzinfo = UTC) -> str | None:
    """A date or time from an option as RFC 3339 text in UTC; None if it was not given. Without a
    time zone it is in ``zone``; a year or month stands for its first moment.

    Raises ``UsageError`` with the option, also if it is empty, as when a script's variable is not
    set.
    """
    if value is None:
        return None
    import re

    whole = value.strip()
    if not whole:
        raise UsageError(f"{option} is empty")
    if re.fullmatch(r"\d{4}(?:-\d\d)?", whole):
        whole += "-01" if len(whole) == 7 else "-01-01"
    try:
        return format_time(parse_time(whole, zone))
    except ValueError:
        if is_unending(whole):
            raise UsageError(f"invalid {option} {value!r}", fix=UNENDING) from None
        raise UsageError(
            f"invalid {option} {value!r} (expected a date such as 2026-05-08)"
        ) from None


def format_time(moment: datetime) -> str:
    """RFC 3339 in UTC, with milliseconds if there are any."""
    moment = moment.astimezone(UTC)
    spec = "milliseconds" if moment.microsecond >= 1000 else "seconds"
    return moment.replace(tzinfo=None).isoformat(timespec=spec) + "Z"


class Clock:
    """Real time, or a fixed moment.

    ``fixed``: the moment at which the clock stands still, or None for the machine's clock.
    """

    def __init__(self, fixed: datetime | None = None) -> None:
        self.fixed = fixed

    @classmethod
    def from_environment(cls) -> Clock:
        """The clock configured by ``THALAMUS_NOW``."""
        text = os.environ.get("THALAMUS_NOW")
        if not text:
            return cls()
        try:
            return cls(parse_time(text))
        except ValueError:
            raise UsageError(
                f"invalid THALAMUS_NOW {text!r} (expected a date or time)",
                fix="Use a format such as 2026-05-08T13:56:00Z.",
            ) from None

    def now(self) -> datetime:
        return self.fixed or datetime.now(UTC)

    def stamp(self) -> str:
        """The present moment as RFC 3339 text."""
        return format_time(self.now())

    def tick(self) -> float:
        """A starting point for ``elapsed``."""
        return 0.0 if self.fixed else time.perf_counter()

    def elapsed(self, tick: float) -> int:
        """Milliseconds since ``tick``; 0 if the clock is fixed."""
        return 0 if self.fixed else round((time.perf_counter() - tick) * 1000)

    def new_id(self, prefix: str, *parts: object) -> str:
        """A new identifier such as ``mem_01jv9yq3k8c4x2m6t0ab``, sortable by time.

        With a fixed clock the id is derived from ``parts``; otherwise it is random.
        """
        if self.fixed:
            return make_id(prefix, self.fixed, b"", *parts)
        return _id(prefix, time.time_ns() // 1_000_000, os.urandom(8))

    def new_salt(self, *parts: object) -> str:
        """A salt for a digest, so that its content cannot be guessed: 32 hex digits.

        With a fixed clock it is derived from ``parts``, like ids.
        """
        if not self.fixed:
            return os.urandom(16).hex()
        import hashlib

        text = "\x1f".join(str(part) for part in parts)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def days_later(time: str, days: float) -> str:
    """The moment ``days`` after another one (before it if negative); RFC 3339 text."""
    return format_time(parse_time(time) + timedelta(days=days))


def days_in(period: str, units: str) -> float | None:
    """Days in a period of at most six digits and one of these ``units``, such as ``10m`` (minutes),
    ``12h``, ``30d``, ``4w`` or ``1y``; None for any other text."""
    count, unit = period[:-1], period[-1:]
    if not (unit and unit in units and count.isascii() and count.isdigit() and len(count) <= 6):
        return None
    return int(count) * _DAYS[unit]


def make_id(prefix: str, moment: datetime, salt: bytes, *parts: object) -> str:
    """``prefix_`` + 9 characters of time (milliseconds) + 12 characters of a BLAKE2 hash."""
    import hashlib

    digest = hashlib.blake2b(salt, digest_size=8)
    for part in parts:
        digest.update(b"\x1f" + str(part).encode())
    return _id(prefix, max(0, int(moment.timestamp() * 1000)), digest.digest())


def _id(prefix: str, millis: int, digest: bytes) -> str:
    return f"{prefix}_{_base32(millis, 9)}{_base32(int.from_bytes(digest, 'big'), 12)}"


def _base32(number: int, width: int) -> str:
    shifts = range(5 * (width - 1), -1, -5)
    return "".join([_ALPHABET[number >> shift & 31] for shift in shifts])
