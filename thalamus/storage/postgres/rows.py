"""Rows of PostgreSQL with access by name and by position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import psycopg


class PostgresRow(tuple[Any, ...]):
    """A row with access by name and by position."""

    names: dict[str, int]

    def __getitem__(self, place: Any) -> Any:
        return tuple.__getitem__(self, self.names[place] if isinstance(place, str) else place)

    def keys(self) -> list[str]:
        return list(self.names)


def rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], PostgresRow]:
    """A row factory of psycopg."""
    names = {column.name: place for place, column in enumerate(cursor.description or ())}
    kind = type("Row", (PostgresRow,), {"names": names})
    return lambda values: kind(values)
