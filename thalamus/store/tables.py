"""Rows of tables, read by statements in SQL, and inserted, updated and deleted.

All writing to tables of records goes through here: signing is told of it by a hook.
"""

from __future__ import annotations

import functools
import os
from abc import ABC, abstractmethod
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    ValuesView,
)
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from operator import itemgetter
from typing import Any, Literal, Protocol

from msgspec import Struct

from thalamus.records.kinds import kinds
from thalamus.store.description import TABLES
from thalamus.store.spellings import NAMED, SPELLINGS, Spellings, name_places

AT_ONCE = 500  # values in one query, which databases limit
# types of a value that is a list of values
LISTS = (list, tuple, set, frozenset, KeysView, ValuesView)
MOST_NOTED = 100  # rows written to a followed table; of more it is only known that there are
TOGETHER = 100  # rows that one statement inserts at most

# fragments of statements
AMONG = "IN (SELECT value FROM json_each(?))"  # a list, which is one value
OWN_OR_SHARED = '("user" = ? OR "user" IS NULL)'
REACHED = 'coalesce("user" = ?, true)'  # of a user and shared, or (None) of all
REACHED_AGENT = "coalesce(agent = ?, true)"
EVERY = 1 << 62  # a limit that none is

Row = tuple[Any, ...]
End = tuple[int, Any] | None  # of a chain: number of its last row, and what the next one continues


# tables with numbered rows, and the column of the number
NUMBERED = {name: table.number for name, table in TABLES.items() if table.number}
# tables whose rows form a chain, and the columns of an ``End``
CHAINED = {name: table.chained for name, table in TABLES.items() if table.chained}
SPACE = ("model", "id", "dimension", "count", "last")  # columns that a unit of work needs
# names in ``meta`` of the next number of each, and of the next key of a record
COUNTERS = {name: f"next_{name}" for name in ("key", *NUMBERED)}
# of store-wide values; the last one marks that the program which wrote them had checked the version
VALUE_COLUMNS = ("name", "value", "checked")
CHECKED = 1
ERASING = "forgetting"  # name in ``meta`` while an erasure is unfinished


class Cursor(Protocol):
    """Result of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """Interface of a driver: one connection that runs SQL which SQLite and PostgreSQL both
    understand, with ``?`` for each value and ``IS ?`` for "equal, or both null". A driver
    translates what its database spells differently. Rows are accessed by name and by position."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Cursor: ...


ColumnType = Literal["int", "float", "text", "bytes"]


class ColumnInfo(Struct, frozen=True):
    """A column of a table, with the type of its values that are not null; ``key``: its position in
    the primary key, from 1, or 0."""

    name: str
    type: ColumnType
    key: int


def primary_key(columns: Iterable[ColumnInfo]) -> list[str]:
    """Columns of the primary key, in its order."""
    return [one.name for one in sorted(columns, key=lambda one: one.key) if one.key]


class WriteHook(Struct, frozen=True):
    """Work of the signatures while rows are written.

    ``columns``: of each table, what is to be known of its written rows; ``macs``: returns the
    values of the column ``mac`` of new rows, given their columns; ``written``: called with a table,
    its rows before they were changed or deleted, and the rows as they are now.
    """

    columns: Mapping[str, Sequence[str]]
    macs: Mapping[str, Callable[[Sequence[str], Sequence[Sequence[Any]]], Sequence[bytes]]]
    written: Callable[[str, Sequence[Row], Sequence[Row]], None]


