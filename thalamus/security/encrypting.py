"""Encryption as a layer: a unit of work that encrypts personal records as they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.records import Event, Fact, Plan, Turn
from thalamus.records.kinds import Kind, kind_named, kind_of, numbered
from thalamus.security.encryption import vector_value
from thalamus.storage.protocol import Encrypted, Vector, other_than
from thalamus.storage.protocol.jobs import FINISH
from thalamus.storage.relational.unit_of_work import Neighbours, UnitOfWork

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.security.encryption import Cipher
    from thalamus.storage.protocol import Follower, Rows, Where


class EncryptingUnitOfWork(UnitOfWork):
    """A unit of work in a store with keys. The content of a personal record is encrypted into a
    table of its own, together with its vector; ledger entries about it are encrypted with the same
    key."""

    def __init__(
        self,
        rows: Rows,
        clock: Clock,
        neighbours: Neighbours | None,
        follow: Follower | None,
        cipher: Cipher,
    ) -> None:
        super().__init__(rows, clock, neighbours, follow)
        self._cipher = cipher

    def reading_cipher(self) -> Cipher:
        return self._cipher

    def hash(self, record: Any, plain: bytes) -> bytes:
        subject = self._cipher.subject(record)
        return self._cipher.hash(subject, plain) if subject else plain

    def _kept(
        self,
        kind: Kind,
        record: Any,
        vector: Vector | None,
        derived: dict[str, Any],
        surely: bool,
    ) -> tuple[Any, Vector | None, bool]:
        """Encrypted records are not passed on to ``memory.concepts``, whose output would be plain
        text."""
        if not kind.encrypted:
            return record, vector, True
        if isinstance(record, Plan):
            return self._plan(record), None, True
        subject = self._cipher.subject(record, surely)
        if subject is None:
            return record, vector, True
        value = derived.get("value")
        if isinstance(record, Fact):
            derived["value"] = self._cipher.value_of(record, str(value))
        if "sensitivity" in kind.columns:
            record = structs.replace(record, sensitivity="personal")
        return self._cipher.encrypt(record, subject, vector, value), None, False

    def _plan(self, plan: Plan) -> Plan:
        """Encrypts the plan of an encrypted turn with the same key."""
        subject = self._cipher.key_id("turn", plan.turn)
        key = self._cipher.key_of(subject) if subject else None
        return self._cipher.encrypt_with(key, plan) if key else plan

    def update(self, table: str, fields: Mapping[str, Any], where: Where) -> int:
        kind = kind_named(table)
        secret = set(kind.encrypted) & set(fields) if kind is not None else set()
        ids = [row[0] for row in self.select(table, ("id",), where)] if secret else []
        named = {"kind": table, "id": ids}
        hidden = {row[0] for row in self.select("encrypted", ("id",), named)} if ids else set()
        if not hidden:
            return super().update(table, fields, where)
        for id in hidden:
            self._cipher.change(table, id, **{name: fields[name] for name in secret})
        rest = {name: value for name, value in fields.items() if name not in secret}
        if rest:
            super().update(table, rest, {"id": sorted(hidden)})
        plain = [id for id in ids if id not in hidden]
        if plain:
            super().update(table, fields, {"id": plain})
        return len(ids)

    def put_vector(self, key: int, vector: Vector | None) -> None:
        for kind in numbered():
            hidden = Encrypted(kind.record)
            for row in self.select(kind.name, ("id",), {"key": key, "id": hidden}):
                self._cipher.change(kind.name, row[0], vector=vector and vector_value(vector))
                return
        super().put_vector(key, vector)

    def reveal(self, turn: Turn) -> None:
        id = turn.id or ""
        values = self._cipher.content("turn", id)
        if values is None or self._cipher.subject(turn) is not None:
            return
        vector = values.pop("vector", None)
        self.delete("encrypted", {"kind": "turn", "id": id})
        names = kind_of(Turn).encrypted
        super().update("turn", {name: values[name] for name in names}, {"id": id})
        if vector is not None:
            super().put_vector(self.select("turn", ("key",), {"id": id})[0][0], Vector(*vector))

    def _append(self, events: Sequence[Event]) -> list[Event]:
        """Encrypts entries about an encrypted turn, or with the reason for a change of an encrypted
        fact or memory, with the same key."""
        turns = {turn: self._cipher.key_id("turn", turn) for turn in {e.turn for e in events}}
        return super()._append([self._encrypted(event, turns[event.turn]) for event in events])

    def _encrypted(self, event: Event, subject: str | None) -> Event:
        """An entry as stored. ``subject``: whose key its turn is encrypted with, if it is."""
        left = {"turn": event.turn, "state": other_than("done")}
        if subject and _has_no_words(event) and self.jobs.find(FINISH, left, limit=1):
            subject = None  # entries before reflection have no words
        elif subject is None and event.data.get("reason"):
            subject = self._cipher.key_id("fact", event.data.get("fact"))
        return self._cipher.encrypt_event(event, subject) if subject else event


def _has_no_words(event: Event) -> bool:
    """True for an entry without words of its turn: that of a stage, except for drafts."""
    return event.name == "stage" and event.data.get("stage") not in ("draft", "search_plan")
