"""The part of a unit of work that encrypts what is personal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import structs

from thalamus.records import Event, Fact, Memory, Plan, Turn
from thalamus.storage.sqlite import rows

if TYPE_CHECKING:
    from thalamus.storage.shapes import Vector
    from thalamus.storage.sqlite.sealed import Boxes

R = TypeVar("R", Memory, Fact, Turn)


class SealedWriter:
    """Without keys (``_boxes`` is None) everything is written as it is."""

    _db: sqlite3.Connection
    _boxes: Boxes | None

    def sealed(self, ids: Iterable[str]) -> set[str]:
        return sealed_ids(self._db, ids)

    def _seal(self, record: R, vector: Vector | None) -> tuple[R, Vector | None]:
        """What is personal goes encrypted into a table of its own, its vector too."""
        subject = self._boxes.subject(record) if self._boxes else None
        if self._boxes is None or subject is None:
            return record, vector
        if isinstance(record, (Memory, Fact)):
            record = structs.replace(record, sensitivity="personal")
        return self._boxes.seal(record, subject, vector), None

    def _sealed_plan(self, plan: Plan) -> Plan:
        """The plan of a sealed turn is sealed with the same key."""
        subject = self._boxes.key_id("turn", plan.turn) if self._boxes else None
        key = self._boxes.key_of(subject) if self._boxes and subject else None
        return self._boxes.seal_with(key, plan) if self._boxes and key else plan

    def _sealed_event(self, event: Event) -> Event:
        """An entry about a sealed turn, or one in which somebody says why a sealed fact or memory
        is changed, is sealed with the same key."""
        if self._boxes is None:
            return event
        subject = self._boxes.key_id("turn", event.turn)
        if subject is None and event.data.get("reason"):
            subject = self._boxes.key_id("fact", event.data.get("fact"))
        return self._boxes.seal_event(event, subject) if subject else event

    def _opened(self, record: Any) -> Any:
        """A record that was read, with its content."""
        from thalamus.storage.sqlite.sealed import opened

        return record if record is None else opened(record, self._boxes)

    def _said(self, memory: Memory) -> bytes:
        return self._hidden(memory, rows.said_hash(memory))

    def _content_hash(self, memory: Memory) -> bytes:
        return self._hidden(memory, rows.content_hash(memory))

    def _hidden(self, memory: Memory, hash: bytes) -> bytes:
        """A hash of sealed words must not tell them to who guesses them."""
        subject = self._boxes.subject(memory) if self._boxes else None
        return self._boxes.hash(subject, hash) if self._boxes and subject else hash

    def _packed_quarantine(self, memory: Memory) -> str | None:
        """Why a memory is in quarantine, for its row: the reason may quote its words, so for an
        encrypted one it is encrypted with them."""
        if not sealed_ids(self._db, [memory.id or ""]):
            return rows.pack_quarantine(memory.quarantine)
        if self._boxes is not None:
            self._boxes.change("memory", memory.id or "", quarantine=memory.quarantine)
        return None

    def _sealed_vector(self, id: str, vector: Vector) -> bool:
        """Puts the vector of a sealed memory into its box; False when it is not sealed."""
        if not sealed_ids(self._db, [id]):
            return False
        if self._boxes is not None:
            self._boxes.change("memory", id, vector=[vector.model, vector.data])
        return True


def sealed_ids(db: sqlite3.Connection, ids: Iterable[str]) -> set[str]:
    """Of these ids those whose content is encrypted."""
    wanted = list(ids)
    found: set[str] = set()
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        query = (
            "SELECT id FROM sealed WHERE kind IN ('memory', 'fact', 'turn', 'plan')"
            f" AND id IN ({','.join('?' * len(part))})"
        )
        found |= {row[0] for row in db.execute(query, part)}
    return found
