"""The last few rows wait to be indexed until more come; in a store of few rows all of them do."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.making import (
    AT,
    WORDS,
    fill,
    found,
    in_words,
    level,
    memory,
    open_store,
    start,
    vector,
)
from thalamus.locks import exclusive
from thalamus.records import StageLog
from thalamus.store.indexes import folding
from thalamus.store.indexes.indexes import FEW, KEYS_PER_ROW
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter

pytestmark = pytest.mark.sqlite

LARGE = [f"old{number}" for number in range(1000)]
NEW = [f"new{number}" for number in range(FEW + 2)]


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


def add(store: SqliteStore, *names: str) -> None:
    """Each in a transaction of its own."""
    for name in names:
        with store.writing() as writer:
            writer.add(memory(name), vector(name))


def settled(store: SqliteStore) -> SqliteStore:
    """The store, opened again, once the processes that it started have ended."""
    store.close()
    if (process := store._upkeep._process) is not None:
        process.wait()
    if (lock := store.folder / "index" / folding.LOCK).exists():
        with exclusive(lock):  # of one that was started before
            pass
    return open_store(store.folder, create=False)


def test_stage_logs_do_not_count_as_rows_that_wait(store) -> None:
    add(store, "new")
    with store.writing() as writer:
        for number in range(2 * FEW):
            writer.add(StageLog(id=f"log_{number}", stage="answer", at=AT))
    assert behind(store)[0] == 1 and not store._indexes.behind()
    with store.writing() as writer:
        for number in range(KEYS_PER_ROW * FEW):
            writer.add(StageLog(id=f"log_more_{number}", stage="answer", at=AT))
    assert store._indexes.behind()


def test_a_few_rows_wait_and_are_found_all_the_same(store) -> None:
    """More are folded in by another process, which nobody waits for."""
    with exclusive(store.folder / "index" / "index.lock"):
        for name in NEW[:FEW]:
            add(store, name)
        assert behind(store) == [FEW, FEW] and not store._indexes.behind()
        assert all(found(store, name) for name in NEW[:FEW:9])
        add(store, *NEW[FEW:])
        assert behind(store) == [len(NEW)] * 2 and store._indexes.behind()
        assert all(found(store, name) for name in NEW[::9])
    again = settled(store)
    assert behind(again) == [0, 0] and all(found(again, name) for name in NEW[::9])
    again.close()


def test_a_long_process_has_rows_folded_in_meanwhile(store) -> None:
    add(store, *NEW, *(f"more{number}" for number in range(FEW)))
    give_up = time.monotonic() + 30
    while store._indexes.behind():
        assert time.monotonic() < give_up
        assert found(store, NEW[0])
    assert all(found(store, name) for name in NEW[::9])


def test_a_process_that_failed_is_not_started_again_at_once(tmp_path) -> None:
    store = open_store(tmp_path / "store")
    (store.folder / "index").mkdir()
    (store.folder / "index" / "fulltext").write_text("not a folder")
    add(store, *NEW)
    assert all(found(store, name) for name in NEW[::9])
    lock = store.folder / "index" / folding.LOCK
    give_up = time.monotonic() + 30
    while not (lock.exists() and lock.stat().st_size):
        assert time.monotonic() < give_up
        store._upkeep.check(last=True)
        time.sleep(0.02)
    store = settled(store)
    assert lock.stat().st_size and not folding._may_start(lock)
    assert store._indexes.behind() and found(store, NEW[7])
    (store.folder / "index" / "fulltext").unlink()
    long_ago = time.time() - folding.RETRY_AFTER[folding.LOCK] - 1
    os.utime(lock, (long_ago, long_ago))
    again = settled(store)
    assert behind(again) == [0, 0] and found(again, NEW[7]) and not lock.stat().st_size
    again.close()


def test_rows_are_folded_in_here_where_no_process_can_be_started(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    store = open_store(tmp_path / "store")
    add(store, *NEW)
    store.close()
    again = open_store(store.folder, create=False)
    assert max(behind(again)) <= FEW and all(found(again, name) for name in NEW[::9])
    assert again.index_states()[0].entries
    again.close()


def test_a_few_rows_wait_from_one_process_to_the_next(store) -> None:
    add(store, *NEW[:3])
    again = settled(store)
    assert behind(again) == [3, 3]
    assert all(found(again, name) for name in NEW[:3])
    again.close()


def test_a_store_of_few_rows_has_no_index(tmp_path) -> None:
    store = open_store(tmp_path / "store")
    for number in range(FEW):
        add(store, f"n{number}")
        if number % 20 == 0:
            assert found(store, f"n{number}") and found(store, "n0")
    store = settled(store)
    assert not list((store.folder / "index").iterdir())
    assert behind(store) == [FEW] * 2 and all(state.healthy for state in store.index_states())
    assert found(store, "n7")
    add(store, "more")
    store = settled(store)
    assert behind(store) == [0, 0] and found(store, "more") and found(store, "n7")
    store.close()


@pytest.mark.parametrize("count", [40, 300])
def test_what_is_removed_is_not_found_whether_there_is_an_index(tmp_path, count) -> None:
    store = open_store(tmp_path / "store")
    add(store, *(f"n{number}" for number in range(count)))
    assert found(store, "n7")
    with store.writing() as writer:
        writer.remove("mem_n7")
        writer.update("memory", {"status": "superseded"}, "id = ?", "mem_n8")
    assert not in_words(store, "n7")
    assert not in_words(store, "n8")
    with store.writing() as writer:
        writer.update("memory", {"status": "active"}, "id = ?", "mem_n8")
    assert found(store, "n8") and found(store, f"n{count - 1}")
    store.close()


def talk(seed: int, length: tuple[int, int] = (4, 30)) -> str:
    draw = random.Random(seed)
    return " ".join(
        draw.choices([f"{w}{n}" for w in WORDS for n in range(20)], k=draw.randint(*length))
    )


@pytest.mark.parametrize("count", [FEW + 1, 500])
def test_answers_come_in_the_order_of_a_level_index(tmp_path, count) -> None:
    store = open_store(tmp_path / "store")
    with store.writing() as writer:
        for number in range(count):
            writer.add(memory(f"n{number}", talk(number)))
    level(store)
    for number in range(count, count + FEW):
        with store.writing() as writer:
            writer.add(memory(f"n{number}", talk(number)))
    assert behind(store) == [FEW]
    asked = [talk(number, (2, 6)).split() for number in range(40)]
    before = [store.search_text(words, Filter(), 10) for words in asked]
    level(store)
    again = [store.search_text(words, Filter(), 10) for words in asked]
    for hits, wanted in zip(before, again, strict=True):
        scores = {hit.entry.id: hit.score for hit in wanted}
        for hit in hits:
            assert scores.get(hit.entry.id, wanted[-1].score) == pytest.approx(hit.score, rel=0.02)
        # only the average length of a text is that of the index
        assert scores[hits[0].entry.id] == pytest.approx(wanted[0].score, rel=0.01)
    store.close()


def test_what_was_changed_or_removed_waits_and_is_not_found(store) -> None:
    """Neither by its former words nor by its former vector, in this process or another one."""
    reader = open_store(store.folder, create=False)
    assert found(reader, "old7") and found(reader, "old8")
    with store.writing() as writer:
        writer.remove("mem_old7")
        writer.update("memory", {"content": "a heron on the pier"}, "id = ?", "mem_old8")
        [[key]] = writer.fetch("SELECT key FROM memory WHERE id = 'mem_old8'")
        writer.note_changed("memory", [key])
        writer._reindex("memory", [key], around=False)
        writer.put_vector(key, None)
        writer.put_vector(key, vector("heron"))
    other = open_store(store.folder, create=False)
    for each in (store, reader, other):
        assert each._indexes._known(each.folder / "index" / "fulltext") is not None
        assert not in_words(each, "old7") and not in_words(each, "old8")
        assert in_words(each, "old9")
        [hit] = each.search_text(["heron"], Filter(), 5)
        assert hit.entry.id == "mem_old8"
        near = each.search([], vector("heron"), Filter(), 1).vector
        assert near[0].entry.id == "mem_old8" and near[0].score > 0.999
        for gone in ("old7", "old8"):
            [hit] = each.search([], vector(gone), Filter(), 1).vector
            assert hit.score < 0.999
    reader.close()
    other.close()
    again = settled(store)
    level(again)
    assert not in_words(again, "old8") and in_words(again, "old9")
    [hit] = again.search([], vector("heron"), Filter(), 1).vector
    assert hit.entry.id == "mem_old8" and hit.score > 0.999
    again.close()


def test_many_removed_rows_leave_the_indexes(store) -> None:
    with store.writing() as writer:
        for number in range(FEW + 1):
            writer.remove(f"mem_old{number}")
    again = settled(store)
    assert [state.entries for state in again.index_states()] == [len(LARGE) - FEW - 1] * 2
    with again._indexes.locked():
        assert again._indexes.postings("old7", 5)[0] == 0
    again.close()


def test_what_a_killed_process_left_is_found_and_added_by_the_next(store) -> None:
    script = """
