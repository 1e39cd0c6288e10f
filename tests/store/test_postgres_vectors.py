"""Vectors in PostgreSQL: the numbers that SQLite stores, scanned or found by an HNSW index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.store.making import fill, memory, open_store, vector
from tests.stored import ROLE, SCHEMA
from thalamus.store import embeddings
from thalamus.store.values import Filter, Vector
from thalamus.text.half_precision import halved

psycopg = pytest.importorskip("psycopg")
vectors = pytest.importorskip("thalamus.store.postgres.vectors")

from thalamus.store.postgres.schema import RIGHTS  # noqa: E402

WIDTH = 24


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Any]:
    store: Any = open_store(tmp_path / "store")
    yield store
    store.close()


@pytest.fixture
def indexed(owner: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The store's role owns the table of vectors, and few vectors are many."""
    monkeypatch.setattr(vectors, "EXACT", 100)
    owner.execute(f"GRANT CREATE ON SCHEMA {SCHEMA} TO {ROLE}")
    owner.execute(f"ALTER TABLE embedding OWNER TO {ROLE}")
    yield
    names = "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'hnsw%'"
    for (name,) in owner.execute(names).fetchall():
        owner.execute(f"DROP INDEX {name}")
    owner.execute("ALTER TABLE embedding OWNER TO current_user")
    owner.execute(f"GRANT {RIGHTS} ON embedding TO {ROLE}")
    owner.execute(f"REVOKE CREATE ON SCHEMA {SCHEMA} FROM {ROLE}")


def rows(count: int) -> Any:
    found = np.random.default_rng(3).standard_normal((count, WIDTH))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype("<f4")


def put(store: Any, matrix: Any) -> None:
    with store.writing() as writer:
        for n, row in enumerate(matrix):
            writer.add(memory(f"n{n}"), Vector("m", row.tobytes()))


def test_what_is_stored_are_the_bytes_of_other_databases(store: Any) -> None:
    matrix = rows(40)
    put(store, matrix)
    stored = store.fetch("SELECT vector FROM embedding ORDER BY n")
    assert [row[0] for row in stored] == halved([row.tobytes() for row in matrix])
    [found] = embeddings.of(store, ["mem_n7"]).values()
    assert np.allclose(np.frombuffer(found.data, "<f4"), matrix[7], atol=1e-3)
    types = {column.name: column.type for column in store.tables.describe("embedding")}
    assert types["vector"] == "bytes"


def test_the_nearest_are_found_with_their_cosines(store: Any) -> None:
    matrix = rows(300)
    put(store, matrix)
    query = rows(301)[-1]
    cosines = matrix @ query
    best = np.argsort(-cosines)[:10]
    hits = store.search([], Vector("m", query.tobytes()), Filter(), 10).vector
    assert [hit.entry.id for hit in hits] == [f"mem_n{n}" for n in best]
    assert [hit.score for hit in hits] == pytest.approx(cosines[best].tolist(), abs=5e-4)
    keys = [hit.entry.key for hit in hits]
    asked = Vector("m", query.tobytes())
    assert store.find_vector(asked, 10, keys[5:]) == store.find_vector(asked, 10)[5:]
    assert store.find_vector(asked, 10, []) == store.find_vector(asked, 0) == []
    similar = store.similarities(asked, keys)
    assert similar.sampled == 48 and similar.cosines[keys[0]] == pytest.approx(hits[0].score)
    assert abs(similar.mean) < 0.2


def test_a_model_finds_its_own_vectors_only(store: Any, tmp_path: Path) -> None:
    fill(store, ["one", "two"])
    other: Any = open_store(tmp_path / "other")
    fill(other, ["three"])
    assert len(store.find_vector(vector("one"), 10)) == 2
    assert len(other.find_vector(vector("one"), 10)) == 1
    other.close()
    assert store.find_vector(vector("one", "unknown"), 10) == []
    assert store.find_vector(vector("one", dimension=9), 10) == []
    with store.writing() as writer:
        writer.put_vector(store.find_vector(vector("one"), 1)[0][0], vector("x", "n", 12))
    assert len(store.find_vector(vector("x", "n", 12), 10)) == 1


def test_a_forgotten_vector_is_gone(store: Any, owner: Any) -> None:
    fill(store, ["one", "two"])
    with store.writing() as writer:
        writer.remove("mem_one")
    assert len(store.find_vector(vector("one"), 10)) == 1
    assert owner.execute("SELECT count(*) FROM embedding").fetchone()[0] == 1


def test_a_large_store_is_searched_by_an_index(store: Any, indexed: None) -> None:
    matrix = rows(300)
    put(store, matrix)
    [result] = store.keep_hnsw(lambda _: None)
    assert (result.model, result.rows, result.kept) == ("m", 300, True)
    assert result.recall >= 0.99
    assert store.keep_hnsw(lambda _: None) == []  # which it already is
    query = Vector("m", rows(301)[-1].tobytes())
    keys = [row[0] for row in store.fetch("SELECT key FROM embedding")]
    assert store.find_vector(query, 10) == store.find_vector(query, 10, keys)
    state = store.index_states()[1]
    assert (state.name, state.entries, state.extra["hnsw"]) == ("vectors", 300, 300)


@pytest.fixture
def unsorted(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are not sorted, which takes less time than an index where they are few."""
    monkeypatch.setenv("THALAMUS_STORE", f"{url}&options=-c%20enable_sort%3Doff")


def test_a_plan_that_is_kept_uses_the_index(unsorted: None, store: Any, indexed: None) -> None:
    put(store, rows(300))
    store.keep_hnsw(lambda _: None)
    query = Vector("m", rows(301)[-1].tobytes())
    for _ in range(60):  # on each connection more than the ten that PostgreSQL plans anew
        store.find_vector(query, 10)

    def plan(connection: Any) -> list[Any]:
        kept = "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%halfvec(%'"
        [[name]] = connection.execute(f"{kept} AND generic_plans > 0").fetchall()
        numbers = f"'[{','.join(['1'] * WIDTH)}]'"
        explain = f'EXPLAIN EXECUTE "{name}" ({numbers}, {numbers}, 10)'
        return list(connection.execute(explain).fetchall())

    found = [line for (line,) in store._db._run(plan)]
    assert any("Index Scan using hnsw" in line for line in found), found


def test_an_index_that_was_not_completed_is_built_again(
    store: Any, owner: Any, indexed: None
) -> None:
    put(store, rows(200))
    store.keep_hnsw(lambda _: None)
    owner.execute(
        "UPDATE pg_index SET indisvalid = false WHERE indrelid = 'embedding'::regclass"
        " AND indexrelid::regclass::text LIKE '%hnsw%'"
    )
    assert store.index_states()[1].note
    [result] = store.keep_hnsw(lambda _: None)
    assert result.kept and not store.index_states()[1].note


def test_a_role_that_does_not_own_the_table_says_so(
    store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "EXACT", 10)
    put(store, rows(20))
    [result] = store.keep_hnsw(lambda _: None)
    assert not result.kept and "owner" in result.note
    assert len(store.find_vector(Vector("m", rows(1)[0].tobytes()), 5)) == 5
