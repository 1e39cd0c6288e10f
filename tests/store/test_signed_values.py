"""A record has the same digest in every database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.making import memory, open_store
from thalamus.records.kinds import kinds
from thalamus.store.signing.signer import Signer
from thalamus.store.signing.tables import SignedTable, signed_table, tables
from thalamus.store.sqlite.tables import SqliteTables
from thalamus.store.tables import Tables

SIGNER = Signer(bytes(range(32)))
# columns of every type, and the digest of the memory below with them
MEMORY_COLUMNS = ["content", "content_hash", "id", "key", "pinned", "salience", "topic"]
DIGEST = "8a83afab7941d5c152d5cfb9c9df63b4"
CREATE = """CREATE TABLE sample (
    key INTEGER PRIMARY KEY, number INTEGER, weight REAL, words TEXT, data BLOB)"""
REORDERED = """CREATE TABLE sample (
    words TEXT, data BLOB, key INTEGER PRIMARY KEY, weight REAL, number INTEGER)"""
COLUMNS = ("key", "number", "weight", "words", "data")
INTEGERS = st.integers(-(2**63), 2**63 - 1)
ROWS = st.tuples(
    st.just(1),
    st.none() | INTEGERS | st.booleans(),
    st.none() | st.floats() | st.integers(-(2**53), 2**53),
    st.none() | st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",))),
    st.none() | st.binary(),
)


def sqlite(create: str = CREATE) -> SqliteTables:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute(create)
    return SqliteTables(db)


@pytest.fixture
def databases(server: str) -> Iterator[list[Tables]]:
    """A table in SQLite, once more with its columns in another order, and in PostgreSQL if there is
    a server."""
    if not server:
        yield [sqlite(), sqlite(REORDERED)]
        return
    from thalamus.store.postgres.connection import PostgresConnection
    from thalamus.store.postgres.definitions import shared
    from thalamus.store.postgres.pool import shared_pool
    from thalamus.store.postgres.tables import PostgresTables
    from thalamus.store_url import parse_store_url

    pool = shared_pool(parse_store_url(f"{server}&schema=public"), 1)
    with closing(PostgresConnection(pool, "ana", 5)) as connection:
        connection.execute(shared(CREATE))
        try:
            yield [sqlite(), sqlite(REORDERED), PostgresTables(connection, "ana")]
        finally:
            connection.execute("DROP TABLE sample")


def sample(rows: Tables) -> SignedTable:
    return signed_table("sample", rows.describe("sample"))


@given(row=ROWS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_row_has_one_digest_wherever_it_is_stored(databases: list[Tables], row: Any) -> None:
    digests = set()
    for rows in databases:
        table = sample(rows)
        values = dict(zip(COLUMNS, row, strict=True))
        digests.add(table.digest(SIGNER, [values[name] for name in table.columns]))
        rows.delete("sample", "true")
        rows.insert("sample", COLUMNS, [row])
        digests |= {table.digest(SIGNER, stored) for stored in table.all(rows)}
    assert len(digests) == 1


FORMS: dict[str, Callable[[Any], Any]] = {"number": Decimal, "weight": Decimal, "data": memoryview}


@pytest.mark.parametrize("column", FORMS)
def test_drivers_may_read_other_python_types(column: str) -> None:
    table = sample(sqlite())
    row = {"key": 1, "number": 17, "weight": 0.25, "words": "tea", "data": b"\x00\x01"}
    other = row | {column: FORMS[column](row[column])}
    digests = {table.digest(SIGNER, [one[c] for c in table.columns]) for one in (row, other)}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [("number", "17"), ("number", 17.5), ("weight", "0.25"), ("words", 7), ("data", "tea")],
)
def test_a_value_of_another_type_has_another_digest(column: str, value: Any) -> None:
    table = sample(sqlite())
    row = {"key": 1, "number": 17, "weight": 0.25, "words": "7", "data": b"tea"}
    other = row | {column: value}
    digests = {table.digest(SIGNER, [one[c] for c in table.columns]) for one in (row, other)}
    assert len(digests) == 2


def test_a_memory_has_the_same_digest_in_every_database(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "store")) as store:
        with store.writing() as writer:
            writer.add(memory("one", topic="sea", salience=1, pinned=True))
        table = tables(store.tables)["memory"].narrowed(MEMORY_COLUMNS)
        [row] = table.all(store.tables)
        assert table.digest(SIGNER, row).hex() == DIGEST


def test_columns_have_our_own_types(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "store")) as store:
        for kind in kinds():
            types = {column.type for column in store.tables.describe(kind.name)}
            assert types and types <= {"int", "float", "text", "bytes"}
        types = {column.name: column.type for column in store.tables.describe("memory")}
    chosen = ("key", "pinned", "trust", "id", "content_hash")
    assert [types[name] for name in chosen] == ["int", "int", "float", "text", "bytes"]
