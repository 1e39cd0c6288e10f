"""Encryption as a layer: a unit of work that encrypts personal records as they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.records import Event, Fact, Turn
from thalamus.records.kinds import Kind, kind_named, kind_of, numbered
from thalamus.security.cipher import digest, vector_value
from thalamus.storage.protocol.conditions import Encrypted, other_than
from thalamus.storage.protocol.jobs import FINISH
from thalamus.storage.protocol.values import Vector
from thalamus.storage.relational.unit_of_work import NewRow, TextIndex, UnitOfWork

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.security.cipher import Cipher
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.rows import Rows
    from thalamus.storage.protocol.writer import Follower
    from thalamus.storage.relational.tables import Tables


class EncryptionLayer(UnitOfWork):
    """A unit of work in a store with keys. The content of a personal record is encrypted into a
    table of its own, together with its vector; ledger entries about it are encrypted with the same
    key."""

    def __init__(
        self,
        tables: Tables,
        rows: Rows,
        clock: Clock,
        index: TextIndex,
        follow: Follower | None,
        cipher: Cipher,
    ) -> None:
        super().__init__(tables, rows, clock, index, follow)
        self._cipher = cipher
        # ids of the keys of added records, None for those in plain text
        self._key_ids: dict[tuple[str, str | None], str | None] = {}

    def reading_cipher(self) -> Cipher:
        return self._cipher

    def hash(self, record: Any, plain: bytes) -> bytes:
        subject = self._cipher.subject(record)
        return self._cipher.hash(subject, plain) if subject else plain

    def _row(
        self,
        kind: Kind,
        record: Any,
        vector: Vector | None,
        derived: dict[str, Any],
        *,
        judged: bool = True,
    ) -> NewRow:
        """Encrypted records are not passed on to ``memory.concepts.derivation``, whose output would
        be plain text."""
        key = self._key_for(kind, record, judged)
        if key is None:
            return super()._row(kind, record, vector, derived, judged=judged)
        self._add_hashes(kind, record, derived)
        value = derived.get("value")
        if isinstance(record, Fact):
            derived["value"] = digest(key[1], record.user, str(value))
        if "sensitivity" in kind.columns:
            record = structs.replace(record, sensitivity="personal")
        without, ciphertext = self._cipher.encrypt(record, key, vector, value)
        row = super()._row(kind, without, None, derived)
        return structs.replace(row, plain=None, ciphertext=ciphertext)

    def _key_for(self, kind: Kind, record: Any, judged: bool) -> tuple[str, bytes] | None:
        """The key with which a record is encrypted; None when it is stored in plain text."""
        if not kind.encrypted:
            return None
        subject = self._cipher.subject(record, always=not judged)
        return self._cipher.of_subject(subject) if subject else None

    def _insert(self, kind: Kind, rows: Sequence[NewRow], replace: bool = False) -> None:
        super()._insert(kind, rows, replace)
        encrypted = [row.ciphertext for row in rows if row.ciphertext is not None]
        self._cipher.put(encrypted, new=not replace)
        if kind.record is Turn:
            for row in rows:
                id = row.values[row.columns.index("id")]
                self._key_ids["turn", id] = row.ciphertext and row.ciphertext.subject

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
        id = turn.stored_id
        values = self._cipher.content("turn", id)
        if values is None or self._cipher.subject(turn) is not None:
            return
        self._key_ids.clear()
        vector = values.pop("vector", None)
        self.delete("encrypted", {"kind": "turn", "id": id})
        names = kind_of(Turn).encrypted
        super().update("turn", {name: values[name] for name in names}, {"id": id})
        if vector is not None:
            super().put_vector(self.select("turn", ("key",), {"id": id})[0][0], Vector(*vector))

    def add_event(self, event: Event, *more: Event) -> Event:
        """Encrypts entries about an encrypted turn, or with the reason for a change of an encrypted
        fact or memory, with the same key; and those with words of a model."""
        events = [event, *more]
        turns = {turn: self._key_id("turn", turn) for turn in {e.turn for e in events}}
        return super().add_event(*(self._encrypted(one, turns[one.turn]) for one in events))

    def _key_id(self, kind: str, id: str | None) -> str | None:
        """Id of the key that a record is encrypted with; None when it is not."""
        if (kind, id) not in self._key_ids:
            return self._cipher.key_id(kind, id)
        return self._key_ids[kind, id]

    def _encrypted(self, event: Event, subject: str | None) -> Event:
        """An entry as stored. ``subject``: whose key its turn is encrypted with, if it is."""
        left = {"turn": event.turn, "state": other_than("done")}
        if subject and _has_no_words(event) and self.jobs.find(FINISH, left, limit=1):
            subject = None  # entries before reflection have no words
        elif subject is None and event.data.get("reason"):
            subject = self._cipher.key_id("fact", event.data.get("fact"))
        elif subject is None and _has_words_of_model(event):
            subject = self._key_of_owner(event)
        return self._cipher.encrypt_event(event, subject) if subject else event

    def _key_of_owner(self, event: Event) -> str | None:
        """Id of the key of the user whose turn an entry is about."""
        owners = self.select("turn", ("user",), {"id": event.turn})
        turn = Turn(message="", user=owners[0][0] if owners else None)
        subject = self._cipher.subject(turn, always=True)
        return self._cipher.of_subject(subject)[0] if subject else None


def _has_words_of_model(event: Event) -> bool:
    """True for an entry with words of a model, which may repeat anything from its prompt: replies
    that could not be used, and the reasons why proposals were refused."""
    detail = event.data.get("detail") or {}
    return "unusable_replies" in detail or isinstance(detail.get("refused"), list)


def _has_no_words(event: Event) -> bool:
    """True for an entry without words of its turn: that of a stage, except for drafts."""
    return event.name == "stage" and event.data.get("stage") not in ("draft", "search_plan")
