"""One unit of work: everything between BEGIN and COMMIT."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from thalamus.policy.vector import dimension
from thalamus.records import Document, Event, Fact, Link, Memory, Plan, Turn
from thalamus.storage.protocol import Vector
from thalamus.storage.sqlite import ledger, rows
from thalamus.storage.sqlite.deleting import delete

if TYPE_CHECKING:
    from thalamus.storage.sqlite.sealed import Boxes
    from thalamus.storage.sqlite.signing import Signer

_MEMORY_COLUMNS = (
    "id type topic content importance scope created_at recorded_at session user agent "
    "trust status sensitivity expires_at"
).split()
_FACT_COLUMNS = (
    "id subject predicate object valid_from valid_to recorded_at retired_at created_at "
    "session user agent quote trust"
).split()
R = TypeVar("R", Memory, Fact, Turn)
_of_memory = attrgetter(*_MEMORY_COLUMNS)
_INSERT_MEMORY = (
    f"INSERT INTO memory (key,{','.join(_MEMORY_COLUMNS)},metadata,provenance,said,content_hash)"
    f" VALUES ({','.join('?' * (len(_MEMORY_COLUMNS) + 5))})"
)
_INSERT_VECTOR = "INSERT OR IGNORE INTO embedding (space, key, vector, mac) VALUES (?,?,?,?)"


class SqliteWriter:
    """Writes in the transaction that ``connection`` is in. See ``storage.protocol.Writer``.

    Memories and vectors wait for each other, to be written many at a time; whatever could look
    for them here looks at those that wait, or has them written first.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        now: str,
        signer: Signer | None = None,
        boxes: Boxes | None = None,
    ) -> None:
        self._db = connection
        self._signer = signer
        self._boxes = boxes
        self._now = now
        self._next_key: int | None = None
        self._spaces: dict[str, tuple[int, int]] = {}
        self._memories: list[tuple[Any, ...]] = []
        self._vectors: list[tuple[int, int, bytes, bytes | None]] = []
        # id and hash of a memory -> its id: of those that wait, and of those that were looked up
        self._waiting: dict[str | bytes, str] = {}
        self._looked_up: dict[str | bytes, str | None] = {}

    def finish(self) -> None:
        """Writes what waits and the key counter; the caller commits."""
        self._flush()
        if self._next_key is not None:
            self._db.execute("UPDATE meta SET value = ? WHERE name = 'next_key'", (self._next_key,))

    def add_turn(self, turn: Turn, vector: Vector | None = None) -> bool:
        if self._one("SELECT 1 FROM turn WHERE id = ?", turn.id) is not None:
            return False
        turn, vector = self._sealed(turn, vector)
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
        said, same = self._said(memory), self._content_hash(memory)
        memory, vector = self._sealed(memory, vector)
        key = self._new_key()
        self._memories.append(
            (
                key,
                *_of_memory(memory),
                rows.pack_json(memory.metadata),
                rows.pack_provenance(memory.provenance),
                said,
                same,
            )
        )
        self._waiting[memory.id or ""] = self._waiting[said] = memory.id or ""
        self._embed(key, vector)

    def add_fact(self, fact: Fact, vector: Vector | None = None) -> None:
        fact, vector = self._sealed(fact, vector)
        values = [getattr(fact, name) for name in _FACT_COLUMNS]
        key = self._insert(
            "fact",
            (*_FACT_COLUMNS, "metadata", "provenance"),
            [*values, rows.pack_json(fact.metadata), rows.pack_provenance(fact.provenance)],
        )
        self._embed(key, vector)

    def end_fact(self, id: str, valid_to: str) -> None:
        self._db.execute("UPDATE fact SET valid_to = ? WHERE id = ?", (valid_to, id))

    def delete(self, id: str) -> bool:
        self._flush()
        return delete(self._db, id)

    def look_up(self, memories: Sequence[Memory]) -> None:
        for column, names in (
            ("id", [memory.id for memory in memories if memory.id]),
            ("said", [self._said(memory) for memory in memories if not memory.id]),
        ):
            self._looked_up |= dict.fromkeys(names)
            for start in range(0, len(names), 500):
                part = names[start : start + 500]
                marks = ",".join("?" * len(part))
                query = f"SELECT {column}, id FROM memory WHERE {column} IN ({marks})"
                self._looked_up |= dict(self._db.execute(query, part).fetchall())

    def find_memory(self, memory: Memory) -> str | None:
        name = memory.id or self._said(memory)
        if name in self._waiting:
            return self._waiting[name]
        if name in self._looked_up:
            return self._looked_up[name]
        column = "id" if memory.id else "said"
        return self._one(f"SELECT id FROM memory WHERE {column} = ?", name)

    def find_same_content(self, memory: Memory) -> str | None:
        self._flush()
        return self._one(
            "SELECT id FROM memory WHERE content_hash = ? AND status = 'active' LIMIT 1",
            self._content_hash(memory),
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
        facts = [rows.fact(row) for row in found]
        return [self._boxes.open(fact) for fact in facts] if self._boxes else facts

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
        plan = self._sealed_plan(plan)
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
        subject = self._boxes.subject_of(event.turn) if self._boxes else None
        if self._boxes is not None and subject is not None:
            event = self._boxes.seal_event(event, subject)
        return ledger.append(self._db, event, self._signer)

    def add_vector(self, key: int, vector: Vector) -> None:
        space, size = self._space(vector)
        if dimension(vector.data) != size:
            raise ValueError(
                f"{vector.model} has {size} dimensions in this store, not {dimension(vector.data)}"
            )
        mac = self._signer.vector(space, key, vector.data) if self._signer else None
        self._vectors.append((space, key, vector.data, mac))

    def _sealed(self, record: R, vector: Vector | None) -> tuple[R, Vector | None]:
        """What is personal goes encrypted into a table of its own, its vector too."""
        subject = self._boxes.subject(record) if self._boxes else None
        if self._boxes is None or subject is None:
            return record, vector
        return self._boxes.seal(record, subject, vector), None

    def _sealed_plan(self, plan: Plan) -> Plan:
        """The plan of a sealed turn is sealed with the same key."""
        subject = self._boxes.subject_of(plan.turn) if self._boxes else None
        key = self._boxes.key_of(subject) if self._boxes and subject else None
        return self._boxes.seal_with(key, plan) if self._boxes and key else plan

    def _said(self, memory: Memory) -> bytes:
        return self._hidden(memory, rows.said_hash(memory))

    def _content_hash(self, memory: Memory) -> bytes:
        return self._hidden(memory, rows.content_hash(memory))

    def _hidden(self, memory: Memory, hash: bytes) -> bytes:
        """A hash of sealed words must not tell them to who guesses them."""
        subject = self._boxes.subject(memory) if self._boxes else None
        return self._boxes.hash(subject, hash) if self._boxes and subject else hash

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
        key = self._new_key()
        marks = ",".join("?" * (len(names) + 1))
        self._db.execute(
            f"INSERT {conflict}INTO {table} (key,{','.join(names)}) VALUES ({marks})",
            [key, *values],
        )
        return key

    def _new_key(self) -> int:
        if self._next_key is None:
            row = self._db.execute("SELECT value FROM meta WHERE name = 'next_key'").fetchone()
            self._next_key = int(row[0])
        key = self._next_key
        self._next_key += 1
        return key

    def _flush(self) -> None:
        for query, waiting in ((_INSERT_MEMORY, self._memories), (_INSERT_VECTOR, self._vectors)):
            if waiting:
                self._db.executemany(query, waiting)
                waiting.clear()
        self._waiting.clear()
        self._looked_up.clear()

    def _one(self, query: str, *values: Any) -> str | None:
        row = self._db.execute(query, values).fetchone()
        return str(row[0]) if row else None
