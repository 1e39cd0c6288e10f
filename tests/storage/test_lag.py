"""In a large store the last few rows wait until more come, or the store is closed."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.storage.making import fill, found, memory, open_store, start, vector
from thalamus.storage.protocol import Filter
from thalamus.storage.sqlite.connection import exclusive
from thalamus.storage.sqlite.index_files import Manifest
from thalamus.storage.sqlite.indexes import FEW, SHARE
from thalamus.storage.sqlite.store import SqliteStore

LARGE = [f"old{number}" for number in range(4 * SHARE + 100)]
WAIT = 4  # rows that may wait in a store of this size
NEW = [f"new{number}" for number in range(3 * WAIT + 1)]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "store"
    store = open_store(folder)
    fill(store, LARGE, batch=1000)
    store.close()
    return folder


@pytest.fixture
def store(large: Path, tmp_path: Path) -> Iterator[SqliteStore]:
    shutil.copytree(large, tmp_path / "store")
    store = open_store(tmp_path / "store", create=False)
    yield store
    store.close()


def behind(store: SqliteStore) -> list[int]:
    return [state.behind for state in store.index_states()]


def add(store: SqliteStore, name: str) -> None:
    with store.writing() as writer:
        writer.add(memory(name), vector(name))


def test_a_few_rows_wait_and_are_found_all_the_same(store) -> None:
    most = 0
    for name in NEW:
        add(store, name)
        assert found(store, name)
        most = max(most, *behind(store))
    assert most == WAIT
    assert all(found(store, name) for name in NEW)
    store.close()
    again = open_store(store.folder, create=False)
    assert behind(again) == [0, 0]
    assert all(found(again, name) for name in NEW)
    again.close()


def test_in_a_small_store_nothing_waits(tmp_path) -> None:
    store = open_store(tmp_path / "store")
    fill(store, LARGE[: SHARE // 2], batch=SHARE)
    for name in NEW:
        add(store, name)
        assert behind(store) == [0, 0]
    store.close()


def test_no_more_than_a_few_wait_however_large_the_store_is() -> None:
    from thalamus.storage.sqlite.indexes import _allowed

    index = Manifest("store", 1, entries=10**9)
    assert (_allowed(None, index), _allowed(0, index)) == (FEW, 0)


def test_answers_are_those_of_a_level_index(store) -> None:
    """The same entries in the same order; scores move with the share of what waits."""
    for name in NEW[: WAIT - 1]:
        add(store, name)
    assert max(behind(store)) > 0
    asked = [["lisbon"], ["cat", "river"], ["new1", "tree", "boat"]]
    before = [store.search_text(words, Filter(), 50) for words in asked]
    store.close()
    again = open_store(store.folder, create=False)
    for words, hits in zip(asked, before, strict=True):
        level = again.search_text(words, Filter(), 50)
        scores = {hit.entry.id: hit.score for hit in level}
        assert len(scores) == 50
        for hit in hits:
            assert scores.get(hit.entry.id, level[-1].score) == pytest.approx(hit.score, rel=3e-3)
    again.close()


def test_what_is_removed_never_waits(store) -> None:
    with store.writing() as writer:
        writer.remove("mem_old7")
    assert not any(hit.entry.id == "mem_old7" for hit in store.search_text(["old7"], Filter(), 3))
    with store._indexes.held():
        assert store._indexes.postings("old7", 5)[0] == 0


def test_what_a_killed_process_left_is_found_and_added_by_the_next(store) -> None:
    script = """
store = open_store(Path(sys.argv[1]), create=False)
for name in sys.argv[2:]:
    with store.writing() as writer:
        writer.add(memory(name), vector(name))
    print(name, flush=True)
sys.stdin.read()
"""
    process = start(script, store.folder, *NEW[:WAIT])
    assert process.stdout is not None
    for _ in NEW[:WAIT]:
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert behind(store) == [WAIT, WAIT]
    assert all(found(store, name) for name in NEW[:WAIT])
    add(store, NEW[WAIT])
    assert behind(store) == [0, 0]
    assert all(found(store, name) for name in NEW[: WAIT + 1])


def test_removals_do_not_hold_up_a_bulk_load(store) -> None:
    """Even while another process keeps the indexes to itself."""
    with exclusive(store.folder / "index" / "index.lock"):
        for number in range(3):
            with store.writing(more=True) as writer:
                writer.remove(f"mem_old{number}")
                writer.add(memory(f"more{number}"), vector(f"more{number}"))
        assert store._sync is not None and store._sync._process is None
    assert all(found(store, f"more{number}") for number in range(3))
    assert behind(store) == [0, 0]


def test_few_rows_beside_many_removed_ones_do_not_wait(store) -> None:
    """What counts is how many rows the index has, and not how many there ever were."""
    with store.writing() as writer:
        for name in LARGE[SHARE // 2 :]:
            writer.remove(f"mem_{name}")
    add(store, NEW[0])
    assert behind(store)[0] == 0


@pytest.mark.parametrize("replaced", [False, True])
def test_closing_does_not_bring_a_deleted_store_back(store, replaced) -> None:
    add(store, NEW[0])
    shutil.rmtree(store.folder)
    if replaced:
        other = open_store(store.folder)
        fill(other, LARGE[:10])
        other.close()
    store.close()
    if not replaced:
        assert not store.folder.exists()
        return
    again = open_store(store.folder, create=False)
    assert behind(again) == [0, 0] and all(state.healthy for state in again.index_states())
    assert found(again, LARGE[3]) and not found(again, NEW[0])
    again.close()


def test_a_reader_leaves_the_indexes_as_they_are(store) -> None:
    add(store, NEW[0])
    reader = open_store(store.folder, create=False)
    assert found(reader, NEW[0])
    reader.close()
    assert behind(store) == [1, 1]
