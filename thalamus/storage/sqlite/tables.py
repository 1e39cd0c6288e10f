"""The tables of a SQLite file."""

from __future__ import annotations

import sqlite3

from thalamus.storage.protocol.rows import ColumnInfo
from thalamus.storage.relational.tables import Tables


class SqliteTables(Tables):
    """See ``storage.relational.tables.Tables``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.sqlite = connection

    def describe(self, table: str) -> list[ColumnInfo]:
        found = self.sqlite.execute(f"PRAGMA main.table_info({table})")
        return [ColumnInfo(row[1], str(row[2]).upper(), row[5]) for row in found]