store = open_store(Path(sys.argv[1]), create=False)
for name in sys.argv[2:]:
    with store.writing() as writer:
        writer.add(memory(name), vector(name))
    print(name, flush=True)
sys.stdin.read()
"""
    process = start(script, store.folder, *NEW[:FEW])
    assert process.stdout is not None
    for _ in NEW[:FEW]:
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert behind(store) == [FEW, FEW]
    assert all(found(store, name) for name in NEW[:FEW])
    add(store, NEW[FEW])
    again = settled(store)
    assert behind(again) == [0, 0] and all(found(again, name) for name in NEW[: FEW + 1])
    again.close()


def test_removals_do_not_hold_up_a_bulk_load(store) -> None:
    """Even while another process keeps the indexes to itself."""
    with exclusive(store.folder / "index" / "index.lock"):
        for number in range(3):
            with store.writing() as writer:
                writer.remove(f"mem_old{number}")
                writer.add(memory(f"more{number}"), vector(f"more{number}"))
    assert all(found(store, f"more{number}") for number in range(3))
    assert not in_words(store, "old1")


@pytest.mark.parametrize("replaced", [False, True])
def test_closing_does_not_bring_a_deleted_store_back(store, replaced) -> None:
    with store.writing() as writer:
        for name in NEW:
            writer.add(memory(name), vector(name))
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


def test_an_index_of_another_store_goes_also_where_none_is_needed(tmp_path) -> None:
    """It may hold the words of what was deleted."""
    other = open_store(tmp_path / "other")
    fill(other, ["secret"])
    other.close()
    store = open_store(tmp_path / "store")
    add(store, "mine")
    shutil.copytree(tmp_path / "other" / "index", store.folder / "index", dirs_exist_ok=True)
    add(store, "more")
    assert found(store, "mine") and found(store, "more") and not found(store, "secret")
    store = settled(store)
    assert behind(store) == [0, 0] and all(state.entries == 2 for state in store.index_states())
    store.close()


def test_rows_written_by_others_are_found_by_a_reader_that_has_kept_some(tmp_path) -> None:
    store = open_store(tmp_path / "store")
    reader = open_store(tmp_path / "store", create=False)
    for number in range(5):
        add(store, f"n{number}")
        assert found(reader, f"n{number}")
    with store.writing() as writer:
        writer.remove("mem_n2")
    assert not in_words(reader, "n2") and found(reader, "n1")
    store.rebuild_indexes()
    add(store, "last")
    assert found(reader, "last") and found(reader, "n1")
    reader.close()
    store.close()
