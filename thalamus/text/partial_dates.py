"""Partial dates: a year, a month or a day."""

from __future__ import annotations

import re
from datetime import date, timedelta, tzinfo

from msgspec import Struct

from thalamus.text.local_time import midnight

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?")


class PartialDate(Struct, frozen=True):
    """A year, a month or a day."""

    year: int
    month: int | None = None
    day: int | None = None

    @classmethod
    def of(cls, day: date) -> PartialDate:
        """The date as a full day."""
        return cls(day.year, day.month, day.day)

    @property
    def first(self) -> date:
        """Its first day."""
        month, day = (1 if part is None else part for part in (self.month, self.day))
        return date(self.year, month, day)

    @property
    def after(self) -> date:
        """The day after its last day."""
        if self.month is None:
            return date(self.year + 1, 1, 1)
        if self.day is None:
            return date(self.year + self.month // 12, self.month % 12 + 1, 1)
        return self.first + timedelta(days=1)

    @property
    def precision(self) -> str | None:
        """Its precision in the metadata of a fact: "year" or "month"; None for a day."""
        if self.month is None:
            return "year"
        return "month" if self.day is None else None

    def __str__(self) -> str:
        parts = [f"{self.year:04}"]
        parts += [f"{part:02}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)


def parse(text: str | None) -> PartialDate | None:
    """Parses an ISO 8601 date of any precision; None if the text is not a date, or has none after
    it."""
    found = _ISO.fullmatch(text or "")
    if found is None:
        return None
    parsed = PartialDate(int(found[1]), *(int(part) for part in found.groups()[1:] if part))
    try:
        parsed.first, parsed.after  # noqa: B018  raises for 31 February, and for the year 9999
    except (ValueError, OverflowError):
        return None
    return parsed


def interval(
    begin: PartialDate | None, end: PartialDate | None, zone: tzinfo
) -> tuple[str | None, str | None]:
    """The moments at which a period begins and ends that is said by its first and its last day,
    month or year: "until June" is until the end of June."""
    start = midnight(begin.first, zone) if begin else None
    stop = midnight(end.after, zone) if end else None
    return start, stop
