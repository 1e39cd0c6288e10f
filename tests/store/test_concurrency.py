"""Several processes at once on one store."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.store.making import AT, fill, finish, found, open_store, start
from thalamus.api import Thalamus
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Memory
from thalamus.store import memories
from thalamus.store.indexes.indexes import FEW
from thalamus.store.sqlite.backup import restore
from thalamus.store.values import Filter

Run = Callable[..., Any]

# Waits for a line, so that all begin at the same moment; then stores `count` in batches.
WRITER = """
import sys
folder, name, count, batch = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
import numpy, tantivy, usearch.index
print("ready", flush=True)
sys.stdin.readline()
store = open_store(folder)
fill(store, [f"{name}x{number}" for number in range(count)], batch)
assert found(store, f"{name}x0") and found(store, f"{name}x{count - 1}")
"""


def together(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        assert process.stdout is not None and process.stdin is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        finish(process)


@pytest.mark.parametrize(("processes", "count"), [(2, 300), (8, 60)])
def test_processes_storing_at_once_lose_nothing(tmp_path: Path, processes: int, count: int) -> None:
    """They also make the store at once: it does not exist before."""
    folder = tmp_path / "store"
    together([start(WRITER, folder, f"p{n}", count, 20) for n in range(processes)])
    store = open_store(folder, create=False)
    names = [f"p{n}x{number}" for n in range(processes) for number in range(count)]
    kept = [r.id for r in store.everything() if isinstance(r, Memory)]
    assert sorted(kept) == sorted(f"mem_{name}" for name in names)
    assert store.check() == []
    give_up = time.monotonic() + 30
    while any(state.behind > FEW for state in store.index_states()):
        assert time.monotonic() < give_up
        store._upkeep.check(last=True)
        time.sleep(0.05)
    for state in store.index_states():
        assert (state.entries + state.behind, state.healthy) == (len(names), True)
    assert all(found(store, name) for name in names[::7])


READER = """
import sys
store = open_store(Path(sys.argv[1]), create=False)
print("ready", flush=True)
searches = 0
while not (store.folder / "stop").exists():
    hits = store.search_text(["anchor"], Filter(), 5)
    near = store.search([], vector("anchor"), Filter(), 5).vector
    ids = [hit.entry.id for hit in hits]
    assert ids == ["mem_anchor"] and near[0].entry.id == "mem_anchor", (ids, near[:1])
    broad = [h.entry.id for h in store.search_text(["lisbon", "cat", "dog"], Filter(), 400)]
    assert len(broad) == len(set(broad))
    searches += 1
print(searches)
"""


@pytest.mark.sqlite
def test_readers_are_right_while_others_write_and_rebuild(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    fill(open_store(folder), ["anchor"])
    readers = [start(READER, folder) for _ in range(2)]
    for reader in readers:
        assert reader.stdout is not None and reader.stdout.readline() == "ready\n"
    writer = open_store(folder)
    for number in range(16):
        fill(writer, [f"n{number}x{part}" for part in range(5)])
        if number % 5 == 4:
            writer.rebuild_indexes()
    (folder / "stop").touch()
    assert all(int(finish(reader)) > 0 for reader in readers)


ENDLESS = """
import sys
store = open_store(Path(sys.argv[1]), create=False)
number = 0
while not (store.folder / "stop").exists():
    fill(store, [f"w{number}"])
    print(f"w{number}", flush=True)
    number += 1
