"""The HNSW index over a vector index: kept when good, never trusted blindly."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import Result
from tests.forked import python
from tests.store.making import finish, level, memory, open_store, start
from thalamus.api import Thalamus
from thalamus.records import Memory
from thalamus.store.indexes import hnsw
from thalamus.store.indexes import index_files as manifests
from thalamus.store.indexes.vectors import Vectors
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter, Vector

pytestmark = pytest.mark.sqlite

hnsw.SCANNED = 1  # here and in the processes that import this: few questions are asked
hnsw.THREADS = 1  # several now and then leave an HNSW index out of which something is not found
ROWS, WIDTH = 3000, 32
Rows = np.ndarray


def unit(rows: Rows) -> Rows:
    """Rows of length 1, of numbers that are stored as they are."""
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype("<f2").astype("<f4")


def clustered(count: int, seed: int = 5) -> Rows:
    centres = unit(np.random.default_rng(4).standard_normal((30, WIDTH)))
    draw = np.random.default_rng(seed)
    noise = 0.9 / np.sqrt(WIDTH) * draw.standard_normal((count, WIDTH))
    return unit(centres[draw.integers(0, 30, count)] + noise)


def add(store: SqliteStore, rows: Rows, first: int = 0) -> None:
    with store.writing() as writer:
        for n, row in enumerate(rows, first):
            record = memory(f"n{n}", f"number n{n}", user="ann" if n % 50 == 0 else "bob")
            writer.add(record, Vector("m", row.tobytes()))
    level(store)


def questions(rows: Rows, count: int = 50) -> Rows:
    draw = np.random.default_rng(6)
    near = rows[draw.integers(0, len(rows), count)]
    return unit(near + 0.5 / np.sqrt(rows.shape[1]) * draw.standard_normal(near.shape))


def recall(store: SqliteStore, rows: Rows, where: Filter, there: Rows | None = None) -> float:
    """Of the nearest 10 among the rows that are ``there``, over 50 questions."""
    there = np.ones(len(rows), bool) if there is None else there
    hits = 0
    for question in questions(rows):
        cosines = np.where(there, rows @ question, -2)
        best = np.argsort(-cosines)[:10]
        found = store.search([], Vector("m", question.tobytes()), where, 10).vector
        assert len(found) == 10
        for hit in found:
            n = int(hit.entry.id.removeprefix("mem_n"))
            assert there[n] and hit.score == pytest.approx(cosines[n], abs=1e-5)
            hits += n in best
    return hits / 500


def index_of(store: SqliteStore) -> Vectors:
    indexes = store._indexes
    return indexes._vector_index(indexes._at.spaces()[0])


@pytest.fixture(autouse=True)
def _lower_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hnsw, "MINIMUM", 1000)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with an HNSW index over 3000 rows; it is not to be changed."""
    store = open_store(tmp_path_factory.mktemp("indexed") / "store")
    add(store, clustered(ROWS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hnsw, "MINIMUM", 1000)
        [built] = store.build_hnsw(lambda _: None)
    assert built.kept and built.rows == ROWS and (built.recall or 0) >= 0.99
    store.close()
    return store.folder


@pytest.fixture
def store(indexed: Path, tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(shutil.copytree(indexed, tmp_path / "store"), create=False)
    yield store
    store.close()


def test_it_serves_from_the_second_search_on(store: SqliteStore) -> None:
    rows, again = clustered(ROWS), open_store(store.folder, create=False)
    index, question = index_of(again), Vector("m", questions(rows)[0].tobytes())
    served = []
    for _ in range(3):
        again.search([], question, Filter(), 10)
        served.append(index.served)
    assert served == ["flat", "hnsw", "hnsw"]
    assert recall(again, rows, Filter()) >= 0.99 and index.served == "hnsw"
    [state] = [state for state in again.index_states() if state.name == "vectors"]
    told = state.extra["hnsw"]
    assert (told["rows"], told["behind"]) == (ROWS, 0) and told["recall"] >= 0.99
    assert len(again.search([], question, Filter(), hnsw.WIDEST + 1).vector) == hnsw.WIDEST + 1
    assert index.served == "flat"
    again.close()


def test_rows_are_added_removed_and_filtered(store: SqliteStore) -> None:
    rows = np.vstack([clustered(ROWS), clustered(400, seed=8)])
    index = index_of(store)
    recall(store, rows[:ROWS], Filter())
    add(store, rows[ROWS:], first=ROWS)
    assert recall(store, rows, Filter()) >= 0.99 and index.served == "hnsw"
    assert recall(store, rows, Filter(user="ann"), np.arange(len(rows)) % 50 == 0) == 1
    assert index.served == "flat"
    gone = np.random.default_rng(9).random(len(rows)) < 0.1
    with store.writing() as writer:
        for n in np.flatnonzero(gone):
            assert writer.remove(f"mem_n{n}")
    assert recall(store, rows, Filter(), ~gone) >= 0.99
    level(store)
    [state] = [state for state in store.index_states() if state.name == "vectors"]
    left = np.count_nonzero(~gone[ROWS:])
    assert state.extra["hnsw"]["behind"] == left and state.healthy
    [built] = store.build_hnsw(lambda _: None)
    assert built.kept and built.rows == np.count_nonzero(~gone)
    assert recall(store, rows, Filter(), ~gone) >= 0.99
    assert len(list((index.folder / "hnsw").iterdir())) == 2


def test_a_search_that_does_not_know_the_newest_rows(store: SqliteStore) -> None:
    index, question = index_of(store), questions(clustered(ROWS))[0].tobytes()
    older, reader = manifests.load(index.folder), Vectors(index.folder, WIDTH)
    assert older is not None and len(reader.search(older, question, 10)) == 10
    add(store, clustered(10, seed=8), first=ROWS)
    store.build_hnsw(lambda _: None)
    newer = manifests.load(index.folder)
    assert newer is not None and newer.entries == older.entries + 10
    for manifest, served in ((older, "flat"), (older, "flat"), (newer, "hnsw")):
        assert len(reader.search(manifest, question, 10)) == 10
        assert reader.served == served


def test_few_vectors_are_scanned(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hnsw, "MINIMUM", ROWS + 1)
    done: list[int] = []
    [built] = store.build_hnsw(done.append)
    assert not built.kept and "3,000 vectors: scanning them is faster" in built.note
    assert sum(done) == ROWS


def test_it_goes_when_the_vectors_are_made_anew(store: SqliteStore, tmp_path: Path) -> None:
    rows, index = clustered(ROWS), index_of(store)
    recall(store, rows, Filter())
    shutil.copytree(index.folder / "hnsw", tmp_path / "old")
    with store.writing() as writer:
        writer.remove("mem_n7")
    assert [state.note for state in store.rebuild_indexes()] == ["", ""]
    assert not (index.folder / "hnsw").exists()
    there = np.arange(ROWS) != 7
    assert recall(store, rows, Filter(), there) == 1 and index_of(store).served == "flat"
    # as when its making ends after that: it is over rows that are no longer these
    shutil.copytree(tmp_path / "old", index.folder / "hnsw")
    assert recall(store, rows, Filter(), there) == 1 and index_of(store).served == "flat"
    [state] = [state for state in store.index_states() if state.name == "vectors"]
    assert "over other vectors" in state.note and state.healthy


# -- damage, in processes of their own: native code may die of it ---------------------------------

DAMAGE = """
import itertools, os, random, shutil
from tests.store.test_hnsw import *

def flip(data, draw):
    for _ in range(draw.choice([1, 1, 8, 100])):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return data

WAYS = {
    "flip": flip,
    "head": lambda data, draw: flip(data[:200], draw) + data[200:],
    "cut": lambda data, draw: data[: draw.randrange(len(data))],
    "empty": lambda data, draw: b"",
    "noise": lambda data, draw: draw.randbytes(len(data)),
    "missing": lambda data, draw: None,
}
folder, rows, draw = Path(sys.argv[1]), clustered(ROWS), random.Random(3)
there = folder / "index" / "vectors-1" / "hnsw"
shutil.copytree(there, folder / "kept")
names = [path.name for path in sorted(there.iterdir())]
for way, name in itertools.product(WAYS, names):
    shutil.rmtree(there)
    shutil.copytree(folder / "kept", there)
    path = there / name
    print(way, name, flush=True)
    status = path.stat()
    data = WAYS[way](bytearray(path.read_bytes()), draw)
    path.unlink() if data is None else path.write_bytes(data)
    if data is not None and draw.random() < 0.5:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    store = open_store(folder, create=False)
    for question in questions(rows, 4):
        found = store.search([], Vector("m", question.tobytes()), Filter(), 10).vector
        best = np.argsort(-(rows @ question))[:10]
        assert [hit.entry.id for hit in found] == [f"mem_n{n}" for n in best]
        assert index_of(store).served == "flat"
    assert all(state.healthy for state in store.index_states())
    store.close()
print("done")
"""


def test_damaged_files_are_not_used(store: SqliteStore) -> None:
    assert finish(start(DAMAGE, store.folder)).endswith("done\n")


BUILD = """
from tests.store.test_hnsw import *
hnsw.MINIMUM, hnsw.BLOCK = 1000, 50
store = open_store(Path(sys.argv[1]), create=False)
print("begun", flush=True)
store.build_hnsw(lambda _: print("more", flush=True))
"""


def test_killed_while_it_is_built(store: SqliteStore) -> None:
    rows, folder = clustered(ROWS), index_of(store).folder / "hnsw"
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    for lines in (1, 20, 59):
        process = start(BUILD, store.folder)
        assert process.stdout is not None
        for _ in range(lines + 1):
            assert process.stdout.readline()
        process.kill()
        process.communicate()
        assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    (folder / "12345.tmp").write_bytes(b"half of it")  # killed while it was written
    again = open_store(store.folder, create=False)
    assert recall(again, rows, Filter()) >= 0.99 and index_of(again).served == "hnsw"
    [built] = again.build_hnsw(lambda _: None)
    assert built.kept and not list(folder.glob("*.tmp"))
    again.close()


READ = """
from tests.store.test_hnsw import *
store, rows = open_store(Path(sys.argv[1]), create=False), clustered(ROWS)
asked, served, stop = questions(rows), set(), Path(sys.argv[1]) / "stop"
right = [{f"mem_n{n}" for n in np.argsort(-(rows @ question))[:10]} for question in asked]
count = hits = 0
left = 50  # searches after the end was called for: each question once more
while left:
    left -= stop.exists()
    found = store.search([], Vector("m", asked[count % 50].tobytes()), Filter(), 10).vector
    hits += len(right[count % 50] & {hit.entry.id for hit in found})
    served.add(index_of(store).served)
    count += 1
    if count == 60:
        print("reading", flush=True)
assert hits / count >= 9.9, hits / count
print(sorted(served), len(index_of(store)._graph._graph.index))
"""


def test_others_read_while_a_new_one_is_published(store: SqliteStore) -> None:
    reader = start(READ, store.folder)
    assert reader.stdout is not None and reader.stdout.readline() == "reading\n"
    names = set()
    far = unit(np.random.default_rng(1).standard_normal((1, WIDTH)) - 9 * clustered(ROWS).mean(0))
    for turn in range(2):
        add(store, far, first=ROWS + turn)
        [built] = store.build_hnsw(lambda _: None)
        assert built.kept and built.rows == ROWS + turn + 1
        names |= {path.name for path in (index_of(store).folder / "hnsw").glob("*.usearch")}
    (store.folder / "stop").touch()
    assert finish(reader).endswith(f"['flat', 'hnsw'] {ROWS + 2}\n")
    assert len(names) == 2


# -- the command ----------------------------------------------------------------------------------

LOW = "from thalamus.store.indexes import hnsw; hnsw.MINIMUM = 50; "
MAIN = "import sys; sys.argv[0] = 'thalamus'; from thalamus.cli import main; main()"


def test_the_command(
    thalamus: Thalamus, run: Callable[..., Result], environment: dict[str, str], tmp_path: Path
) -> None:
    none = {"THALAMUS_EMBEDDER": "none"}
    run("store", input='{"record": "memory", "content": "A heron."}', env=none)
    told = run("store", "reindex", "--hnsw", env=none).stdout
    assert told.endswith("There are no vectors to index.\n")
    thalamus.remember([Memory(content=f"Memory number n{number}.") for number in range(60)])
    assert (
        "HNSW index of scripted: 60 vectors: scanning" in run("store", "reindex", "--hnsw").stdout
    )
    [built] = run("store", "reindex", "--hnsw", "--json").records[0]["data"]["hnsw"]
    assert (built["model"], built["rows"], built["kept"]) == ("scripted", 60, False)
    done = subprocess.run(
        [*python(), "-c", LOW + MAIN, "store", "reindex", "--hnsw"],
        env=environment | {"PYTHONPATH": str(Path.cwd())},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "HNSW index of scripted: 60 rows, recall@10 1.000" in done.stdout, done.stderr
    assert "HNSW" not in run("store", "reindex").stdout  # so few are scanned
