"""What large stores do otherwise than small ones: quantized vectors, filters inside the search,
indexes that follow in a second process, and tables of an earlier version."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.store.making import AT, fill, finish, found, memory, open_store, start, vector
from thalamus.memory.memories import KnownMemories, with_same_content
from thalamus.policy.vector import MANY, pack, pack_many
from thalamus.records import Memory
from thalamus.store import embeddings, memories, similarity
from thalamus.store.indexes import quantization, vectors
from thalamus.store.indexes.fulltext import SELECTIVE
from thalamus.store.indexes.index_files import IndexManifest
from thalamus.store.indexes.vectors import SMALL, StoredVectors, Vectors
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter, Vector

pytestmark = pytest.mark.sqlite

ROWS, WIDTH = 6000, 48


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4")


def isotropic(draw: np.random.Generator) -> np.ndarray:
    return draw.standard_normal((ROWS, WIDTH))


def clustered(draw: np.random.Generator) -> np.ndarray:
    centres = draw.standard_normal((20, WIDTH))
    return centres[draw.integers(0, 20, ROWS)] + 0.3 * draw.standard_normal((ROWS, WIDTH))


def lopsided(draw: np.random.Generator) -> np.ndarray:
    """As some models make them: one dimension outweighs all others."""
    rows = draw.standard_normal((ROWS, WIDTH))
    rows[:, 3] *= 50
    return rows


@pytest.mark.parametrize("kind", [isotropic, clustered, lopsided])
@pytest.mark.parametrize("order", ["in order", "mixed"])
def test_the_nearest_are_those_of_an_exact_search(tmp_path: Path, kind, order) -> None:
    draw = np.random.default_rng(5)
    rows = unit(kind(draw))
    keys = np.arange(1, ROWS + 1) if order == "in order" else draw.permutation(ROWS) + 1
    pairs = [(int(key), row.tobytes()) for key, row in zip(keys, rows, strict=True)]
    index = Vectors(tmp_path / "index", WIDTH, table(pairs))
    manifest = IndexManifest("store", 1)
    for begin, end in ((0, 7), (7, SMALL), (SMALL, ROWS - 1), (ROWS - 1, ROWS)):
        index.append(manifest, pairs[begin:end])
        assert len(list(index.folder.glob("*.f32"))) == 1  # exact rows, or scales
        [hit] = index.search(manifest, rows[end - 1].tobytes(), 1)
        assert hit == (keys[end - 1], pytest.approx(1))
    assert manifest.entries == ROWS > SMALL
    for query in unit(rows[::600] + 0.05 * draw.standard_normal((10, WIDTH))):
        cosines = rows @ query
        for allowed in (None, keys[::2].tolist(), keys[7::900].tolist(), [1, ROWS + 5, 10**12]):
            passing = cosines if allowed is None else np.where(np.isin(keys, allowed), cosines, -2)
            best = [row for row in np.argsort(-passing)[:10] if passing[row] > -2]
            hits = index.search(manifest, query.tobytes(), 10, allowed)
            assert [key for key, _ in hits] == keys[best].tolist()
            assert np.allclose([score for _, score in hits], cosines[best], atol=1e-6)


def table(pairs: list[tuple[int, bytes]]) -> StoredVectors:
    stored = dict(pairs)
    return lambda keys: [(key, stored[key]) for key in keys if key in stored]


def test_deleted_rows_do_not_crowd_out_others(tmp_path: Path) -> None:
    rows = unit(clustered(np.random.default_rng(5)))
    pairs = [(n, row.tobytes()) for n, row in enumerate(rows)]
    near = np.argsort(-(rows @ rows[0])).tolist()
    kept = near[500:]
    index = Vectors(tmp_path / "index", WIDTH, table([pairs[n] for n in kept]))
    manifest = IndexManifest("store", 1)
    index.append(manifest, pairs)
    hits = index.search(manifest, rows[0].tobytes(), 10)
    assert [key for key, _ in hits] == kept[:10]


@pytest.mark.parametrize(("before", "after"), [(500, 100), (100, 500)])
def test_an_index_follows_another_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int, after: int
) -> None:
    """Of a version that calls fewer or more rows small."""
    rows = unit(clustered(np.random.default_rng(5)))[:400]
    pairs = [(n, row.tobytes()) for n, row in enumerate(rows)]
    index, manifest = Vectors(tmp_path / "index", WIDTH, table(pairs)), IndexManifest("store", 1)
    monkeypatch.setattr(vectors, "SMALL", before)
    index.append(manifest, pairs[:300])
    monkeypatch.setattr(vectors, "SMALL", after)
    index.append(manifest, pairs[300:])
    for number in (0, 299, 300, 399):
        [hit] = index.search(manifest, rows[number].tobytes(), 1)
        assert hit == (number, pytest.approx(1))
    assert {path.name for path in index.folder.glob("*.i8")} == {"quantized.i8"}


def test_few_rows_are_quantized_like_many() -> None:
    rows = [
        row.tobytes() for row in unit(lopsided(np.random.default_rng(6)))[: quantization.LEAST_ROWS]
    ]
    many, scales = quantization.encode(b"".join(rows), len(rows[0]) // 4)
    for n, row in enumerate(rows):
        one, scale = quantization.encode(row, len(row) // 4)
        assert np.allclose(np.frombuffer(scale, "<f4"), np.frombuffer(scales, "<f4")[n])
        there = np.frombuffer(many, "i1").reshape(len(rows), WIDTH)[n].astype(int)
        assert np.abs(np.frombuffer(one, "i1") - there).max() <= 1
        numbers = np.frombuffer(one, "i1") * np.frombuffer(scale, "<f4")
        assert np.allclose(numbers, np.frombuffer(row, "<f4"), atol=np.frombuffer(scale, "<f4"))


def test_many_vectors_are_packed_like_one() -> None:
    draw = np.random.default_rng(7)
    given = [row.tolist() for row in draw.standard_normal((2 * MANY, 9)) * 1e3]
    given[3], given[5], given[7] = [0.0] * 9, [float("nan")] * 9, [1e300] * 9
    for number, (numbers, made) in enumerate(zip(given, pack_many(given), strict=True)):
        if number in (3, 5, 7):
            assert isinstance(made, ValueError)
        else:
            assert isinstance(made, bytes)
            assert np.allclose(np.frombuffer(made, "<f4"), np.frombuffer(pack(numbers), "<f4"))
    assert len(pack_many([*given, [1.0]])) == len(given) + 1


@pytest.mark.parametrize("cores", [1, 3, 64])
def test_a_scan_in_several_threads_is_that_of_one(monkeypatch, cores) -> None:
    draw = np.random.default_rng(6)
    rows = unit(isotropic(draw))
    made, scales = quantization.encode(rows.tobytes(), rows.shape[1])
    matrix = np.frombuffer(made, np.int8).reshape(ROWS, WIDTH)
    measures = np.frombuffer(scales, "<f4")
    whole = quantization.scan(matrix, measures, rows[7])
    monkeypatch.setattr(quantization, "A_PART", WIDTH * 100)
    monkeypatch.setattr(quantization, "_cores", lambda: cores)
    assert np.array_equal(quantization.scan(matrix, measures, rows[7]), whole)
    with pytest.raises(ValueError):
        quantization.scan(matrix, measures, rows[7][:-1])

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert np.array_equal(quantization.scan(matrix, measures, rows[7]), whole)


# -- filters ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """4000 memories with one word in common: of ann 5, of bob 400, of carl most."""
    store = open_store(tmp_path_factory.mktemp("large"))
    with store.writing() as writer:
        for n in range(4000):
            user = "ann" if n % 800 == 7 else "bob" if n % 10 == 0 else "carl"
            record = memory(f"n{n}", f"heron {'pond ' * (n % 7)}n{n}", user=user)
            writer.add(record, vector(record.id or ""))
    yield store
    store.close()


@pytest.mark.parametrize(("user", "count"), [("ann", 5), ("bob", 400), ("carl", 3595)])
@pytest.mark.parametrize("limit", [3, 150])
def test_selective_filters_find_what_a_plain_scan_would(
    large: SqliteStore, user: str, count: int, limit: int
) -> None:
    where = Filter(user=user)
    theirs = [record for record in memories.read(large, where, 9999) if record.user == user]
    assert len(theirs) == count and 5 * SELECTIVE < 4000 < 400 * SELECTIVE
    query = np.frombuffer(vector("question").data, "<f4")
    cosines = {
        record.id: float(np.frombuffer(vector(record.id or "").data, "<f4") @ query)
        for record in theirs
    }
    near = large.search([], vector("question"), where, limit).vector
    best = sorted(cosines.values(), reverse=True)[:limit]
    assert [cosines[hit.entry.id] for hit in near] == pytest.approx(best, abs=1e-3)
    every = {h.entry.id: h.score for h in large.search_text(["pond"], Filter(), 4000)}
    text = large.search_text(["pond"], where, limit)
    scores = sorted((every[record.id] for record in theirs if record.id in every), reverse=True)
    assert [hit.score for hit in text] == pytest.approx(scores[:limit], rel=1e-4)
    assert {hit.entry.user for hit in text} == {user}


# -- storing many ----------------------------------------------------------------------------

MANY_RECORDS = """
import sys
store = open_store(Path(sys.argv[1]))
for start in range(0, 15000, 1000):
    with store.writing(more=True) as writer:
        for n in range(start, start + 1000):
            writer.add(memory(f"n{n}"), vector(f"n{n}"))
    print(start + 1000, flush=True)
