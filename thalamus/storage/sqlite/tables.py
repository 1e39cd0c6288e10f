"""The tables of a SQLite file."""

from __future__ import annotations

import sqlite3

from thalamus.storage.protocol.rows import ColumnInfo
from thalamus.storage.relational.tables import NUMBERED, Tables


class SqliteTables(Tables):
    """See ``storage.relational.tables.Tables``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.sqlite = connection

    def describe(self, table: str) -> list[ColumnInfo]:
        found = self.sqlite.execute(f"PRAGMA main.table_info({table})")
        return [ColumnInfo(row[1], str(row[2]).upper(), row[5]) for row in found]

    def last_number(self, table: str) -> int:
        """Includes numbers of deleted rows: none is reused."""
        column = NUMBERED[table]
        query = (
            f"SELECT max(coalesce((SELECT max({column}) FROM {table}), 0),"
            " coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0))"
        )
        return int(self.sqlite.execute(query, (table,)).fetchone()[0])
