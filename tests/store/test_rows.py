"""Rows that are found and changed by their columns."""

from __future__ import annotations

from pathlib import Path

from tests.store.making import vector
from tests.store.test_encryption import CARD, engine
from thalamus.records import Memory, Quarantine
from thalamus.store import embeddings


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
            [(key,)] = store.fetch("SELECT key FROM memory WHERE id = ?", secret.id)
            writer.put_vector(key, vector("other"))
        for memory in store.by_ids(Memory, ids):
            assert (memory.trust, memory.quarantine) == (0.5, reason)
        rows = store.fetch(
            "SELECT trust, quarantine FROM memory WHERE id IN (?, ?) ORDER BY key", *ids
        )
        assert [row["trust"] for row in rows] == [0.5, 0.5]
        assert rows[0]["quarantine"] is not None and rows[1]["quarantine"] is None
        assert embeddings.of(store, [secret.id or ""])[secret.id or ""] == vector("other")
        assert store.fetch("SELECT key FROM embedding WHERE key = ?", key) == []