class Tables(ABC):
    """The rows behind a connection: all that is read and written goes through it. A driver supplies
    the columns of a table, and translates statements. ``tenant``: SQL of whose rows these are, in a
    database that several share."""

    on_error = ""  # SQL of an insertion: how much of it is taken back

    def __init__(self, connection: Connection, tenant: str = "") -> None:
        self.connection = connection
        self._tenant = tenant
        self._scope = f"tenant = {tenant} AND " if tenant else ""
        self._values: dict[str, str] | None = None  # in a unit of work
        self._changed: set[str] = set()  # names of those to be written
        self._ends: dict[str, End] = {}  # in a unit of work
        self._spellings: Spellings | None = None  # read on first use
        self.hook: WriteHook | None = None  # in a unit of work of a store with keys
        self._followed: dict[str, tuple[tuple[str, ...], list[Row | None]]] = {}  # see ``follow``

    @abstractmethod
    def describe(self, table: str) -> list[ColumnInfo]:
        """Columns of a table; empty when it does not exist."""

    def together(self) -> AbstractContextManager[None]:
        """A block whose statements may be sent together; their rows are read after it."""
        return nullcontext()

    # -- store-wide values ------------------------------------------------------------------------

    def begin(
        self, values: Mapping[str, str] | None = None, ends: Mapping[str, End] | None = None
    ) -> None:
        """Begins a unit of work, which reads the store-wide values and the ends of chains once
        (``values`` and ``ends``: if they were read already), and writes changed values at its end:
        call ``finish`` and then ``end``."""
        self._values = self.values() if values is None else dict(values)
        self._ends = dict(ends or {})

    def finish(self) -> None:
        """Writes changed values; the caller commits."""
        values = self._values or {}
        self.put_values({name: values[name] for name in self._changed if name in values})
        if deleted := [name for name in self._changed if name not in values]:
            self.delete("meta", "name IN (SELECT value FROM json_each(?))", deleted)
        self._changed.clear()

    def end(self) -> None:
        """Ends the unit of work, whether it was finished or not."""
        self._values = None
        self._changed.clear()
        self._ends.clear()
        self.hook = None

    def values(self) -> dict[str, str]:
        """The store-wide values that are set."""
        if self._values is not None:
            return self._values
        found = self.fetch("SELECT name, value FROM meta")
        return {row[0]: row[1] for row in found if row[1] is not None}

    def set_value(self, name: str, value: str | None) -> None:
        """Sets a store-wide value; None deletes it. Outside a unit of work it is written at
        once."""
        if self._values is None:
            self.begin()
            self.set_value(name, value)
            self.finish()
            self.end()
        elif value is None:
            self._values.pop(name, None)
            self._changed.add(name)
        else:
            self._values[name] = value
            self._changed.add(name)

    def put_values(self, values: Mapping[str, str], *, replace: bool = True) -> None:
        """Writes store-wide values at once; with ``replace`` instead of those that are there."""
        rows = [(name, value, CHECKED) for name, value in sorted(values.items())]
        self.insert("meta", VALUE_COLUMNS, rows, key=("name",), replace=replace)

    def take(self, counter: str, count: int = 1) -> int:
        """Takes numbers that were never used, and returns the first. ``counter``: a numbered table,
        or ``key``."""
        name = COUNTERS[counter]
        first = int(self.values()[name])
        self.set_value(name, str(first + count))
        return first

    def numbered(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The rows with their numbers added, if the table numbers its rows and they have none."""
        column = NUMBERED.get(table)
        if column is None or column in columns:
            return columns, rows
        first = self.take(table, len(rows))
        return (column, *columns), [(n, *row) for n, row in enumerate(rows, first)]

    # -- names ------------------------------------------------------------------------------------

    @property
    def spellings(self) -> Spellings:
        """Spellings of names in a store of an older version."""
        if self._spellings is None:
            # not ``fetch``, which asks for them
            query = self.translated("SELECT value FROM meta WHERE name = ?", [SPELLINGS])
            found = self.connection.execute(*query).fetchone()
            self._spellings = Spellings.read(found[0]) if found else self.find_spellings()
        return self._spellings

    def find_spellings(self) -> Spellings:
        """Looks for spellings in every table."""
        columns = [(kind.name, name) for kind in kinds() for name in NAMED if name in kind.columns]
        columns += [("event", name) for name in NAMED]
        columns += [("batch", name) for name in ("user", "agent")]
        queries = (f'SELECT "{name}" FROM {table}' for table, name in columns)
        query = self.translated(" UNION ".join(queries), [])
        found = self.connection.execute(*query).fetchall()
        return Spellings(row[0] for row in found if row[0])

    def keep_spellings(self, spellings: Spellings | None = None) -> None:
        """Lists spellings in ``meta``, in a unit of work: those that are given, or else those of a
        store that has no list yet."""
        if spellings is not None or SPELLINGS not in self.values():
            self._spellings = spellings or self.find_spellings()
            self.set_value(SPELLINGS, self._spellings.written())

    def statement(self, sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
        """A statement in SQL as the driver takes it, and its values; see ``fetch``."""
        if name_places(sql):
            sql, values = self.spellings.in_statement(sql, values)
        return self.translated(sql, values)

    @abstractmethod
    def translated(self, sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
        """A statement in the driver's own words, and its values; see ``fetch``."""

    def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Rows of a query, accessed by name or by position. It names the tables plainly: a driver
        restricts them to the tenant's rows, and a name to be found is found in all its spellings.
        A list, tuple or set is one value, for ``IN (SELECT value FROM json_each(?))``."""
        return self.execute(sql, *values).fetchall()

    def execute(self, sql: str, *values: Any) -> Cursor:
        """Begins to read the rows of a query; see ``fetch``."""
        return self.connection.execute(*self.statement(sql, values))

    def fetch_each(self, *queries: tuple[Any, ...]) -> list[list[Any]]:
        """Rows of each of several queries, which are sent to the database together. A query is a
        text and its values, as for ``fetch``."""
        with self.together():
            found = [self.execute(sql, *values) for sql, *values in queries]
        return [cursor.fetchall() for cursor in found]

    def source(self, table: str, alias: str = "") -> str:
        """A table or view as written after ``FROM`` or ``JOIN`` in a statement that a driver sends
        as it is: with the tenant's rows only."""
        if self._tenant:
            return f"(SELECT * FROM {table} WHERE tenant = {self._tenant}) AS {alias or table}"
        return f"{table} AS {alias}" if alias else table

    def chain_end(self, table: str) -> End:
        """The end of a chain; None when it is empty."""
        if table not in self._ends:
            number, link = CHAINED[table]
            query = f"SELECT {number}, {link} FROM {table} ORDER BY {number} DESC LIMIT 1"
            found = self.fetch(query)
            end = (found[0][0], found[0][1]) if found else None
            if self._values is None:
                return end
            self._ends[table] = end
        return self._ends[table]

    def _follow_chain(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> None:
        """Keeps the end of a chain to which rows were added."""
        if table in CHAINED and self._values is not None:
            number, link = map(columns.index, CHAINED[table])
            self._ends[table] = rows[-1][number], rows[-1][link]

    # -- writing ----------------------------------------------------------------------------------

    def follow(self, table: str, columns: Sequence[str]) -> None:
        """Notes from now on which rows are written to a table here: their values of ``columns``."""
        self._followed[table] = tuple(columns), [None]

    def noted(self, table: str) -> list[Row | None]:
        """Rows inserted into a followed table since the last call; None among them for any other
        write, for many rows, and for rows that were taken back."""
        columns, noted = self._followed[table]
        self._followed[table] = columns, []
        return noted

    def note(self, table: str) -> None:
        """Notes a change to a table, if it is followed."""
        if table in self._followed:
            self._followed[table][1][:] = [None]

    def rolled_back(self) -> None:
        """Call this when what was written in a unit of work was taken back."""
        for table in self._followed:
            self.note(table)

    def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str] = (),
        replace: bool = False,
        new: bool = False,
    ) -> int:
        """Inserts rows and returns how many. Rows with the ``key`` of an existing one are left out,
        or with ``replace`` replace it. ``new``: the caller knows of none, so that they are not
        looked up."""
        if not rows:
            return 0
        columns, rows = self.numbered(table, columns, rows)
        if table in self._followed:
            wanted, noted = self._followed[table]
            noted += map(_values_of(tuple(columns), wanted), rows)
            if len(noted) > MOST_NOTED:
                self.note(table)
        if self.hook is not None and table in self.hook.columns:
            return self._insert_signed(self.hook, table, columns, rows, key, replace, new)
        self._follow_chain(table, columns, rows)
        cursors = self._insert(table, columns, rows, key, replace)
        if key and not replace and not new:
            return sum(cursor.rowcount for cursor in cursors)
        return len(rows)  # without waiting for the database

    def _insert_signed(
        self,
        hook: WriteHook,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str],
        replace: bool,
        new: bool,
    ) -> int:
        """Inserts rows, and tells the hook of them and of those that they replace."""
        before: dict[Row, Row] = {}
        if key and not new:
            before = self._existing(table, hook.columns[table], key, columns, rows)
            if not replace:
                rows, before = _others(before, key, columns, rows), {}
                if not rows:
                    return 0
        if table in hook.macs:
            macs = hook.macs[table](columns, rows)
            columns = (*columns, "mac")
            rows = [(*row, mac) for row, mac in zip(rows, macs, strict=True)]
        self._follow_chain(table, columns, rows)
        self._insert(table, columns, rows, key if replace or new else (), replace)
        after = self._complete(table, hook.columns[table], columns, rows, key)
        hook.written(table, list(before.values()), after)
        return len(rows)

    def _existing(
        self,
        table: str,
        wanted: Sequence[str],
        key: Sequence[str],
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
    ) -> dict[Row, Row]:
        """Stored rows with the ``key`` of one of these, by its values."""
        names = list(dict.fromkeys(map(_values_of(tuple(columns), tuple(key)), rows)))
        head = f"SELECT {', '.join(map(quoted, wanted))} FROM {table} WHERE "
        same = [f"{quoted(name)} = ?" for name in key]
        if len(names) > 1 and all(name[:-1] == names[0][:-1] for name in names):
            same[-1] = f"{quoted(key[-1])} IN (SELECT value FROM json_each(?))"
            last = [name[-1] for name in names]
            found = self.fetch(head + " AND ".join(same), *names[0][:-1], last)
        else:
            query = head + " AND ".join(same)
            found = [
                row for part in self.fetch_each(*((query, *one) for one in names)) for row in part
            ]
        key_of = _values_of(tuple(wanted), tuple(key))
        return {key_of(row): row for row in map(tuple, found)}

    def _complete(
        self,
        table: str,
        wanted: Sequence[str],
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str],
    ) -> list[Row]:
        """Written rows with the columns that are ``wanted``: missing ones are read."""
        if set(wanted) <= set(columns):
            return list(map(_values_of(tuple(columns), tuple(wanted)), rows))
        key = key or primary_key(self.describe(table))
        return list(self._existing(table, wanted, key, columns, rows).values())

    def _insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str],
        replace: bool,
    ) -> list[Cursor]:
        """Inserts rows, many by each statement: that is faster than one statement for each."""
        cursors: list[Cursor] = []
        for start in range(0, len(rows), TOGETHER):
            part = rows[start : start + TOGETHER]
            query = _insertion(
                *(table, self._tenant, tuple(columns), tuple(key), replace, self.on_error),
                len(part),
            )
            cursors.append(self.connection.execute(query, list(chain.from_iterable(part))))
        return cursors

    def update(
        self,
        table: str,
        fields: Mapping[str, Any],
        condition: str,
        *values: Any,
        count: int | None = None,
    ) -> int:
        """Sets columns of the rows that meet a condition, in SQL with its ``values``; returns how
        many rows. ``count``: how many, if that is known, so that the database is not asked."""
        watched = self.hook.columns.get(table, ()) if self.hook is not None else ()
        if self.hook is None or not set(fields) & set(watched):
            return self._update(table, fields, condition, values, count)
        before = self._stored(table, watched, condition, values)
        if not before:
            return 0
        self._update(table, fields, condition, values, len(before))
        after = [
            tuple(fields.get(name, value) for name, value in zip(watched, row, strict=True))
            for row in before
        ]
        self.hook.written(table, before, after)
        return len(before)

    def _update(
        self,
        table: str,
        fields: Mapping[str, Any],
        condition: str,
        values: Sequence[Any],
        count: int | None,
    ) -> int:
        names = ", ".join(f"{quoted(name)} = ?" for name in fields)
        # of the condition alone: a name to be set has one spelling
        condition, found = self.statement(condition, values)
        self.note(table)
        query = f"UPDATE {table} SET {names} WHERE {self._scope}({condition})"
        cursor = self.connection.execute(query, [*fields.values(), *found])
        return cursor.rowcount if count is None else count

    def delete(self, table: str, condition: str, *values: Any, count: int | None = None) -> int:
        """Deletes the rows that meet a condition, in SQL with its ``values``; returns how many.
        ``count``: as for ``update``."""
        self._ends.pop(table, None)
        if self.hook is not None and table in self.hook.columns:
            before = self._stored(table, self.hook.columns[table], condition, values)
            if not before:
                return 0
            self.hook.written(table, before, [])
            count = len(before)
        self.note(table)
        condition, found = self.statement(condition, values)
        query = f"DELETE FROM {table} WHERE {self._scope}({condition})"
        cursor = self.connection.execute(query, found)
        return cursor.rowcount if count is None else count

    def _stored(
        self, table: str, columns: Sequence[str], condition: str, values: Sequence[Any]
    ) -> list[Row]:
        names = ", ".join(map(quoted, columns))
        return list(
            map(tuple, self.fetch(f"SELECT {names} FROM {table} WHERE {condition}", *values))
        )


