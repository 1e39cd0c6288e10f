"""Rows of tables: reading, inserting, updating and deleting them by the values of their columns.

All writing to tables of records goes through here: signing wraps it (``store.signing.layer``).
"""

from __future__ import annotations

import functools
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, KeysView, Mapping, Sequence, ValuesView
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from thalamus.records.kinds import kind_of, kinds
from thalamus.store.conditions import (
    About,
    Among,
    Both,
    Clause,
    ColumnComparison,
    Either,
    Encrypted,
    Where,
)
from thalamus.store.connection import Connection, Cursor
from thalamus.store.row_access import ColumnInfo, Selection
from thalamus.store.spellings import NAMED, SPELLINGS, Spellings
from thalamus.text.lazy_regex import lazy_regex

AT_ONCE = 500  # values in one query, which databases limit
# types of a value that is a list of values
LISTS = (list, tuple, set, frozenset, KeysView, ValuesView)
TOGETHER = 100  # rows in one statement, if there are so many
_CALL = lazy_regex(r"(max|min|count)\((\*|\w+)\)")

Condition = tuple[str, list[Any]]
Row = tuple[Any, ...]
End = tuple[int, Any] | None  # of a chain: number of its last row, and what the next one continues


# tables with numbered rows, and the column of the number
NUMBERED = {
    **dict.fromkeys(
        ("batch", "concept", "embedding", "fact_interval", "fact_note", "job", "removal"), "n"
    ),
    "event": "seq",
    "space": "id",
}
# tables whose rows form a chain, and the columns of an ``End``
CHAINED = {"event": ("seq", "hash"), "signature": ("n", "chain")}
SPACE = ("model", "id", "dimension", "count", "last")  # columns that a unit of work needs
# names in ``meta`` of the next number of each, and of the next key of a record
COUNTERS = {name: f"next_{name}" for name in ("key", *NUMBERED)}
# of store-wide values; the last one marks that the program which wrote them had checked the version
VALUE_COLUMNS = ("name", "value", "checked")
CHECKED = 1
ERASING = "forgetting"  # name in ``meta`` while an erasure is unfinished


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
    """The tables behind a connection. See ``store.protocol.Rows``. A driver supplies the columns
    of a table. ``tenant``: SQL of whose rows these are, in a database that several share; every
    statement names it."""

    # rows that are too few for ``TOGETHER`` are inserted by one statement too
    joins_rows = False
    on_error = ""  # SQL of an insertion: how much of it is taken back

    def __init__(self, connection: Connection, tenant: str = "") -> None:
        self.connection = connection
        self._tenant = tenant
        self._scope = f"tenant = {tenant}" if tenant else ""
        self._values: dict[str, str] | None = None  # in a unit of work
        self._changed: set[str] = set()  # names of those to be written
        self._ends: dict[str, End] = {}  # in a unit of work
        self._spellings: Spellings | None = None  # read on first use
        self.hook: WriteHook | None = None  # in a unit of work of a store with keys

    @abstractmethod
    def describe(self, table: str) -> list[ColumnInfo]:
        """Columns of a table; empty when it does not exist."""

    def key_of(self, table: str) -> list[str]:
        """Primary key of a table."""
        primary = sorted((one for one in self.describe(table) if one.key), key=lambda one: one.key)
        return [one.name for one in primary]

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
            self.delete("meta", {"name": deleted})
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
        found = self.select("meta", ("name", "value"))
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
            # not ``select``, which asks for them
            meta = self.source("meta")
            query = f"SELECT value FROM {meta} WHERE name = ?"
            found = self.connection.execute(query, (SPELLINGS,)).fetchone()
            self._spellings = Spellings.read(found[0]) if found else self.find_spellings()
        return self._spellings

    def find_spellings(self) -> Spellings:
        """Looks for spellings in every table."""
        columns = [(kind.name, name) for kind in kinds() for name in NAMED if name in kind.columns]
        columns += [("event", name) for name in NAMED]
        columns += [("batch", name) for name in ("user", "agent")]
        queries = (f'SELECT "{name}" FROM {self.source(table)}' for table, name in columns)
        found = self.connection.execute(" UNION ".join(queries)).fetchall()
        return Spellings(row[0] for row in found if row[0])

    def keep_spellings(self, spellings: Spellings | None = None) -> None:
        """Lists spellings in ``meta``, in a unit of work: those that are given, or else those of a
        store that has no list yet."""
        if spellings is not None or SPELLINGS not in self.values():
            self._spellings = spellings or self.find_spellings()
            self.set_value(SPELLINGS, self._spellings.written())

    def statement(self, sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
        """A statement in SQL as the driver takes it, and its values; see ``fetch``."""
        return (
            self.spellings.in_statement(sql, values) if self.spellings.others else (sql, [*values])
        )

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

    def _found_by(self, where: Where) -> Where:
        return self.spellings.found_by(where) if _has_names(where) else where

    def source(self, table: str, alias: str = "") -> str:
        """A table or view as written after ``FROM`` or ``JOIN``: with the tenant's rows only."""
        if self._scope:
            return f"(SELECT * FROM {table} WHERE {self._scope}) AS {alias or table}"
        return f"{table} AS {alias}" if alias else table

    def condition(self, where: Where) -> Condition:
        """`` WHERE …`` over a ``source``, with its values; empty without a condition."""
        parts, values = _tests(self._found_by(where), self._scope)
        return _where(parts), values

    def chain_end(self, table: str) -> End:
        """The end of a chain; None when it is empty."""
        if table not in self._ends:
            columns = CHAINED[table]
            found = self.select(table, columns, order=(f"-{columns[0]}",), limit=1)
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

    # -- reading ----------------------------------------------------------------------------------

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | Clause | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        """Rows, accessed by name or by position. See ``store.protocol.Rows.select``."""
        where = where or {}
        if isinstance(where, Clause):
            query = f"SELECT {', '.join(map(_column, columns))} FROM {table} WHERE {where.text}"
            return self.fetch(query, *where.values)
        if _matches_nothing(where) and not any("(" in column for column in columns):
            return []
        long = _long(where)
        if long is None or order or group or limit is not None:
            return self._run(table, columns, where, order, limit, group).fetchall()
        found: list[Any] = []
        for part in in_parts(list(dict.fromkeys(where[long]))):
            found += self._run(table, columns, {**where, long: part}).fetchall()
        return found

    def select_each(self, selections: Sequence[Selection]) -> list[list[Any]]:
        if any(_long(one.where or {}) for one in selections):
            return [self.select(*astuple(one)) for one in selections]
        with self.together():
            found = [
                self._run(one.table, one.columns, one.where or {}, one.order, one.limit)
                for one in selections
            ]
        return [cursor.fetchall() for cursor in found]

    def each(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> Iterator[Any]:
        """Iterates over the rows of ``select``."""
        yield from self._run(table, columns, where or {}, order, limit, group)

    def _run(
        self,
        table: str,
        columns: Sequence[str],
        where: Where,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> Cursor:
        condition, values = _condition(self._found_by(where), self._scope)
        query = f"SELECT {', '.join(map(_column, columns))} FROM {table}{condition}"
        if group:
            query += f" GROUP BY {', '.join(map(_column, group))}"
        if order:
            query += f" ORDER BY {', '.join(map(_ordered, order))}"
        if limit is not None:
            query += " LIMIT ?"
            values.append(limit)
        return self.connection.execute(query, values)

    # -- writing ----------------------------------------------------------------------------------

    def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str] = (),
        replace: bool = False,
        new: bool = False,
    ) -> int:
        """Inserts rows and returns how many. See ``store.protocol.Rows.insert``."""
        if not rows:
            return 0
        columns, rows = self.numbered(table, columns, rows)
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
        places = [columns.index(name) for name in key]
        names = list(dict.fromkeys(tuple(row[place] for place in places) for row in rows))
        head = f"SELECT {', '.join(map(_column, wanted))} FROM {table} WHERE "
        same = [f"{_column(name)} = ?" for name in key]
        if len(names) > 1 and all(name[:-1] == names[0][:-1] for name in names):
            same[-1] = f"{_column(key[-1])} IN (SELECT value FROM json_each(?))"
            last = [name[-1] for name in names]
            found = self.fetch(head + " AND ".join(same), *names[0][:-1], last)
        else:
            query = head + " AND ".join(same)
            found = [
                row for part in self.fetch_each(*((query, *one) for one in names)) for row in part
            ]
        of_key = [wanted.index(name) for name in key]
        return {tuple(row[place] for place in of_key): tuple(row) for row in found}

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
            places = [columns.index(name) for name in wanted]
            return [tuple(row[place] for place in places) for row in rows]
        return list(
            self._existing(table, wanted, key or self.key_of(table), columns, rows).values()
        )

    def _insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str],
        replace: bool,
    ) -> list[Cursor]:
        """Inserts rows by as few statements as the database is best at."""
        insertion = functools.partial(
            _insertion, table, self._tenant, tuple(columns), tuple(key), replace, self.on_error
        )
        cursors: list[Cursor] = []
        left = len(rows) % TOGETHER
        for start in range(0, len(rows) - left, TOGETHER):
            values = list(chain.from_iterable(rows[start : start + TOGETHER]))
            cursors.append(self.connection.execute(insertion(TOGETHER), values))
        if left and self.joins_rows:
            values = list(chain.from_iterable(rows[-left:]))
            cursors.append(self.connection.execute(insertion(left), values))
        elif left == 1:
            cursors.append(self.connection.execute(insertion(1), rows[-1]))
        elif left:
            cursors.append(self.connection.executemany(insertion(1), rows[-left:]))
        return cursors

    def update(
        self, table: str, fields: Mapping[str, Any], where: Where | Clause, count: int | None = None
    ) -> int:
        """Sets columns of rows. See ``store.protocol.Rows.update``."""
        signed = self.hook.columns.get(table, ()) if self.hook is not None else ()
        if self.hook is None or not set(fields) & set(signed):
            return self._update(table, fields, where, count)
        before = [tuple(row) for row in self.select(table, signed, where)]
        if not before:
            return 0
        self._update(table, fields, where, len(before))
        after = [
            tuple(fields.get(name, value) for name, value in zip(signed, row, strict=True))
            for row in before
        ]
        self.hook.written(table, before, after)
        return len(before)

    def _update(
        self, table: str, fields: Mapping[str, Any], where: Where | Clause, count: int | None
    ) -> int:
        cursors = []
        if isinstance(where, Clause):
            names = ", ".join(f"{_column(name)} = ?" for name in fields)
            scope = f"{self._scope} AND " if self._scope else ""
            # of the condition alone: a name to be set has one spelling
            condition, values = self.statement(where.text, where.values)
            query = f"UPDATE {table} SET {names} WHERE {scope}({condition})"
            cursor = self.connection.execute(query, [*fields.values(), *values])
            return cursor.rowcount if count is None else count
        for part in _parts(self._found_by(where)):
            condition, values = _condition(part, self._scope)
            names = ", ".join(f"{_column(name)} = ?" for name in fields)
            query = f"UPDATE {table} SET {names}{condition}"
            cursors.append(self.connection.execute(query, [*fields.values(), *values]))
        return sum(cursor.rowcount for cursor in cursors) if count is None else count

    def delete(self, table: str, where: Where | Clause, count: int | None = None) -> int:
        """Deletes rows. See ``store.protocol.Rows.delete``."""
        if self.hook is not None and table in self.hook.columns:
            before = [tuple(row) for row in self.select(table, self.hook.columns[table], where)]
            if not before:
                return 0
            self.hook.written(table, before, [])
            count = len(before)
        self._ends.pop(table, None)
        if isinstance(where, Clause):
            scope = f"{self._scope} AND " if self._scope else ""
            condition, values = self.statement(where.text, where.values)
            query = f"DELETE FROM {table} WHERE {scope}({condition})"
            cursor = self.connection.execute(query, values)
            return cursor.rowcount if count is None else count
        cursors = []
        for part in _parts(self._found_by(where)):
            condition, values = _condition(part, self._scope)
            cursors.append(self.connection.execute(f"DELETE FROM {table}{condition}", values))
        return sum(cursor.rowcount for cursor in cursors) if count is None else count


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
    names = ", ".join(map(_column, ("tenant", *columns) if tenant else columns))
    query = f"INSERT {on_error}INTO {table} ({names}) {rows}"
    if key:
        rest = [name for name in columns if name not in key]
        changes = ", ".join(f"{_column(name)} = excluded.{_column(name)}" for name in rest)
        same = ", ".join(map(_column, ("tenant", *key) if tenant else key))
        query += f" ON CONFLICT ({same}) DO "
        query += f"UPDATE SET {changes}" if replace and changes else "NOTHING"
    return query


