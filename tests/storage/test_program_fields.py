"""The migration that gives the program's own notes columns, on a store with rows."""

from __future__ import annotations

import json
from pathlib import Path

from tests.storage.making import memory, open_store
from thalamus.records import Event, Provenance, Turn
from thalamus.storage.protocol import Filter
from thalamus.storage.sqlite import migrations
from thalamus.storage.sqlite.migrations import counted_spaces, initial
from thalamus.storage.sqlite.migrations.program_fields import m_program_fields

WHY = {"rule": "injection", "reason": "it reads like an instruction"}
VIEWS = ("entry", "memory_entry", "fact_entry", "turn_entry")


def test_rows_of_before_keep_what_was_noted(tmp_path: Path) -> None:
    deep = {"suspicious": json.loads("[" * 900 + "]" * 900)}
    with open_store(tmp_path).writing() as writer:
        writer.add_memory(memory("aside", status="quarantined", metadata={"quarantine": WHY}))
        writer.add_memory(memory("freed", metadata={"released": True}))
        writer.add_memory(memory("claimed", metadata={"released": True, "quarantine": WHY}))
        source = Provenance(document="doc_1")
        about = {"type": "document_chunk", "provenance": source}
        writer.add_memory(memory("piece", metadata={"suspicious": "chat roles"}, **about))
        writer.add_memory(memory("odd", metadata=deep, **about))
        writer.add_memory(memory("own", status="quarantined", metadata={"quarantine": "!"}))
        for id, metadata in (
            ("cut", {"interrupted": "answer"}),
            ("chat", {"source": "claude", "ref": "m-1"}),
            ("mine", {"ref": "D1:3"}),
        ):
            writer.add_turn(
                Turn(message=id, id=id, created_at="2026-05-08T00:00:00Z", metadata=metadata)
            )
        decisions = [{"id": "mem_freed", "rule": "released"}]
        data = {"decisions": decisions}
        writer.add_event(Event(name="decided", at="2026-05-08T00:00:00Z", data=data))
    _back(tmp_path)
    store = open_store(tmp_path)
    found = {m.id: m for m in store.memories(Filter(status="all"), 10)}
    assert found["mem_aside"].quarantine and found["mem_aside"].quarantine.rule == "injection"
    assert [m.id for m in found.values() if m.quarantine] == ["mem_aside"]
    assert [m.id for m in found.values() if m.released] == ["mem_freed"]
    assert {m.id: m.suspicious for m in found.values() if m.suspicious} == {
        "mem_piece": "chat roles"
    }
    turns = {id: store.get(id) for id in ("cut", "chat", "mine")}
    noted = {id: (turn.interrupted, turn.ref) for id, turn in turns.items()}
    assert noted == {"cut": ("answer", None), "chat": (None, "m-1"), "mine": (None, None)}
    assert store.check() == []


def _back(folder: Path) -> None:
    """The tables of before."""
    store = open_store(folder)
    for view in VIEWS:
        store._db.execute(f"DROP VIEW {view}")
    for column in ("quarantine", "suspicious", "released"):
        store._db.execute(f"ALTER TABLE memory DROP COLUMN {column}")
    for column in ("interrupted", "ref"):
        store._db.execute(f"ALTER TABLE turn DROP COLUMN {column}")
    for statement in (*counted_spaces._COUNTED_SPACES, initial._INITIAL[-1]):
        if statement.startswith("CREATE VIEW"):
            store._db.execute(statement)
    name = m_program_fields.__name__
    store._db.execute("DELETE FROM _sqlite_migrations WHERE name = ?", (name,))
    store._db.execute(f"PRAGMA user_version = {migrations.SCHEMA_VERSION - 1}")
    store.close()
