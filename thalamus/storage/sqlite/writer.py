"""One unit of work: everything between BEGIN and COMMIT."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.policy.entities import fold
from thalamus.policy.vector import dimension
from thalamus.storage.sqlite import ledger, rows, sealed_values, telling
from thalamus.storage.sqlite.deciding import Deciding
from thalamus.storage.sqlite.deleting import delete
from thalamus.storage.sqlite.entities import entity
from thalamus.storage.sqlite.fact_writer import FactWriter
from thalamus.storage.sqlite.jobs import JobWriting
from thalamus.storage.sqlite.retiring import Retiring
from thalamus.storage.sqlite.sealed_writer import SealedWriter

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.records import Document, Event, Fact, Link, Memory, Plan, Turn
    from thalamus.storage.shapes import Vector
    from thalamus.storage.sqlite.sealed import Boxes
    from thalamus.storage.sqlite.signing import Signer

_MEMORY_COLUMNS = (
    "id type topic content importance scope created_at recorded_at session user agent "
    "trust status sensitivity expires_at pinned batch salience strength seen seen_at stale "
    "suspicious released"
).split()
_of_memory = attrgetter(*_MEMORY_COLUMNS)
_INSERT_MEMORY = (
    f"INSERT INTO memory (key,{','.join(_MEMORY_COLUMNS)},quarantine,metadata,provenance,said,"
    f"content_hash) VALUES ({','.join('?' * (len(_MEMORY_COLUMNS) + 6))})"
)
_INSERT_VECTOR = "INSERT OR IGNORE INTO embedding (space, key, vector, mac) VALUES (?,?,?,?)"


class SqliteWriter(SealedWriter, FactWriter, Deciding, Retiring, JobWriting):
    """Writes in the transaction that ``connection`` is in. See ``storage.protocol.Writer``.

    Memories and vectors wait for each other, to be written many at a time; whatever could look
    for them here looks at those that wait, or has them written first.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        clock: Clock,
        signer: Signer | None = None,
        boxes: Boxes | None = None,
    ) -> None:
        self._db = connection
        self._signer = signer
        self._boxes = boxes
        self._clock = clock
        self._now = clock.stamp()
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

    def add_turn(self, turn: Turn, vector: Vector | None = None, judged: bool = True) -> bool:
        if self._one("SELECT 1 FROM turn WHERE id = ?", turn.id) is not None:
            return False
        turn, vector = self._seal(turn, vector, surely=not judged)
        names = tuple("id message answer created_at session user agent interrupted ref".split())
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
        memory, vector = self._seal(memory, vector)
        key = self._new_key()
        self._memories.append(
            (
                key,
                *_of_memory(memory),
                rows.pack_quarantine(memory.quarantine),
                rows.pack_json(memory.metadata),
                rows.pack_provenance(memory.provenance),
                said,
                same,
            )
        )
        self._waiting[memory.id or ""] = self._waiting[said] = memory.id or ""
        self._embed(key, vector)

    def add_fact(self, fact: Fact, vector: Vector | None = None) -> None:
        value = sealed_values.value_of(fact, self._boxes)
        fact, vector = self._seal(fact, vector)
        values = telling.columns(self._db, fact) | {"value": value}
        key = self._insert("fact", tuple(values), list(values.values()))
        telling.add_told(self._db, key, fact)
        self._embed(key, vector)

    def delete(self, id: str) -> bool:
        self._flush()
        groups = telling.groups_of(self._db, self.registry, [id])
        self._orphan(id)
        gone = delete(self._db, id)
        telling.settle_groups(self._db, self.registry, groups, self._now, self._boxes)
        return gone

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
        about = entity(self._db, fact.user, fact.subject)[0]
        group = (fact.user, about, [fact.predicate], fold(fact.object))
        said = sealed_values.alike(self._db, self._boxes, *group)
        return self._one(
            "SELECT id FROM fact WHERE user IS ? AND entity = ? AND predicate = ?"
            f" AND value IN ({','.join('?' * len(said))}) AND agent IS ?"
            " AND stated_from IS ? AND stated_to IS ? AND created_at = ?"
            " AND retired_at IS ? LIMIT 1",
            fact.user,
            about,
            fact.predicate,
            *said,
            fact.agent,
            fact.valid_from,
            fact.valid_to,
            fact.created_at,
            fact.retired_at,
        )

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
            ("id", "session", "turn", "created_at", "user", "body"),
            [
                plan.id,
                plan.session,
                plan.turn,
                plan.created_at,
                plan.user,
                msgspec.json.encode(plan).decode(),
            ],
            conflict="OR REPLACE ",
        )

    def add_event(self, event: Event) -> Event:
        return ledger.append(self._db, self._sealed_event(event), self._clock, self._signer)

    def add_vector(self, key: int, vector: Vector) -> None:
        space, size = self._space(vector)
        if dimension(vector.data) != size:
            raise ValueError(
                f"{vector.model} has {size} dimensions in this store, not {dimension(vector.data)}"
            )
        mac = self._signer.vector(space, key, vector.data) if self._signer else None
        self._vectors.append((space, key, vector.data, mac))

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
