"""A tenant's rows in the tables of a PostgreSQL database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.storage.protocol.rows import ColumnInfo
from thalamus.storage.relational.tables import COUNTERS, Tables

if TYPE_CHECKING:
    from thalamus.storage.protocol.rows import ColumnType
    from thalamus.storage.relational.connection import Connection

_TYPES: dict[str, ColumnType] = {
    "bigint": "int",
    "double precision": "float",
    "text": "text",
    "bytea": "bytes",
}


class PostgresTables(Tables):
    """See ``storage.relational.tables.Tables``."""

    joins_rows = True  # each statement is a round trip

    def __init__(self, connection: Connection, tenant: str) -> None:
        super().__init__(connection, tenant)

    def describe(self, table: str) -> list[ColumnInfo]:
        """The tenant is not among them: it leads the primary key."""
        found = self.connection.execute(
            "SELECT a.attname, format_type(a.atttypid, NULL),"
            " coalesce(array_position(i.indkey::int2[], a.attnum), 0)"
            " FROM pg_attribute AS a LEFT JOIN pg_index AS i"
            " ON i.indrelid = a.attrelid AND i.indisprimary WHERE a.attrelid = to_regclass(?)"
            " AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'tenant' ORDER BY a.attnum",
            (table,),
        )
        return [ColumnInfo(row[0], _TYPES[row[1]], row[2]) for row in found if row[1] in _TYPES]

    def begin_writing(self, wait: bool) -> tuple[str, ...]:
        """Statements at the beginning of a unit of work: the lock of the tenant's writers; the
        store-wide values; the time of the server, and that of the last ledger entry."""
        return (
            f"SELECT 1 FROM meta WHERE {self._scope} AND name = '{COUNTERS['key']}' FOR UPDATE"
            f"{'' if wait else ' NOWAIT'}",
            f"SELECT name, value FROM meta WHERE {self._scope}",
            "SELECT clock_timestamp(),"
            f" (SELECT at FROM event WHERE {self._scope} ORDER BY seq DESC LIMIT 1)",
        )
