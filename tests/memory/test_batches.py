"""Retiring, changing and deleting memories in the tables and in the indexes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from tests.store.making import AT, fill, found, level, memory, open_store, vector
from thalamus.memory.retention.usage import ageing
from thalamus.memory.undo.batches import batch_items, keep, purge, retire
from thalamus.memory.undo.restore import effects_of_batch, restore
from thalamus.memory.views.explain import links
from thalamus.records import Link
from thalamus.records.reports import Batch
from thalamus.store import batches, embeddings, memories
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "store")
    yield store
    store.close()


def begin(store: SqliteStore, name: str = "b1") -> str:
    with store.writing() as writer:
        batches.add(writer, Batch(id=name, at=AT, action="prune"))
    return name


def test_retired_entries_leave_the_searches_and_come_back(store: SqliteStore) -> None:
    fill(store, ["one", "two", "three"])
    batch = begin(store)
    with store.writing() as writer:
        assert retire(writer, ["mem_one", "mem_two", "mem_nothing"], batch) == 2
        assert retire(writer, ["mem_one"], batch) == 0
    assert not store.search_text(["one"], Filter(), 5)
    assert not found(store, "one") and found(store, "three")
    assert [m.id for m in memories.read(store, Filter(), 9)] == ["mem_three"]
    level(store)
    for state in store.index_states():
        assert state.healthy and not state.behind
    assert store.index_states()[0].entries == 1
    with store.writing() as writer:
        done = restore(effects_of_batch(batch, writer), writer, UTC)
    assert (done.changed, done.restored) == (0, 2)
    assert found(store, "one") and found(store, "two") and found(store, "three")
    level(store)
    assert store.index_states()[0].entries == 3


def test_pinned_and_core_are_not_retired(store: SqliteStore) -> None:
    with store.writing() as writer:
        writer.add(memory("pinned", pinned=True))
        writer.add(memory("core", scope="core"))
        writer.add(memory("free"))
    batch = begin(store)
    every = ["mem_pinned", "mem_core", "mem_free"]
    with store.writing() as writer:
        assert not retire(writer, every, batch, whole=True)
        assert retire(writer, every, batch) == 1
    assert batch_items(store, batch).retired == ["mem_free"]


def test_purging_keeps_the_ids_in_the_links_of_summaries(store: SqliteStore) -> None:
    fill(store, ["one", "two", "three"])
    batch = begin(store)
    with store.writing() as writer:
        writer.add(memory("summary", type="summary"), vector("summary"))
        for name in ("one", "two"):
            link = Link(source="mem_summary", relation="derived_from", target=f"mem_{name}")
            writer.add(link)
        writer.add(Link(source="mem_one", relation="about", target="mem_two"))
        retire(writer, ["mem_one", "mem_two"], batch)
    with store.writing() as writer:
        assert [purge(writer, batch, limit) for limit in (1, 5, 5)] == [1, 1, 0]
    assert store.get("mem_one") is None
    assert {link.target for link in links(store, "mem_summary")} == {"mem_one", "mem_two"}
    assert [link.relation for link in links(store, "mem_one")] == ["derived_from"]
    assert set(embeddings.of(store, ["mem_one", "mem_three"])) == {"mem_three"}


@pytest.mark.sqlite
@pytest.mark.parametrize("how", ["delete", "purge"])
def test_neighbours_of_several_deleted_are_found_once(store: SqliteStore, how: str) -> None:
    """The neighbours of two that went are indexed again, but not twice."""
    with store.writing() as writer:
        for name in ("one", "two", "three"):
            writer.add(memory(name, f"heron {name}", session="s"))
    batch = begin(store)
    level(store)
    assert len(store.search_text(["heron"], Filter(), 9)) == 3
    if how == "purge":
        with store.writing() as writer:
            retire(writer, ["mem_one", "mem_two"], batch)
    before = store.fetch("SELECT max(n) FROM removal")[0][0] or 0
    with store.writing() as writer:
        if how == "purge":
            purge(writer, batch, 10)
        else:
            writer.remove("mem_one")
            writer.remove("mem_two")
    gone = [row[0] for row in store.fetch("SELECT key FROM removal WHERE n > ?", before)]
    assert len(gone) == len(set(gone)) == 3
    assert [hit.entry.id for hit in store.search_text(["heron"], Filter(), 9)] == ["mem_three"]
    level(store)
    assert store.index_states()[0].entries == 1


def test_batches_are_read_in_pages(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newest first, also many at one time, between two times and of one action."""
    times = [f"2026-04-{day:02}T00:00:00Z" for day in (1, 3, 2, 2, 2, 2, 2, 2, 4)]
    with store.writing() as writer:
        for n, at in enumerate(times):
            batches.add(writer, Batch(id=f"b{n}", at=at, action="prune"))
        batches.add(writer, Batch(id="other", at=times[0], action="edit"))
    monkeypatch.setattr(batches, "PAGE", 3)

    def read(*bounds: str | None) -> list[list[str]]:
        return [[one.id for one in page] for page in batches.pages(store, "prune", *bounds)]

    assert read() == [["b8", "b1", "b7"], ["b6", "b5", "b4"], ["b3", "b2", "b0"]]
    assert read(times[2]) == [["b8", "b1", "b7"], ["b6", "b5", "b4"], ["b3", "b2"]]
    assert read(times[2], times[1]) == [["b7", "b6", "b5"], ["b4", "b3", "b2"]]
    assert read(None, times[2]) == [["b0"]]
    assert read(times[8], times[8]) == []


def test_later_batches_rest_on_what_a_batch_touched(store: SqliteStore) -> None:
    fill(store, ["one", "two", "three"])
    for name in ("b1", "b2", "b3", "b4", "b5"):
        begin(store, name)
    with store.writing() as writer:
        for batch, name in (("b1", "one"), ("b1", "two"), ("b2", "one"), ("b3", "three")):
            keep(writer, f"mem_{name}", {"topic": None}, batch)
        keep(writer, "mem_one", {"topic": None}, "b5")
        retire(writer, ["mem_two"], "b4")
    assert batches.later(store, "b1") == ["b5", "b4", "b2"]
    assert batches.of(store, ["mem_one", "mem_three"]) == ["b1", "b2", "b3", "b5"]
    with store.writing() as writer:
        batches.mark_undone(writer, "b5", AT)
        batches.mark_purged(writer, ["b2"], AT)
    assert batches.later(store, "b1") == ["b4"]
    assert [one.id for one in batches.stored(store, undoable=True)] == ["b4", "b3", "b1"]
    assert batches.later(store, "b4") == batches.later(store, "nothing") == []


def test_memories_are_read_in_the_order_of_keys_over_pages(store: SqliteStore) -> None:
    names = [f"n{n}" for n in range(2500)]
    with store.writing() as writer:
        for name in names:
            writer.add(memory(name))
    assert [m.id for m, _ in ageing(store)] == [f"mem_{name}" for name in names]
    assert [m.id for m, _ in ageing(store, ["nothing"])] == []
