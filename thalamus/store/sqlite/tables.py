"""The tables of a SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.store.tables import LISTS, ColumnInfo, Tables

if TYPE_CHECKING:
    from thalamus.store.tables import ColumnType

_TYPES: dict[str, ColumnType] = {"INTEGER": "int", "REAL": "float", "TEXT": "text", "BLOB": "bytes"}


class SqliteTables(Tables):
    """See ``store.tables.Tables``."""

    # After an error the whole transaction is rolled back. To roll back a single statement, SQLite
    # would copy every page that it changes to a temporary file
    on_error = "OR FAIL "

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.sqlite = connection

    def translated(self, sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
        return sql, [_json(value) if isinstance(value, LISTS) else value for value in values]

    def describe(self, table: str) -> list[ColumnInfo]:
        return self._columns.get(table, [])

    @cached_property
    def _columns(self) -> dict[str, list[ColumnInfo]]:
        """Columns of all tables, by table."""
        columns: dict[str, list[ColumnInfo]] = {}
        for table, name, declared, key in self.sqlite.execute(
            "SELECT t.name, c.name, c.type, c.pk FROM main.sqlite_master AS t,"
            " pragma_table_info(t.name, 'main') AS c WHERE t.type = 'table' ORDER BY t.name, c.cid"
        ):
            columns.setdefault(table, []).append(ColumnInfo(name, _type(declared), key))
        return columns


def _json(values: Collection[Any]) -> str:
    return msgspec.json.encode(list(values)).decode()


def _type(declared: str) -> ColumnType:
    """Type of a column by its declaration; SQLite itself lets any value into any column."""
    return _TYPES.get(declared.upper(), "text")
