"""A tenant's rows in the tables of a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from thalamus.store.postgres.connection import TENANT
from thalamus.store.postgres.rows import Column
from thalamus.store.postgres.vectors import HalfVector
from thalamus.store.schema import scoped
from thalamus.store.tables import (
    CHAINED,
    COUNTERS,
    LISTS,
    SPACE,
    ColumnInfo,
    End,
    Tables,
    insertion,
    literal,
)

if TYPE_CHECKING:
    from thalamus.records.reports import Finding
    from thalamus.store.postgres.connection import PostgresConnection
    from thalamus.store.tables import ColumnType, Cursor

MANY = 100  # rows in one statement, from which on they are sent as arrays
_TYPES: dict[str, ColumnType] = {
    "bigint": "int",
    "double precision": "float",
    "text": "text",
    "bytea": "bytes",
    "halfvec": "bytes",
}


class Begun(Struct, frozen=True):
    """State of a store at the beginning of a unit of work. ``now``: the server's time; ``last``:
    that of the last ledger entry."""

    values: dict[str, str]
    ends: dict[str, End]
    spaces: Sequence[Sequence[Any]]
    now: datetime
    last: str | None


class PostgresTables(Tables):
    """See ``store.tables.Tables``."""

    def __init__(self, connection: PostgresConnection, tenant: str) -> None:
        super().__init__(connection, TENANT)
        self._db = connection
        self._literal = f"tenant = {literal(tenant)}"
        self._added: dict[str, tuple[int, Any]] = {}  # ends of chains after a unit of work
        self._column_types: dict[str, dict[str, str]] = {}  # of tables, as far as known

    def translated(self, sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
        return scoped(sql, TENANT), [list(one) if isinstance(one, LISTS) else one for one in values]

    def together(self) -> AbstractContextManager[None]:
        return self._db.together()

    def describe(self, table: str) -> list[ColumnInfo]:
        """The tenant is not among them: it leads the primary key."""
        return self._columns.get(table, [])

    @cached_property
    def _columns(self) -> dict[str, list[ColumnInfo]]:
        """Columns of all tables, by table."""
        found = self.connection.execute(
            "SELECT c.relname, a.attname, format_type(a.atttypid, NULL),"
            " coalesce(array_position(i.indkey::int2[], a.attnum), 0)"
            " FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid"
            " LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary"
            " WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace"
            " AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'tenant'"
            " ORDER BY c.relname, a.attnum"
        )
        columns: dict[str, list[ColumnInfo]] = {}
        for table, name, type_, key in found:
            if type_ in _TYPES:
                columns.setdefault(table, []).append(ColumnInfo(name, _TYPES[type_], key))
        return columns

    def _insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str],
        replace: bool,
    ) -> list[Cursor]:
        """Sends many rows as an array for each column: single values take longer than the rows."""
        if table == "embedding":
            place = columns.index("vector")
            rows = [(*row[:place], HalfVector(row[place]), *row[place + 1 :]) for row in rows]
        if len(rows) < MANY:
            return super()._insert(table, columns, rows, key, replace)
        types = self._types_of(table)
        arrays = ", ".join(f"?::{types[name]}[]" for name in columns)
        query = f"SELECT {TENANT}, * FROM unnest({arrays})"
        query = insertion(table, self._tenant, columns, key, replace, query)
        values = [Column(values) for values in zip(*rows, strict=True)]
        return [self.connection.execute(query, values)]

    def _types_of(self, table: str) -> dict[str, str]:
        """The type of each column, looked up once."""
        if table not in self._column_types:
            query = (
                "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute"
                " WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped"
            )
            found = self.connection.execute(query, (table,))
            self._column_types[table] = {row[0]: row[1] for row in found}
        return self._column_types[table]

    def _update(
        self,
        table: str,
        fields: Mapping[str, Any],
        condition: str,
        values: Sequence[Any],
        count: int | None,
    ) -> int:
        if table == "embedding" and "vector" in fields:
            fields = {**fields, "vector": HalfVector(fields["vector"])}
        return super()._update(table, fields, condition, values, count)

    def end(self) -> None:
        self._added = {table: end for table, end in self._ends.items() if end is not None}
        super().end()

    def written(self) -> bool:
        """True when the ends of chains are there as the last unit of work left them: each row of a
        chain depends on all before it, and on what was written with it."""
        return all(
            bool(self.fetch(f"SELECT 1 FROM {table} WHERE {number} = ? AND {link} = ?", *end))
            for table, end in self._added.items()
            for number, link in [CHAINED[table]]
        )

    def begin_writing(self, wait: bool) -> tuple[str, ...]:
        """Statements at the beginning of a unit of work: the lock of the tenant's writers; the
        store-wide values; the time of the server, and that of the last ledger entry; the spaces;
        the ends of the chains in ``CHAINED``. They have no values."""
        return (
            f"SELECT 1 FROM meta WHERE {self._literal} AND name = '{COUNTERS['key']}' FOR UPDATE"
            f"{'' if wait else ' NOWAIT'}",
            f"SELECT name, value FROM meta WHERE {self._literal}",
            "SELECT clock_timestamp(),"
            f" (SELECT at FROM event WHERE {self._literal} ORDER BY seq DESC LIMIT 1)",
            f"SELECT {', '.join(SPACE)} FROM space WHERE {self._literal}",
            *(
                f"SELECT {number}, {link} FROM {table} WHERE {self._literal}"
                f" ORDER BY {number} DESC LIMIT 1"
                for table, (number, link) in CHAINED.items()
            ),
        )

    def begun(self, results: Sequence[Sequence[Any]]) -> Begun | None:
        """Converts the results of these statements; None when there is no store."""
        locked, values, [times], spaces, *ends = results
        if not locked:
            return None
        return Begun(
            {row[0]: row[1] for row in values if row[1] is not None},
            {
                table: tuple(rows[0]) if rows else None
                for table, rows in zip(CHAINED, ends, strict=True)
            },
            spaces,
            *times,
        )


class NoFile:
    """See ``store.signing.verification.FileChecks``: the server keeps the files."""

    def findings(self) -> Iterator[Finding]:
        return iter(())
