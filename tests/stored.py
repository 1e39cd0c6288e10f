"""Places of stores, and all bytes there: of files and, with PostgreSQL, of rows."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg


SCHEMA, ROLE = "thalamus", "app"  # of PostgreSQL
superuser = "postgres"  # who owns the tables there
homes: list[Path] = []  # of a test: the first one uses the schema of its address


def clean_environment() -> dict[str, str]:
    """The variables of this process without settings, but with the address of the store."""
    kept = {"THALAMUS_STORE"}
    return {k: v for k, v in os.environ.items() if not k.startswith("THALAMUS_") or k in kept}


def store_of(home: str | Path) -> str:
    """The address of the store of a home, empty for files in it. With PostgreSQL each home of a
    test has tables of its own."""
    url = os.environ.get("THALAMUS_STORE", "")
    schema = _schema(home)
    if not url or schema == SCHEMA:
        return url
    own = f"{url}&schema={schema}"
    with_tables(as_owner(own))
    return own


def _schema(home: str | Path) -> str:
    place = Path(home).absolute()
    if place not in homes:
        homes.append(place)
    number = homes.index(place)
    return f"{SCHEMA}_home{number}" if number else SCHEMA


def edit(home: Path, statements: str) -> None:
    """Changes rows of a home's store behind its back."""
    if url := os.environ.get("THALAMUS_STORE"):
        import psycopg

        with psycopg.connect(as_owner(url), autocommit=True) as connection:
            connection.execute(f"SET search_path TO {_schema(home)}, public")
            connection.execute(statements.encode())
        return
    with closing(sqlite3.connect(home / "data" / "default" / "thalamus.db")) as db, db:
        db.executescript(statements)


@cache
def with_tables(url: str) -> None:
    """Makes the tables of a schema, as their owner."""
    from thalamus.store.postgres.schema import initialize
    from thalamus.store_url import parse_store_url

    initialize(parse_store_url(url), ROLE)


def as_role(url: str, role: str = ROLE) -> str:
    """The address of a server for a role."""
    return re.sub(r"//(?:[^@/]*@)?", f"//{role}@", url, count=1)


def as_owner(url: str) -> str:
    """The address of a store for the owner of its tables."""
    return as_role(url, superuser)


def stored(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files below a folder and their bytes; with PostgreSQL also the tables, with those of all
    rows."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
    if url := os.environ.get("THALAMUS_STORE"):
        yield from _rows(url)


def holding(folder: Path, *texts: str) -> list[str]:
    """The files and tables that hold one of the texts."""
    wanted = [text.encode() for text in texts]
    return [name for name, data in stored(folder) if any(text in data for text in wanted)]


def tables(connection: psycopg.Connection[Any]) -> list[str]:
    """The tables that the tests make for their stores."""
    query = (
        "SELECT format('%%I.%%I', schemaname, tablename) FROM pg_tables"
        " WHERE schemaname ~ ('^' || %s || '(_home[0-9]+)?$')"
    )
    return [row[0] for row in connection.execute(query, (SCHEMA,))]


def _rows(url: str) -> Iterator[tuple[str, bytes]]:
    """Each table and the bytes of its rows, of all tenants."""
    import psycopg

    with psycopg.connect(as_owner(url)) as connection:
        for table in tables(connection):
            with connection.cursor().copy(f"COPY {table} TO STDOUT (FORMAT binary)") as copy:
                yield table, b"".join(copy)
