"""What a decision about a memory does to its row: said again, put aside, released, marked."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalamus.storage.sqlite import rows
from thalamus.storage.sqlite.deleting import delete
from thalamus.storage.sqlite.indexed_text import dependants

if TYPE_CHECKING:
    from thalamus.records import Memory
    from thalamus.storage.shapes import Vector


def memory_row(db: sqlite3.Connection, id: str) -> Memory | None:
    """The memory with this id, whatever its status."""
    row = db.execute("SELECT * FROM memory WHERE id = ?", (id,)).fetchone()
    return rows.memory(row) if row else None


def reinforce(db: sqlite3.Connection, id: str, gain: float, at: str) -> None:
    """It was said again: strength, how often, and when last. ``at`` never moves it back."""
    db.execute(
        "UPDATE memory SET strength = strength + ?, seen = seen + 1,"
        " seen_at = max(coalesce(seen_at, created_at), ?) WHERE id = ?",
        (gain, at, id),
    )


def set_status(db: sqlite3.Connection, id: str, status: str) -> None:
    """Moves a memory out of (or into) what can be found; the indexes follow through
    ``removal``."""
    row = db.execute("SELECT key, status FROM memory WHERE id = ?", (id,)).fetchone()
    if row is None or row[1] == status:
        return
    db.execute("UPDATE memory SET status = ? WHERE id = ?", (status, id))
    changed = [row[0], *dependants(db, row[0])]
    db.executemany("INSERT INTO removal (key) VALUES (?)", [(key,) for key in changed])


def set_aside(
    db: sqlite3.Connection, id: str, quarantine: str | None, expires_at: str | None
) -> None:
    """Puts an active memory into quarantine until it expires; ``quarantine`` says why."""
    set_status(db, id, "quarantined")
    db.execute(
        "UPDATE memory SET quarantine = ?, released = 0, expires_at = ? WHERE id = ?",
        (quarantine, expires_at, id),
    )


def release(db: sqlite3.Connection, id: str, key: int) -> None:
    """Makes a quarantined memory active under a new key: so every index takes it as a new one."""
    db.execute("DELETE FROM embedding WHERE key = (SELECT key FROM memory WHERE id = ?)", (id,))
    db.execute(
        "UPDATE memory SET key = ?, status = 'active', expires_at = NULL, quarantine = NULL,"
        " released = 1 WHERE id = ?",
        (key, id),
    )


def mark_stale(db: sqlite3.Connection, ids: Sequence[str], reason: str | None) -> list[str]:
    """Marks memories (None takes the mark away); returns those that were changed. The first
    reason stays, but for what is said of it: ``[id]`` at its end names what caused the mark."""
    condition = "stale IS NOT NULL" if reason is None else "stale IS NULL AND status = 'active'"
    changed = []
    cause = reason[reason.rfind("[") :] if reason and reason.endswith("]") else None
    for id in ids:
        query = f"UPDATE memory SET stale = ? WHERE id = ? AND {condition}"
        if db.execute(query, (reason, id)).rowcount:
            changed.append(id)
        elif cause:
            query = (
                "UPDATE memory SET stale = ? WHERE id = ? AND stale <> ? AND substr(stale, ?) = ?"
            )
            db.execute(query, (reason, id, reason, -len(cause), cause))
    return changed


def quarantined_like(db: sqlite3.Connection, content_hash: bytes) -> str | None:
    """The id of a quarantined memory with this hash of its owner and content."""
    row = db.execute(
        "SELECT id FROM memory WHERE content_hash = ? AND status = 'quarantined' LIMIT 1",
        (content_hash,),
    ).fetchone()
    return str(row[0]) if row else None


def expired_quarantine(db: sqlite3.Connection, now: str) -> list[str]:
    """The ids of the quarantined memories whose time is over."""
    found = db.execute(
        "SELECT id FROM memory WHERE status <> 'active' AND status = 'quarantined'"
        " AND expires_at <= ?",
        (now,),
    )
    return [row[0] for row in found]


def derived_from(db: sqlite3.Connection, id: str) -> list[str]:
    """The ids of what was made from this, or is about it."""
    found = db.execute(
        "SELECT source FROM link WHERE target = ?1 AND relation IN"
        " ('derived_from', 'about', 'part_of')"
        " UNION SELECT target FROM link WHERE source = ?1 AND relation = 'merged_into'",
        (id,),
    )
    return [row[0] for row in found]


def sources_of(db: sqlite3.Connection, id: str) -> list[str]:
    """The ids that a thing was made from."""
    found = db.execute(
        "SELECT target FROM link WHERE source = ? AND relation IN ('derived_from', 'part_of')",
        (id,),
    )
    return [row[0] for row in found]


class Deciding:
    """The part of a writer that ``storage.decisions.Decisions`` promises."""

    _db: sqlite3.Connection
    _now: str

    if TYPE_CHECKING:  # other parts of it

        def _flush(self) -> None: ...

        def _new_key(self) -> int: ...

        def add_vector(self, key: int, vector: Vector) -> None: ...

        def _opened(self, record: Any) -> Any: ...

        def _content_hash(self, memory: Memory) -> bytes: ...

        def _packed_quarantine(self, memory: Memory) -> str | None: ...

        def _sealed_vector(self, id: str, vector: Vector) -> bool: ...

    def memory(self, id: str) -> Memory | None:
        self._flush()
        found: Memory | None = self._opened(memory_row(self._db, id))
        return found

    def reinforce(self, id: str, gain: float, at: str) -> None:
        self._flush()
        reinforce(self._db, id, gain, at)

    def set_status(self, id: str, status: str) -> None:
        self._flush()
        set_status(self._db, id, status)

    def release(self, memory: Memory, vector: Vector | None = None) -> None:
        self._flush()
        key, id = self._new_key(), memory.id or ""
        self._packed_quarantine(memory)
        release(self._db, id, key)
        if vector is not None and not self._sealed_vector(id, vector):
            self.add_vector(key, vector)

    def mark_stale(self, ids: Sequence[str], reason: str | None) -> list[str]:
        self._flush()
        return mark_stale(self._db, ids, reason)

    def derived(self, id: str) -> list[str]:
        return derived_from(self._db, id)

    def quarantined_like(self, memory: Memory) -> str | None:
        self._flush()
        return quarantined_like(self._db, self._content_hash(memory))

    def clear_quarantine(self, now: str) -> int:
        self._flush()
        expired = expired_quarantine(self._db, now)
        return sum(delete(self._db, id) for id in expired)

    def _orphan(self, id: str) -> None:
        """Before a source is deleted: what came from it alone goes into quarantine."""
        for other in orphans(self._db, id):
            from thalamus.policy.admit import put_aside
            from thalamus.policy.decide import REASONS

            found = self.memory(other)
            if found is not None and found.status == "active":
                aside = put_aside(found, "source_deleted", REASONS["source_deleted"], self._now)
                set_aside(self._db, other, self._packed_quarantine(aside), aside.expires_at)


def orphans(db: sqlite3.Connection, id: str) -> list[str]:
    """The ids of what would have no source left without this one, all the way along the links."""
    gone = {id}
    waiting = [id]
    while waiting:
        for other in derived_from(db, waiting.pop()):
            sources = sources_of(db, other)
            if other not in gone and sources and gone.issuperset(sources):
                gone.add(other)
                waiting.append(other)
    return sorted(gone - {id})