def _others(
    existing: Mapping[Row, Row],
    key: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
) -> list[Sequence[Any]]:
    """The rows whose ``key`` no existing one has, the first of each key."""
    places = [columns.index(name) for name in key]
    first: dict[Row, Sequence[Any]] = {}
    for row in rows:
        first.setdefault(tuple(row[place] for place in places), row)
    return [row for name, row in first.items() if name not in existing]


# -- conditions -----------------------------------------------------------------------------------


def _condition(where: Where, scope: str) -> Condition:
    """`` WHERE …`` with its values; empty without a condition. ``scope``: SQL condition on the rows
    of every table that is read."""
    parts, values = _tests(where, scope)
    return _where([scope, *parts] if scope else parts), values


def _where(parts: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _tests(where: Where, scope: str) -> tuple[list[str], list[Any]]:
    """Conditions on columns, with their values."""
    parts: list[str] = []
    values: list[Any] = []
    for name, wanted in where.items():
        text, given = _test(_column(name), wanted, scope)
        parts.append(text)
        values += given
    return parts, values


def _test(column: str, wanted: object, scope: str) -> Condition:
    if wanted is None:
        return f"{column} IS NULL", []
    if isinstance(wanted, ColumnComparison):
        if wanted.value is None:
            return f"{column} IS NOT NULL", []
        return f"{column} {wanted.sign} ?", [wanted.value]
    if isinstance(wanted, Both):
        one, other = _test(column, wanted.one, scope), _test(column, wanted.other, scope)
        return f"{one[0]} AND {other[0]}", [*one[1], *other[1]]
    if isinstance(wanted, Either):
        one, other = _test(column, wanted.one, scope), _test(column, wanted.other, scope)
        return f"({one[0]} OR {other[0]})", [*one[1], *other[1]]
    if isinstance(wanted, Encrypted):
        of_kind = {"kind": kind_of(wanted.kind).name}
        return _test(column, Among("encrypted", "id", of_kind, none=wanted.none), scope)
    if isinstance(wanted, About):
        numbers = Among("concept", "n", {"folded": wanted.concept})
        return _test(column, Among("about", "key", {"concept": numbers}), scope)
    if isinstance(wanted, Among):
        inner, values = _condition(wanted.where, scope)
        word = "NOT IN" if wanted.none else "IN"
        query = f"SELECT {_column(wanted.column)} FROM {wanted.table}{inner}"
        return f"{column} {word} ({query})", values
    if isinstance(wanted, (tuple, list, set, frozenset)):
        given = padded([value for value in wanted if value is not None])
        text = f"{column} IN ({placeholders(given)})" if given else "false"
        if len(given) < len(wanted):
            text = f"({text} OR {column} IS NULL)"
        return text, given
    return f"{column} = ?", [wanted]


def _has_names(where: Where) -> bool:
    """True when a condition, or one in it, is about a name."""
    inner = (wanted.where for wanted in where.values() if isinstance(wanted, Among))
    return not where.keys().isdisjoint(NAMED) or any(map(_has_names, inner))


def _matches_nothing(where: Where) -> bool:
    """True when a column is to have one of no values."""
    lists = (wanted for wanted in where.values() if isinstance(wanted, (tuple, list, set)))
    return not all(lists)


def _long(where: Where) -> str | None:
    """The condition with too many values for one query."""
    for name, wanted in where.items():
        if isinstance(wanted, (tuple, list, set, frozenset)) and len(wanted) > AT_ONCE:
            return name
    return None


def _parts(where: Where) -> Iterator[Where]:
    """The condition, split if one of its lists of values is long."""
    long = _long(where)
    if long is None:
        yield where
        return
    for part in in_parts(list(dict.fromkeys(where[long]))):
        yield {**where, long: part}


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


@functools.cache
def _column(name: str) -> str:
    """A quoted column, or an aggregate of one: some names are SQL keywords."""
    found = _CALL.fullmatch(name)
    if found is None:
        return f'"{name}"'
    inner = found[2] if found[2] == "*" else f'"{found[2]}"'
    return f"{found[1]}({inner})"


def _ordered(name: str) -> str:
    return f"{_column(name[1:])} DESC" if name.startswith("-") else _column(name)
