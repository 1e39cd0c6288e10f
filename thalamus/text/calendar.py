"""Names of months and weekdays in thirty languages (``data/calendar.json``, after Unicode CLDR)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from thalamus import data

# letters shared with a month's name from which a longer word counts as an inflected form
_INFLECTED = 6


class Calendar(NamedTuple):
    """Names of months and weekdays in lower case, with their numbers (January 1, Monday 0)."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]

    def month(self, word: str) -> int | None:
        """The number of a month, by its name in lower case or an inflected form."""
        if word in self.months:
            return self.months[word]
        begins = (word[:length] for length in range(len(word) - 1, _INFLECTED - 1, -1))
        return next((self.months[part] for part in begins if part in self.months), None)


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
