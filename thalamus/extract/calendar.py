"""Names of months and weekdays in thirty languages (``data/calendar.json``, after Unicode CLDR)."""

from __future__ import annotations

import functools

from thalamus import data
from thalamus.extract.dates import Calendar


@functools.cache
def calendar() -> Calendar:
    """The calendar that comes with the package."""
    import msgspec

    found = msgspec.json.decode(data.read("calendar.json"), type=dict[str, dict[str, list[str]]])
    months, weekdays = (
        {name: int(number) for number, names in found[kind].items() for name in names}
        for kind in ("months", "weekdays")
    )
    return Calendar(months, weekdays)
