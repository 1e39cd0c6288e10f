"""The part of a unit of work that encrypts what is personal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import structs

from thalamus.records import Event, Fact, Memory, Plan, Turn
from thalamus.storage.shapes import Vector
from thalamus.storage.sqlite import rows
from thalamus.storage.sqlite.indexed_text import dependants
from thalamus.storage.sqlite.sealed import VECTOR

if TYPE_CHECKING:
    from thalamus.storage.sqlite.sealed import Boxes

R = TypeVar("R", Memory, Fact, Turn)


class SealedWriter:
    """Without keys (``_boxes`` is None) everything is written as it is."""

    _db: sqlite3.Connection
    _boxes: Boxes | None

    if TYPE_CHECKING:  # another part of the writer

        def add_vector(self, key: int, vector: Vector) -> None: ...

    def sealed(self, ids: Iterable[str]) -> set[str]:
        return sealed_ids(self._db, ids)

    def _seal(
        self, record: R, vector: Vector | None, surely: bool = False
    ) -> tuple[R, Vector | None]:
        """What is personal goes encrypted into a table of its own, its vector too; with ``surely``
        also what may be."""
        subject = self._boxes.subject(record, surely) if self._boxes else None
        if self._boxes is None or subject is None:
            return record, vector
        if isinstance(record, (Memory, Fact)):
            record = structs.replace(record, sensitivity="personal")
        return self._boxes.seal(record, subject, vector), None

    def _judge_turn(self, turn: Turn) -> None:
        """A turn that was kept encrypted until it was known whether it is personal: when it is
        not, its content and its vector go to where those of any other turn are."""
        id = turn.id or ""
        values = self._boxes.content("turn", id) if self._boxes else None
        if self._boxes is None or values is None or self._boxes.subject(turn) is not None:
            return
        vector = values.pop(VECTOR, None)
        key = self._db.execute("SELECT key FROM turn WHERE id = ?", (id,)).fetchone()[0]
        self._db.execute("DELETE FROM sealed WHERE kind = 'turn' AND id = ?", (id,))
        self._db.execute(
            "UPDATE turn SET message = ?, answer = ?, metadata = ? WHERE key = ?",
            (values["message"], values["answer"], rows.pack_json(values["metadata"]), key),
        )
        changed = [key, *dependants(self._db, key)]  # to be indexed anew, with its words
        self._db.executemany("INSERT INTO removal (key) VALUES (?)", [(k,) for k in changed])
        if vector is not None:
            self.add_vector(key, Vector(*vector))

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
        if subject and event.name == "stage" and self._is_left(event.turn):
            return event  # what comes before reflection says nothing in words
        if subject is None and event.data.get("reason"):
            subject = self._boxes.key_id("fact", event.data.get("fact"))
        return self._boxes.seal_event(event, subject) if subject else event

    def _is_left(self, turn: str | None) -> bool:
        """Whether a turn was not reflected upon yet."""
        found = self._db.execute("SELECT 1 FROM job WHERE turn = ?", (turn,))
        return found.fetchone() is not None

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
