"""The tables of a SQLite file."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from thalamus.storage.protocol.rows import ColumnInfo
from thalamus.storage.relational.tables import Tables

if TYPE_CHECKING:
    from thalamus.storage.protocol.rows import ColumnType

_TYPES: dict[str, ColumnType] = {"INTEGER": "int", "REAL": "float", "TEXT": "text", "BLOB": "bytes"}


class SqliteTables(Tables):
    """See ``storage.relational.tables.Tables``."""

    # After an error the whole transaction is rolled back. To roll back a single statement, SQLite
    # would copy every page that it changes to a temporary file
    on_error = "OR FAIL "

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.sqlite = connection

    def describe(self, table: str) -> list[ColumnInfo]:
        found = self.sqlite.execute(f"PRAGMA main.table_info({table})")
        return [ColumnInfo(row[1], _type(row[2]), row[5]) for row in found]


def _type(declared: str) -> ColumnType:
    """Type of a column by its declaration; SQLite itself lets any value into any column."""
    return _TYPES.get(declared.upper(), "text")