store.close()
"""


def test_the_indexes_are_level_after_many_were_stored(tmp_path: Path) -> None:
    assert finish(start(MANY_RECORDS, tmp_path / "store")).endswith("15000\n")
    store = open_store(tmp_path / "store", create=False)
    for state in store.index_states():
        assert (state.entries, state.behind, state.healthy) == (15_000, 0, True)
    assert found(store, "n3") and found(store, "n14999")


@pytest.mark.parametrize("after", [6, 12])
def test_killed_while_many_are_stored(tmp_path: Path, after: int) -> None:
    """The second process, which may be indexing at that moment, ends by itself."""
    process = start(MANY_RECORDS, tmp_path / "store")
    assert process.stdout is not None
    for _ in range(after):
        stored = int(process.stdout.readline())
    process.kill()
    process.communicate()
    store = open_store(tmp_path / "store", create=False)
    kept = store.counts()["memory"]
    assert kept >= stored and kept % 1000 == 0 and store.check() == []
    assert found(store, "n0") and found(store, f"n{stored - 1}") and found(store, f"n{kept - 1}")
    give_up = time.monotonic() + 20
    while any(state.behind for state in store.index_states()) and time.monotonic() < give_up:
        store.search_text(["heron"], Filter(), 1)
        time.sleep(0.05)
    assert [(s.entries, s.behind, s.healthy) for s in store.index_states()] == [(kept, 0, True)] * 2


def test_a_batch_knows_its_own_duplicates(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store")
    one = Memory(content="The same words.", created_at=AT, recorded_at=AT)
    with store.writing() as writer:
        known = KnownMemories(writer)
        known.load([one])
        assert known.find(one) is None
        added = memory("x", "The same words.")
        writer.add(added)
        known.added(added)
        assert known.find(one) == "mem_x" == with_same_content(writer, one)
        assert known.find(one) == "mem_x" == known.find(added)
        writer.remove("mem_x")
        known.forget()
        assert known.find(one) is None is known.find(added)
    store.close()


def test_counts_of_embeddings_follow_the_table(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store")
    fill(store, ["one", "two", "three"])
    with store.writing() as writer:
        writer.add(memory("other"), Vector("n", vector("other").data))
        writer.put_vector(1, vector("again"))  # it has one: nothing is added
    with store.writing() as writer:
        assert writer.remove("mem_two")
    assert {space.model: space.count for space in embeddings.spaces(store)} == {"m": 2, "n": 1}


def test_a_large_store_is_sampled_at_the_same_rows_while_it_grows() -> None:
    """Other rows at each turn would have to be read from all over the disk."""
    for last in (10, 1_000, 50_000, 1_234_567):
        numbers = similarity._sampled(last)
        assert len(numbers) == min(last, similarity.SAMPLE)
        assert 0.9 * last < max(numbers) <= last and 0 < min(numbers) <= 1 + last / 10
    assert similarity._sampled(1_200_000) == similarity._sampled(1_299_999)
    assert similarity._sampled(1_000) != similarity._sampled(1_001)
