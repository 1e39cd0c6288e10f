"""Names that older versions stored in another Unicode form than they are written in today.

A condition on an owner or a session also finds the rows of these spellings. They are listed once,
since none is added, and kept in ``meta``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from thalamus.names import normal_name

SPELLINGS = "spellings"  # name in ``meta``
NAMED = ("user", "agent", "session")  # columns with names
# a placeholder, and the column that it is compared with if that has names
_NAME_OR_PLACE = re.compile(
    r'((?:\w+\.)?(?:"user"|agent|session)) (?:=|IS|IN \(SELECT value FROM json_each\() ?\?|\?'
)


class Spellings:
    """Other spellings of names, by their normal form."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.others: dict[str, list[str]] = {}
        for name in sorted(names):
            if name != normal_name(name):
                self.others.setdefault(normal_name(name), []).append(name)

    @classmethod
    def read(cls, text: str) -> Spellings:
        """The spellings listed in ``meta``."""
        return cls(msgspec.json.decode(text, type=list[str]))

    def written(self) -> str:
        """The spellings as listed in ``meta``."""
        names = sorted(name for others in self.others.values() for name in others)
        return msgspec.json.encode(names).decode()

    def of(self, name: str) -> tuple[str, ...]:
        """Every spelling of a name in the store, the normal one first."""
        normal = normal_name(name) or name
        return (normal, *self.others.get(normal, ()))

    def in_statement(self, sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
        """A statement that finds every spelling of the names among its values."""
        found: list[Any] = [*values]
        if not self.others:
            for place in name_places(sql):
                found[place] = self._names(found[place])
            return sql, found
        given = iter(values)
        found = []

        def replaced(place: re.Match[str]) -> str:
            value = next(given)
            if place[1] is None:
                found.append(value)
                return place[0]
            names = self._names(value)
            found.append(names)
            if isinstance(value, str) and not isinstance(names, str):
                return f"{place[1]} IN (SELECT value FROM json_each(?))"
            return place[0]

        return _NAME_OR_PLACE.sub(replaced, sql), found

    def _names(self, wanted: Any) -> Any:
        if isinstance(wanted, str):
            found = self.of(wanted)
            return found if len(found) > 1 else found[0]
        if wanted is None:
            return None
        return [name for one in wanted for name in (self.of(one) if one else [one])]


@functools.lru_cache(maxsize=1024)
def name_places(sql: str) -> tuple[int, ...]:
    """Positions, among the values of a statement, of the names that columns are compared with."""
    places = enumerate(_NAME_OR_PLACE.finditer(sql))
    return tuple(n for n, place in places if place[1] is not None)
