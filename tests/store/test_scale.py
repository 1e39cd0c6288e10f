"""What large stores do otherwise than small ones: mapped vectors, filters inside the search,
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
from thalamus.store.indexes import vectors
from thalamus.store.indexes.fulltext import SELECTIVE
from thalamus.store.indexes.index_files import IndexManifest
from thalamus.store.indexes.indexes import FEW
from thalamus.store.indexes.vectors import Vectors
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


Pairs = list[tuple[int, int, bytes]]


def stored(keys: np.ndarray, rows: np.ndarray) -> Pairs:
    """Embeddings as in the table, numbered from 1."""
    half = rows.astype("<f2")
    return [(n, int(keys[n - 1]), row.tobytes()) for n, row in enumerate(half, 1)]


@pytest.mark.parametrize("kind", [isotropic, clustered, lopsided])
@pytest.mark.parametrize("order", ["in order", "mixed"])
def test_the_nearest_are_those_of_an_exact_search(tmp_path: Path, kind, order) -> None:
    draw = np.random.default_rng(5)
    rows = unit(kind(draw)).astype("<f2").astype("<f4")
    keys = np.arange(1, ROWS + 1) if order == "in order" else draw.permutation(ROWS) + 1
    pairs = stored(keys, rows)
    index, manifest = Vectors(tmp_path / "index", WIDTH), IndexManifest("store", 1)
    for begin, end in ((0, 7), (7, 2000), (2000, ROWS - 1), (ROWS - 1, ROWS)):
        manifest.watermark = end
        index.fold(manifest, [], [], pairs[begin:end])
        assert {path.name for path in index.folder.iterdir()} == {"manifest", *manifest.files}
        [hit] = index.search(manifest, rows[end - 1].tobytes(), 1)
        assert hit == (keys[end - 1], pytest.approx(1, abs=1e-3))
    assert manifest.entries == ROWS
    for query in unit(rows[::600] + 0.05 * draw.standard_normal((10, WIDTH))):
        cosines = rows @ query
        for allowed in (None, keys[::2].tolist(), keys[7::900].tolist(), [1, ROWS + 5, 10**12]):
            passing = cosines if allowed is None else np.where(np.isin(keys, allowed), cosines, -2)
            best = [row for row in np.argsort(-passing)[:10] if passing[row] > -2]
            hits = index.search(manifest, query.tobytes(), 10, (), allowed)
            assert [key for key, _ in hits] == keys[best].tolist()
            assert np.allclose([score for _, score in hits], cosines[best], atol=1e-6)


def test_outdated_rows_are_hidden_and_left_out_of_new_files(tmp_path: Path) -> None:
    """A row was deleted, and another one has a new vector."""
    rows = unit(clustered(np.random.default_rng(5)))
    near = np.argsort(-(rows @ rows[0])).tolist()
    index, manifest = Vectors(tmp_path / "index", WIDTH), IndexManifest("store", 1, ROWS)
    index.fold(manifest, [], [], stored(np.arange(ROWS), rows))
    removed = [near[0], near[1], near[2]]
    kept = [near[2] + 1]  # numbers
    opened = index.opened(manifest)
    hidden = opened.outdated(removed, kept)
    assert sorted(hidden) == sorted(near[:2])
    for allowed in (None, near[:20]):
        hits = index.search(manifest, rows[0].tobytes(), 10, hidden, allowed)
        assert [key for key, _ in hits] == near[2:12]
    manifest.watermark, manifest.removals = ROWS + 1, 2
    new = (ROWS + 1, near[1], rows[0].astype("<f2").tobytes())
    index.fold(manifest, removed, kept, [new])
    assert manifest.entries == ROWS - 1
    hits = index.search(manifest, rows[0].tobytes(), 10)
    assert [key for key, _ in hits] == [near[1], *near[2:11]]


def test_files_that_a_killed_process_left_are_deleted(tmp_path: Path) -> None:
    rows = unit(clustered(np.random.default_rng(5)))[:100]
    index, manifest = Vectors(tmp_path / "index", WIDTH), IndexManifest("store", 1, 50)
    index.fold(manifest, [], [], stored(np.arange(100), rows)[:50])
    for name in ("70-0.tmp.hbin", "60-0.hbin", "60-0.ibin"):
        (index.folder / name).write_bytes(b"unfinished")
    manifest.watermark = 100
    index.fold(manifest, [], [], stored(np.arange(100), rows)[50:])
    assert {path.name for path in index.folder.iterdir()} == {"manifest", *manifest.files}


def test_matrix_files_are_those_of_usearch(tmp_path: Path) -> None:
    from usearch.io import load_matrix

    rows = unit(isotropic(np.random.default_rng(5)))[:100]
    index, manifest = Vectors(tmp_path / "index", WIDTH), IndexManifest("store", 1, 100)
    index.fold(manifest, [], [], stored(np.arange(100, 200), rows))
    vectors_file, ids = (str(index.folder / name) for name in manifest.files)
    matrix = load_matrix(vectors_file)
    assert np.array_equal(matrix, rows.astype("<f2"))
    numbers_and_keys = load_matrix(ids).view("<u8")
    assert numbers_and_keys[7].tolist() == [8, 107]


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
    matrix = rows.astype("<f2")
    whole = vectors.scan(matrix, rows[7], 50)
    near = set(np.argsort(-(matrix.astype("<f4") @ rows[7]))[:40].tolist())
    assert near < {*whole.tolist()} and len(whole) == 50
    monkeypatch.setattr(vectors, "A_PART", WIDTH * 200)
    monkeypatch.setattr(vectors, "_cores", lambda: cores)
    assert {*vectors.scan(matrix, rows[7], 50)} == {*whole}
    with pytest.raises(ValueError):
        vectors.scan(matrix, rows[7][:-1], 50)

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert {*vectors.scan(matrix, rows[7], 50)} == {*whole}


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
    with store.writing() as writer:
        for n in range(start, start + 1000):
            writer.add(memory(f"n{n}"), vector(f"n{n}"))
    print(start + 1000, flush=True)
store.close()
"""


def test_the_indexes_are_level_after_many_were_stored(tmp_path: Path) -> None:
    assert finish(start(MANY_RECORDS, tmp_path / "store")).endswith("15000\n")
    store = open_store(tmp_path / "store", create=False)
    give_up = time.monotonic() + 30
    while any(state.behind > FEW for state in store.index_states()):
        assert time.monotonic() < give_up
        assert found(store, "n3") and found(store, "n14999")
    for state in store.index_states():
        assert (state.entries + state.behind, state.healthy) == (15_000, True)
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
    while any(state.behind > FEW for state in store.index_states()) and time.monotonic() < give_up:
        store.search_text(["heron"], Filter(), 1)
        time.sleep(0.05)
    for state in store.index_states():
        assert (state.entries + state.behind, state.healthy) == (kept, True)
        assert state.behind <= FEW


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