"""


@pytest.mark.sqlite
def test_restore_and_backup_while_another_process_writes(tmp_path: Path) -> None:
    """Every acknowledged record is in the restored store or in the one that was kept."""
    folder = tmp_path / "store"
    store = open_store(folder)
    fill(store, ["before"])
    store.backup(tmp_path / "copy.db")
    writer = start(ENDLESS, folder)
    assert writer.stdout is not None
    acknowledged = [writer.stdout.readline().strip() for _ in range(5)]
    store.backup(tmp_path / "busy.db")
    asides = []
    for _ in range(3):
        asides.append(restore(folder, tmp_path / "copy.db", stamp=AT))
        acknowledged += [writer.stdout.readline().strip() for _ in range(5)]
        time.sleep(0.02)
    (folder / "stop").touch()
    acknowledged += finish(writer).split()
    kept: set[str | None] = set()
    for number, path in enumerate([tmp_path / "busy.db", *asides]):
        other = tmp_path / f"other{number}"
        other.mkdir()
        assert path is not None
        path.rename(other / "thalamus.db")
        opened = open_store(other, create=False)
        assert opened.check() == []
        kept |= {record.id for record in memories.read(opened, Filter(), 10_000)}
    live = {record.id for record in memories.read(store, Filter(), 10_000)}
    assert {f"mem_{name}" for name in acknowledged} <= kept | live
    assert store.check() == [] and found(store, "before") and found(store, acknowledged[-1])
    assert all(state.healthy and not state.behind for state in store.index_states())


@pytest.mark.sqlite
@pytest.mark.parametrize("other", [["facts"], ["store"]])
def test_a_process_that_has_forgotten_something_and_stays_open_keeps_its_locks(
    run: Run, thalamus: Thalamus, other: list[str]
) -> None:
    """A descriptor that is closed takes the process's POSIX locks on that file along: the search
    for remains must not, or the next process deletes the log that this one goes on writing to."""
    thalamus.turn("I have a boat named Gull.")
    thalamus.turn("I have a cat named Fado.")
    for name in ("Gull", "Fado"):
        thalamus.forget(ForgetOptions(query=name))
        given = json.dumps({"record": "memory", "content": f"Before {name}."})
        assert run(*other, input=given).code == 0
        files = {path.name for path in thalamus.store.file.parent.iterdir()}
        assert {"thalamus.db-wal", "thalamus.db-shm"} <= files
        thalamus.remember([Memory(content=f"After {name}.")])
        said = [line["content"] for line in run("memory", "--json").records]
        assert f"After {name}." in said
    thalamus.close()
    assert "After Fado." in run("memory", "--json").stdout
    assert run("doctor", "--signatures").code == 0
    assert run("doctor").code == 0


def test_a_view_leaves_alone_what_others_index_meanwhile(tmp_path: Path) -> None:
    """An index that is ahead of a reader's view is neither discarded nor built again from it."""
    reader, writer = open_store(tmp_path / "s"), open_store(tmp_path / "s")
    fill(writer, [f"first{n}" for n in range(300)])
    assert found(reader, "first7")
    with reader.reading():
        assert found(reader, "first8")
        fill(writer, [f"later{n}" for n in range(300)])
        before = [state.entries for state in writer.index_states()]
        sees = bool(reader.search_text(["later7"], Filter(), 3))
        assert found(reader, "first9") and sees == (reader.database != "SQLite")
        assert [state.entries for state in writer.index_states()] == before
    assert found(reader, "later7") and found(writer, "first9")
    reader.close()
    writer.close()


def test_reads_of_one_view_agree(thalamus: Thalamus) -> None:
    """What another engine stores meanwhile is seen by the next view; with SQLite not before."""
    thalamus.remember([Memory(content="The heron stands in the reeds.")])
    store = thalamus.database
    with thalamus.sibling() as other:
        with store.reading():
            first = store.counts()["memory"]
            other.remember([Memory(content="A crow hops on the lawn.")])
            again = store.counts()["memory"]
            with store.reading():  # is part of the one around it
                assert store.counts()["memory"] == again
        assert first == 1 and again == (1 if store.database == "SQLite" else 2)
        assert store.counts()["memory"] == 2
    with pytest.raises(ZeroDivisionError), store.reading():
        store.counts()
        _ = 1 / 0
    thalamus.remember([Memory(content="An owl hunts at night.")])
    assert store.counts()["memory"] == 3
