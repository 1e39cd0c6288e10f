"""Rows that are found and changed by their columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from thalamus.store.conditions import PRESENT, Among, Both, Where, above, other_than

from tests.store.making import fill, found, memory, open_store, vector
from tests.store.test_encryption import CARD, engine
from thalamus.records import Memory, Quarantine
from thalamus.store import embeddings

WHERE: dict[str, tuple[Where, list[str]]] = {
    "value": ({"id": "mem_one"}, ["mem_one"]),
    "one of": ({"id": ("mem_one", "mem_two", "mem_none")}, ["mem_one", "mem_two"]),
    "none of": ({"id": ()}, []),
    "null": ({"topic": None}, ["mem_two"]),
    "or null": ({"topic": ("b", None)}, ["mem_two", "mem_three"]),
    "present": ({"topic": PRESENT}, ["mem_one", "mem_three"]),
    "above": ({"id": above("mem_three")}, ["mem_two"]),
    "both": ({"id": Both(other_than("mem_one"), above("mem_a"))}, ["mem_two", "mem_three"]),
    "among": ({"id": Among("link", "source", {"target": "x"})}, []),
    "none among": ({"key": Among("embedding", "key", none=True), "topic": "b"}, ["mem_three"]),
    "two": ({"topic": PRESENT, "id": "mem_two"}, []),
}


@pytest.mark.parametrize("name", WHERE)
def test_conditions(tmp_path: Path, name: str) -> None:
    store = open_store(tmp_path / "store")
    with store.writing() as writer:
        for id, topic in (("one", "a"), ("two", None), ("three", "b")):
            writer.add(memory(id, topic=topic))
    where, wanted = WHERE[name]
    assert [memory.id for memory in store.find(Memory, where, ("key",))] == wanted
    assert [row["id"] for row in store.select("memory", ("id",), where, ("key",))] == wanted
    store.close()


def test_fields_and_marks_change_and_searches_follow(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store")
    fill(store, ["one", "two"])
    reason = Quarantine(rule="injection", reason="it is one")
    changes = {"status": "quarantined", "quarantine": reason, "released": True}
    with store.writing() as writer:
        assert writer.change(Memory, "mem_one", **changes) == 1
    [changed] = store.by_ids(Memory, ["mem_one"])
    assert (changed.quarantine, changed.released) == (reason, True)
    assert not found(store, "one") and found(store, "two")
    with store.writing() as writer:
        key = writer.renumber("mem_one")
        writer.change(Memory, "mem_one", status="active", quarantine=None)
        writer.put_vector(key, vector("one"))
    assert store.by_ids(Memory, ["mem_one"])[0].quarantine is None
    assert found(store, "one") and found(store, "two")
    store.close()


def test_what_is_encrypted_changes_there(home: Path) -> None:
    with engine(home) as thalamus:
        plain, secret = [
            thalamus.remember([Memory(content=said)])[0]
            for said in ("Herons stand still.", f"My card number is {CARD}.")
        ]
        reason = Quarantine(rule="source_deleted", reason=f"it was {CARD}")
        changes = {"trust": 0.5, "quarantine": reason}
        store, ids = thalamus.database, (plain.id, secret.id)
        with store.writing() as writer:
            assert writer.change(Memory, ids, **changes) == 2
            [(key,)] = store.select("memory", ("key",), {"id": secret.id})
            writer.put_vector(key, vector("other"))
        for memory in store.by_ids(Memory, ids):
            assert (memory.trust, memory.quarantine) == (0.5, reason)
        rows = store.select("memory", ("trust", "quarantine"), {"id": ids}, order=("key",))
        assert [row["trust"] for row in rows] == [0.5, 0.5]
        assert rows[0]["quarantine"] is not None and rows[1]["quarantine"] is None
        assert embeddings.of(store, [secret.id or ""])[secret.id or ""] == vector("other")
        assert store.select("embedding", ("key",), {"key": key}) == []
