"""Retiring memories, changing them, and taking either back, in the present transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from thalamus.storage.sqlite.deleting import delete

if TYPE_CHECKING:
    from thalamus.records import Batch

CHANGEABLE = "type topic importance scope status expires_at pinned".split()
_FREE = "status = 'active' AND pinned = 0 AND scope <> 'core'"


class Retiring:
    """Part of ``SqliteWriter``; see ``storage.batches.BatchWriter``."""

    _db: sqlite3.Connection

    if TYPE_CHECKING:  # other parts of it

        def _flush(self) -> None: ...

        def sealed(self, ids: Iterable[str]) -> set[str]: ...

        def delete(self, id: str) -> bool: ...

    def begin_batch(self, batch: Batch) -> None:
        self._db.execute(
            "INSERT INTO batch (id, at, action) VALUES (?,?,?)", (batch.id, batch.at, batch.action)
        )

    def retire(self, ids: Sequence[str], batch: str) -> int:
        self._flush()
        done = 0
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            where = f"id IN ({','.join('?' * len(part))}) AND {_FREE}"
            # before the rows change: the indexes let go of their words
            self._db.execute(
                f"INSERT INTO removal (key) SELECT key FROM memory WHERE {where}", part
            )
            query = f"UPDATE memory SET status = 'retired', batch = ? WHERE {where}"
            done += self._db.execute(query, (batch, *part)).rowcount
        return done

    def retire_all(self, ids: Sequence[str], batch: str) -> bool:
        self._flush()
        marks = ",".join("?" * len(ids))
        query = f"SELECT count(*) FROM memory WHERE id IN ({marks}) AND {_FREE}"
        if self._db.execute(query, ids).fetchone()[0] < len(ids):
            return False
        return self.retire(ids, batch) == len(ids)

    def change_memory(self, id: str, fields: Mapping[str, object], batch: str) -> bool:
        self._flush()
        names = [name for name in CHANGEABLE if name in fields]
        if "topic" in names and self.sealed([id]):
            names.remove("topic")  # it is in the box, and does not stand here in plain words
            fields = {name: fields[name] for name in names}
        if not names:
            return False
        query = f"SELECT key, {', '.join(names)} FROM memory WHERE id = ?"
        row = self._db.execute(query, (id,)).fetchone()
        if row is None:
            return False
        before = {name: row[name] for name in names}
        self._set(id, fields)
        self._db.execute(
            "INSERT OR IGNORE INTO batch_item (batch, id, before) VALUES (?,?,?)",
            (batch, id, msgspec.json.encode(before).decode()),
        )
        return True

    def note_made(self, id: str, batch: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO batch_item (batch, id) VALUES (?,?)", (batch, id))

    def changed_by(self, batch: str) -> list[str]:
        query = "SELECT id FROM batch_item WHERE batch = ? AND before IS NOT NULL ORDER BY id"
        return [row[0] for row in self._db.execute(query, (batch,))]

    def undo_batch(self, id: str, at: str) -> dict[str, int]:
        self._flush()
        counts = {"removed": 0, "changed": 0, "restored": 0}
        query = "SELECT id, before FROM batch_item WHERE batch = ?"
        for item, before in self._db.execute(query, (id,)).fetchall():
            if before is None:
                counts["removed"] += self.delete(item)
            else:
                counts["changed"] += self._set(item, msgspec.json.decode(before))
        counts["restored"] = bring_back(self._db, "batch = ? AND status = 'retired'", id)
        self._db.execute("UPDATE batch SET undone_at = ? WHERE id = ?", (at, id))
        self._db.execute("DELETE FROM batch_item WHERE batch = ?", (id,))
        return counts

    def purge(self, batch: str, limit: int) -> int:
        self._flush()
        last = self._number("SELECT coalesce(max(n), 0) FROM removal")
        query = "SELECT id FROM memory WHERE batch = ? AND status = 'retired' LIMIT ?"
        gone = [row[0] for row in self._db.execute(query, (batch, limit)).fetchall()]
        for id in gone:
            query = "SELECT source FROM link WHERE target = ? AND relation = 'derived_from'"
            made = self._db.execute(query, (id,)).fetchall()
            delete(self._db, id)  # what was made of it stays: it was made to take its place
            self._db.executemany(
                "INSERT OR IGNORE INTO link VALUES (?, 'derived_from', ?)",
                [(row[0], id) for row in made],
            )
        # neighbours of several of them need to be indexed anew once only
        self._db.execute(
            "DELETE FROM removal WHERE n > ?1 AND n NOT IN"
            " (SELECT max(n) FROM removal WHERE n > ?1 GROUP BY key)",
            (last,),
        )
        return len(gone)

    def close_batch(self, batch: str, at: str) -> None:
        close_batch(self._db, batch, at)

    def _set(self, id: str, fields: Mapping[str, object]) -> int:
        names = [name for name in CHANGEABLE if name in fields]
        if "status" in fields:
            query = "INSERT INTO removal (key) SELECT key FROM memory WHERE id = ?"
            self._db.execute(query, (id,))
        query = f"UPDATE memory SET {', '.join(f'{name} = ?' for name in names)} WHERE id = ?"
        return self._db.execute(query, [*(fields[name] for name in names), id]).rowcount

    def _number(self, query: str) -> int:
        return int(self._db.execute(query).fetchone()[0])


def bring_back(db: sqlite3.Connection, where: str, value: str) -> int:
    """Makes retired memories active again; how many there were."""
    # their words come back to the indexes
    db.execute(f"INSERT INTO removal (key) SELECT key FROM memory WHERE {where}", (value,))
    query = f"UPDATE memory SET status = 'active', batch = NULL WHERE {where}"
    return db.execute(query, (value,)).rowcount


def close_batch(db: sqlite3.Connection, batch: str, at: str) -> None:
    """From now on a batch cannot be undone."""
    db.execute("UPDATE batch SET purged_at = ? WHERE id = ?", (at, batch))
    db.execute("DELETE FROM batch_item WHERE batch = ?", (batch,))
