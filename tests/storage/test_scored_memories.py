"""The migration that scores memories, on a store with rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.storage.making import AT, memory, open_store, vector
from thalamus.storage.protocol import Filter
from thalamus.storage.sqlite import migrations
from thalamus.storage.sqlite.migrations.scored_memories import m_scored_memories


def test_rows_of_before_get_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(tmp_path).writing() as writer:
        writer.add_memory(memory("low", importance="low"), vector("low"))
        writer.add_memory(memory("high", importance="high"), vector("high"))
    store = open_store(tmp_path)
    # back to the tables of before
    for index in ("memory_stale", "memory_aside"):
        store._db.execute(f"DROP INDEX {index}")
    for column in ("salience", "strength", "seen", "seen_at", "stale"):
        store._db.execute(f"ALTER TABLE memory DROP COLUMN {column}")
    name = m_scored_memories.__name__
    store._db.execute("DELETE FROM _sqlite_migrations WHERE name = ?", (name,))
    store._db.execute(f"PRAGMA user_version = {migrations.SCHEMA_VERSION - 1}")
    store.close()
    found = {m.id: m for m in open_store(tmp_path).memories(Filter(), 10)}
    assert [found[id].salience for id in ("mem_low", "mem_high")] == [0.3, 0.7]
    assert {(m.strength, m.seen, m.seen_at, m.stale) for m in found.values()} == {
        (1.0, 1, AT, None)
    }
