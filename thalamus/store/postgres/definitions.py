"""Definitions of the tables for PostgreSQL: those of ``store.schema`` with a column
``tenant``, and its own."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from msgspec import Struct

from thalamus.store import entries, migrations
from thalamus.store.postgres import vectors, words

# changes of this database alone: a list that only grows
OWN: tuple[tuple[str, ...], ...] = (
    (*words.TABLES, *vectors.CHANGES),
    words.BLOCKS,
    words.BLOCKS_BY_TERM,
)
POLICY = "tenant = current_setting('thalamus.tenant', true)"

_MADE = re.compile(r"CREATE TABLE (\w+)")
_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*)\)(?: WITHOUT ROWID)?", re.DOTALL)
_INDEX = re.compile(r"(CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+) \()")
_NOT_UNIQUE = re.compile(r"ALTER TABLE (\w+) DROP (UNIQUE .*)")  # as recorded here
_DROPPED = re.compile(r"DROP INDEX (\w+)")
_VIEW = re.compile(r"CREATE VIEW (\w+) AS ")
_ADDED = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (.*)", re.DOTALL)
_CHANGED = re.compile(r"ALTER TABLE (\w+) ALTER COLUMN (\w+) TYPE (\w+)")
_TYPE = re.compile(r"\b(?:INTEGER|REAL|BLOB|TEXT)\b")
_TYPES = {
    "INTEGER": "BIGINT",
    "REAL": "DOUBLE PRECISION",
    "BLOB": "BYTEA",
    "TEXT": 'TEXT COLLATE "C"',  # compared byte by byte, as times require
}
_COLUMN = re.compile(r'"?(\w+)"? (BIGINT|INT|DOUBLE PRECISION|BYTEA|TEXT COLLATE "C")(\[\])?(?!\w)')
_CATALOG = {"INT": "integer", 'TEXT COLLATE "C"': 'text COLLATE "C"'}  # types in the catalog


# -- translation ----------------------------------------------------------------------------------


def shared(statement: str) -> str:
    """A statement of ``store.schema`` that creates a table, an index or a view, or adds a
    column, for PostgreSQL and with the tenant; any other unchanged."""
    if table := _TABLE.fullmatch(statement):
        return _shared_table(table[1], table[2])
    if _ADDED.match(statement):
        return _typed(statement)
    if _VIEW.match(statement):  # read with the rights of the user, who has one tenant
        statement = _VIEW.sub(r"CREATE VIEW \1 WITH (security_invoker = true) AS ", statement)
        return statement.replace("SELECT key, ", "SELECT tenant, key, ")
    return _INDEX.sub(r"\1tenant, ", statement)


def unique(column: str) -> str:
    """The constraint of a unique column."""
    return f"UNIQUE (tenant, {column})"


def shared_views() -> dict[str, str]:
    """The statement that creates each view, by its name."""
    return {statement.split(" ", 3)[2]: shared(statement) for statement in entries.definitions()}


def _shared_table(name: str, body: str) -> str:
    columns, constraints = [f"tenant {_TYPES['TEXT']} NOT NULL"], []
    for part in map(str.strip, _parts(body)):
        if part.startswith(("PRIMARY KEY (", "UNIQUE (")):
            constraints.append(part.replace("(", "(tenant, ", 1))
            continue
        column = part.split()[0]
        for constraint in ("PRIMARY KEY", "UNIQUE"):
            if f" {constraint}" in part:
                part = part.replace(f" {constraint}", "")
                constraints.append(f"{constraint} (tenant, {column})")
        columns.append(_typed(part))
    return f"CREATE TABLE {name} ({', '.join([*columns, *constraints])})"


def _typed(text: str) -> str:
    return _TYPE.sub(lambda found: _TYPES[found[0]], text)


def _parts(body: str) -> Iterator[str]:
    """The columns and constraints of a table: the parts between commas outside brackets."""
    start = depth = 0
    for place, sign in enumerate(body):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            yield body[start:place]
            start = place + 1
    yield body[start:]


# -- result ---------------------------------------------------------------------------------------


class Table(Struct, frozen=True):
    """A table after all migrations: the types of its columns, its constraints, and the statement
    that creates each index."""

    columns: dict[str, str]
    constraints: list[str]
    indexes: dict[str, str]


@functools.cache
def names() -> tuple[str, ...]:
    """The names of the tables."""
    found = map(_MADE.match, chain(_recorded(), *OWN))
    return tuple(made[1] for made in found if made)


@functools.cache
def tables() -> dict[str, Table]:
    """The tables after all migrations, by name."""
    found: dict[str, Table] = {}
    for statement in _statements():
        if created := _TABLE.fullmatch(statement):
            found[created[1]] = _table(created[2])
        elif added := _ADDED.fullmatch(statement):
            found[added[1]].columns.update([_column(added[2])])
        elif changed := _CHANGED.match(statement):
            found[changed[1]].columns[changed[2]] = changed[3]
        elif index := _INDEX.match(statement):
            found[index[3]].indexes[index[2]] = statement
        elif free := _NOT_UNIQUE.fullmatch(statement):
            found[free[1]].constraints.remove(free[2])
        elif dropped := _DROPPED.fullmatch(statement):
            for table in found.values():
                table.indexes.pop(dropped[1], None)
    return found


def _table(body: str) -> Table:
    table = Table({}, [], {})
    for part in (" ".join(part.split()) for part in _parts(body)):
        if part.startswith(("PRIMARY KEY (", "UNIQUE (")):
            table.constraints.append(part)
        else:
            table.columns.update([_column(part)])
    return table


def _column(definition: str) -> tuple[str, str]:
    """Name and type of a column."""
    found = _COLUMN.match(definition)
    assert found is not None, definition
    return found[1], _CATALOG.get(found[2], found[2].lower()) + (found[3] or "")


def _statements() -> Iterator[str]:
    """All statements that create or change tables of a new database."""
    yield from map(shared, _recorded())
    for statements in OWN:
        yield from statements


def _recorded() -> list[str]:
    """The statements of the migrations that all databases have."""
    recorder = _Recorder()
    for migration in migrations.MIGRATIONS:
        migration(recorder)
    return recorder.statements


class _Recorder:
    """See ``schema.Executor``: an empty database, which keeps the statements."""

    tenants = True

    def __init__(self) -> None:
        self.statements: list[str] = []

    def drop_unique(self, table: str, column: str) -> None:
        self.statements.append(f"ALTER TABLE {table} DROP {unique(column)}")

    def execute(self, statement: str, /) -> Any:
        self.statements.append(statement)
        return self

    def fetchone(self) -> None:
        return None

    def fetchall(self) -> list[Any]:
        return []
