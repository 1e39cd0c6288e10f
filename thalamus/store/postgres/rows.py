"""Rows of PostgreSQL with access by name and by position."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg.types.array import ListBinaryDumper


class PostgresRow(tuple[Any, ...]):
    """A row with access by name and by position."""

    names: dict[str, int]

    def __getitem__(self, place: Any) -> Any:
        return tuple.__getitem__(self, self.names[place] if isinstance(place, str) else place)

    def keys(self) -> list[str]:
        return list(self.names)


def rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], PostgresRow]:
    """A row factory of psycopg."""
    return _kind(tuple([column.name for column in cursor.description or ()]))


@functools.lru_cache(maxsize=512)
def _kind(names: tuple[str, ...]) -> type[PostgresRow]:
    """Rows with columns of these names."""
    return type("Row", (PostgresRow,), {"names": {name: n for n, name in enumerate(names)}})


class Column(list[Any]):
    """The values of many rows in one column, as a parameter: an array in binary form."""


def register(connection: psycopg.Connection[Any]) -> None:
    """Lets a connection take columns."""
    connection.adapters.register_dumper(Column, ListBinaryDumper)
