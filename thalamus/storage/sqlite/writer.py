"""One unit of work: everything between BEGIN and COMMIT."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from thalamus.policy.vector import dimension
from thalamus.records import Document, Event, Fact, Link, Memory, Plan, Turn
from thalamus.storage.protocol import Vector
from thalamus.storage.sqlite import ledger, rows

_MEMORY_COLUMNS = (
    "id type topic content importance scope created_at recorded_at session user agent "
    "trust status sensitivity expires_at"
).split()
_FACT_COLUMNS = (
    "id subject predicate object valid_from valid_to recorded_at retired_at created_at "
    "session user agent quote trust"
).split()


class SqliteWriter:
    """Writes in the transaction that ``connection`` is in. See ``storage.protocol.Writer``."""

    def __init__(self, connection: sqlite3.Connection, now: str) -> None:
        self._db = connection
        self._now = now
        self._next_key: int | None = None
        self._spaces: dict[str, tuple[int, int]] = {}

    def finish(self) -> None:
        """Writes back the key counter; the caller commits."""
        if self._next_key is not None:
            self._db.execute("UPDATE meta SET value = ? WHERE name = 'next_key'", (self._next_key,))

    def add_turn(self, turn: Turn, vector: Vector | None = None) -> bool:
        if self._one("SELECT 1 FROM turn WHERE id = ?", turn.id) is not None:
            return False
        names = ("id", "message", "answer", "created_at", "session", "user", "agent")
        values = [getattr(turn, name) for name in names]
        key = self._insert(
            "turn",
            (*names, "recorded_at", "metadata"),
            [*values, turn.recorded_at or self._now, rows.pack_json(turn.metadata)],
        )
        self._embed(key, vector)
        return True

    def add_memory(self, memory: Memory, vector: Vector | None = None) -> None:
        values = [getattr(memory, name) for name in _MEMORY_COLUMNS]
        key = self._insert(
            "memory",
            (*_MEMORY_COLUMNS, "metadata", "provenance", "said", "content_hash"),
            [
                *values,
                rows.pack_json(memory.metadata),
                rows.pack_provenance(memory.provenance),
                rows.said_hash(memory),
                rows.content_hash(memory),
            ],
        )
        self._embed(key, vector)

    def add_fact(self, fact: Fact, vector: Vector | None = None) -> None:
        values = [getattr(fact, name) for name in _FACT_COLUMNS]
        key = self._insert(
            "fact",
            (*_FACT_COLUMNS, "metadata", "provenance"),
            [*values, rows.pack_json(fact.metadata), rows.pack_provenance(fact.provenance)],
        )
        self._embed(key, vector)

    def end_fact(self, id: str, valid_to: str) -> None:
        self._db.execute("UPDATE fact SET valid_to = ? WHERE id = ?", (valid_to, id))

    def find_memory(self, memory: Memory) -> str | None:
        if memory.id:
            return self._one("SELECT id FROM memory WHERE id = ?", memory.id)
        return self._one("SELECT id FROM memory WHERE said = ?", rows.said_hash(memory))

    def find_same_content(self, memory: Memory) -> str | None:
        return self._one(
            "SELECT id FROM memory WHERE content_hash = ? AND status = 'active' LIMIT 1",
            rows.content_hash(memory),
        )

    def find_fact(self, fact: Fact) -> str | None:
        if fact.id:
            return self._one("SELECT id FROM fact WHERE id = ?", fact.id)
        return self._one(
            "SELECT id FROM fact WHERE subject = ? COLLATE NOCASE AND predicate = ?"
            " AND object = ? COLLATE NOCASE AND user IS ? AND agent IS ? AND valid_from IS ?"
            " AND created_at = ? LIMIT 1",
            fact.subject,
            fact.predicate,
            fact.object,
            fact.user,
            fact.agent,
            fact.valid_from,
            fact.created_at,
        )

    def facts_about(self, subject: str, predicate: str, user: str | None) -> list[Fact]:
        found = self._db.execute(
            "SELECT * FROM fact WHERE subject = ? COLLATE NOCASE AND predicate = ?"
            " AND user IS ? AND retired_at IS NULL ORDER BY key",
            (subject, predicate, user),
        )
        return [rows.fact(row) for row in found]

    def add_document(self, document: Document) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO document (id, sha256, recorded_at, body) VALUES (?,?,?,?)",
            (
                document.id,
                document.sha256,
                document.recorded_at or self._now,
                msgspec.json.encode(document).decode(),
            ),
        )

    def add_link(self, link: Link) -> bool:
        added = self._db.execute(
            "INSERT OR IGNORE INTO link (source, relation, target) VALUES (?,?,?)",
            (link.source, link.relation, link.target),
        )
        return added.rowcount > 0

    def save_plan(self, plan: Plan) -> None:
        self._insert(
            "plan",
            ("id", "session", "turn", "created_at", "body"),
            [
                plan.id,
                plan.session,
                plan.turn,
                plan.created_at,
                msgspec.json.encode(plan).decode(),
            ],
            conflict="OR REPLACE ",
        )

    def add_event(self, event: Event) -> Event:
        return ledger.append(self._db, event)

    def add_vector(self, key: int, vector: Vector) -> None:
        space, size = self._space(vector)
        if dimension(vector.data) != size:
            raise ValueError(
                f"{vector.model} has {size} dimensions in this store, not {dimension(vector.data)}"
            )
        self._db.execute(
            "INSERT OR IGNORE INTO embedding (space, key, vector) VALUES (?,?,?)",
            (space, key, vector.data),
        )

    def _embed(self, key: int, vector: Vector | None) -> None:
        if vector is not None:
            self.add_vector(key, vector)

    def _space(self, vector: Vector) -> tuple[int, int]:
        if vector.model not in self._spaces:
            self._db.execute(
                "INSERT OR IGNORE INTO space (model, dimension) VALUES (?,?)",
                (vector.model, dimension(vector.data)),
            )
            row = self._db.execute(
                "SELECT id, dimension FROM space WHERE model = ?", (vector.model,)
            ).fetchone()
            self._spaces[vector.model] = (row[0], row[1])
        return self._spaces[vector.model]

    def _insert(
        self, table: str, names: tuple[str, ...], values: list[Any], conflict: str = ""
    ) -> int:
        if self._next_key is None:
            row = self._db.execute("SELECT value FROM meta WHERE name = 'next_key'").fetchone()
            self._next_key = int(row[0])
        key = self._next_key
        self._next_key += 1
        marks = ",".join("?" * (len(names) + 1))
        self._db.execute(
            f"INSERT {conflict}INTO {table} (key,{','.join(names)}) VALUES ({marks})",
            [key, *values],
        )
        return key

    def _one(self, query: str, *values: Any) -> str | None:
        row = self._db.execute(query, values).fetchone()
        return str(row[0]) if row else None