def first_values(tenant: str) -> dict[str, str]:
    """Store-wide values of a new store."""
    values = {"store": os.urandom(8).hex(), "epoch": "1", "tenant": tenant}
    return {**values, **dict.fromkeys(COUNTERS.values(), "1")}


@functools.lru_cache(maxsize=512)
def _insertion(
    table: str,
    tenant: str,
    columns: tuple[str, ...],
    key: tuple[str, ...],
    replace: bool,
    on_error: str,
    rows: int,
) -> str:
    row = f"({tenant},{placeholders(columns)})" if tenant else f"({placeholders(columns)})"
    values = f"VALUES {','.join([row] * rows)}"
    return insertion(table, tenant, columns, key, replace, values, on_error)


def insertion(
    table: str,
    tenant: str,
    columns: Sequence[str],
    key: Sequence[str],
    replace: bool,
    rows: str,
    on_error: str = "",
) -> str:
    """SQL that inserts ``rows``, which is SQL too. See ``Tables.insert``."""
    names = ", ".join(map(quoted, ("tenant", *columns) if tenant else columns))
    query = f"INSERT {on_error}INTO {table} ({names}) {rows}"
    if key:
        rest = [name for name in columns if name not in key]
        changes = ", ".join(f"{quoted(name)} = excluded.{quoted(name)}" for name in rest)
        same = ", ".join(map(quoted, ("tenant", *key) if tenant else key))
        query += f" ON CONFLICT ({same}) DO "
        query += f"UPDATE SET {changes}" if replace and changes else "NOTHING"
    return query


