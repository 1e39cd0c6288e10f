"""A connection to PostgreSQL that runs the SQL of ``storage.relational``."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import errors, sql

from thalamus.errors import StoreBusy, StoreDamaged, StoreFull
from thalamus.storage.relational import create_tables

LOCK = 0x7468616C  # advisory lock held by one writer at a time
_SAME = re.compile(r"\bIS (NOT )?\?")
# PostgreSQL's spelling of SQLite's types and keywords in CREATE statements
_TYPES = (
    (re.compile(r"\bWITHOUT ROWID\b"), ""),
    (re.compile(r"\bINTEGER\b"), "BIGINT"),
    (re.compile(r"\bREAL\b"), "DOUBLE PRECISION"),
    (re.compile(r"\bBLOB\b"), "BYTEA"),
    # texts are compared byte by byte, as times require
    (re.compile(r"\bTEXT\b"), 'TEXT COLLATE "C"'),
)


class PostgresRow(tuple[Any, ...]):
    """A row with access by name and by position."""

    names: dict[str, int]

    def __getitem__(self, place: Any) -> Any:
        return tuple.__getitem__(self, self.names[place] if isinstance(place, str) else place)

    def keys(self) -> list[str]:
        return list(self.names)


def _rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], PostgresRow]:
    names = {column.name: place for place, column in enumerate(cursor.description or ())}
    kind = type("Row", (PostgresRow,), {"names": names})
    return lambda values: kind(values)


class PostgresConnection:
    """See ``storage.relational.connection``."""

    def __init__(self, url: str, tenant: str, busy_timeout: float) -> None:
        self.raw = psycopg.connect(url, autocommit=True, row_factory=_rows)
        name = sql.Identifier(f"thalamus_{tenant}")
        self._schema = name
        self.raw.execute(sql.SQL("SET search_path TO {}").format(name))
        self.raw.execute(f"SET lock_timeout TO {max(1, int(busy_timeout * 1000))}")

    def execute(self, query: str, values: Sequence[Any] = (), /) -> psycopg.Cursor[Any]:
        return self.raw.execute(translated_query(query), _plain(values))

    def executemany(self, query: str, values: Iterable[Sequence[Any]], /) -> psycopg.Cursor[Any]:
        cursor = self.raw.cursor()
        cursor.executemany(translated_query(query), map(_plain, values))
        return cursor

    def make_schema(self) -> None:
        """Creates the tenant's schema, which has its tables."""
        self.raw.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(self._schema))

    def close(self) -> None:
        self.raw.close()


@functools.lru_cache(maxsize=512)
def translated_query(query: str) -> str:
    """A query with PostgreSQL's placeholders, and its operator for "equal, or both null"."""
    query = query.replace("%", "%%")
    query = _SAME.sub(lambda found: f"IS {'' if found[1] else 'NOT '}DISTINCT FROM ?", query)
    return query.replace("?", "%s")


def translated_table(statement: str) -> str:
    """Translates a statement that creates a table, an index or a view."""
    if statement.startswith("CREATE TABLE"):
        for pattern, other in _TYPES:
            statement = pattern.sub(other, statement)
    return statement


def _plain(values: Sequence[Any]) -> list[Any]:
    """Values with integers for booleans, as the columns have them."""
    return [int(value) if isinstance(value, bool) else value for value in values]


def is_ready(connection: PostgresConnection) -> bool:
    """True when the tables exist."""
    return connection.execute("SELECT to_regclass('meta')").fetchone()[0] is not None  # type: ignore[index]


def make_ready(connection: PostgresConnection, first: dict[str, Any]) -> None:
    """Creates missing tables, together with the store-wide values in one transaction."""
    with connection.raw.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(?)", (LOCK,))
        if is_ready(connection):
            return
        connection.make_schema()
        for statement in create_tables.all_statements():
            connection.raw.execute(translated_table(statement))
        connection.executemany(
            "INSERT INTO meta (name, value) VALUES (?, ?)",
            list(first.items()),
        )


@contextmanager
def translated(busy_timeout: float) -> Iterator[None]:
    """Converts PostgreSQL's errors to Thalamus's own."""
    try:
        yield
    except errors.LockNotAvailable as error:
        raise StoreBusy(Path("postgresql"), f"{busy_timeout:g}") from error
    except (errors.DiskFull, errors.ReadOnlySqlTransaction) as error:
        raise StoreFull(Path("postgresql"), str(error)) from error
    except psycopg.OperationalError as error:
        fix = "Look whether the server is running and lets you in."
        raise StoreDamaged(Path("postgresql"), str(error), fix=fix) from error