@functools.cache
def _values_of(columns: tuple[str, ...], wanted: tuple[str, ...]) -> Callable[[Sequence[Any]], Row]:
    """Function that takes the values of some columns from a row."""
    places = [columns.index(name) for name in wanted]
    if len(places) == 1:
        return lambda row: (row[places[0]],)
    return itemgetter(*places)


def _others(
    existing: Mapping[Row, Row],
    key: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
) -> list[Sequence[Any]]:
    """The rows whose ``key`` no existing one has, the first of each key."""
    key_of = _values_of(tuple(columns), tuple(key))
    first: dict[Row, Sequence[Any]] = {}
    for row in rows:
        first.setdefault(key_of(row), row)
    return [row for name, row in first.items() if name not in existing]


def in_parts(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The values in groups, for queries with ``IN``; see ``padded``."""
    for start in range(0, len(values), AT_ONCE):
        yield padded(values[start : start + AT_ONCE])


def padded(values: Sequence[Any]) -> list[Any]:
    """The values for a condition with ``IN``, the last one repeated up to a power of two: otherwise
    a query would be parsed again for nearly every number of values, which takes as long as running
    it."""
    length = min(1 << max(0, len(values) - 1).bit_length(), AT_ONCE)
    return [*values, *[values[-1]] * (length - len(values))] if values else []


def placeholders(values: Collection[object]) -> str:
    """``?,?,?``: one for each value."""
    return ",".join("?" * len(values))


def literal(text: str) -> str:
    """A text as an SQL literal."""
    quoted = text.replace("'", "''")
    return f"'{quoted}'"


def quoted(name: str) -> str:
    """A column as written in a statement: some names are SQL keywords."""
    return f'"{name}"'
