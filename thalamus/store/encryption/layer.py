"""Encryption as a layer: a unit of work that encrypts personal records as they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.records import Document, Event, Fact, Turn
from thalamus.records.canonical import pack_json
from thalamus.records.kinds import Kind, kind_named, kind_of, kinds, numbered
from thalamus.store import jobs, ledger
from thalamus.store.conditions import Clause, Encrypted, linked_to
from thalamus.store.encryption.cipher import SENSITIVITY, VALUE, digest, vector_value
from thalamus.store.ledger import ENTRIES_ENCRYPTED
from thalamus.store.row_access import Selection
from thalamus.store.tables import ERASING, in_parts
from thalamus.store.values import Vector
from thalamus.store.writer import NewRow, TextIndex, Writer

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.records.ownership import Owner
    from thalamus.store.conditions import Where
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.reader import PlainSources
    from thalamus.store.tables import Tables
    from thalamus.store.writer import Follower


class EncryptionLayer(Writer):
    """A unit of work in a store with keys. The content of a personal record is encrypted into a
    table of its own, together with its vector; ledger entries about it are encrypted with the same
    key. So are, at the end, the ``plain_sources`` of what was written, whenever they were stored.
    """

    def __init__(
        self,
        tables: Tables,
        clock: Clock,
        index: TextIndex,
        follow: Follower | None,
        owner: Owner,
        cipher: Cipher,
        plain_sources: PlainSources | None = None,
    ) -> None:
        super().__init__(tables, clock, index, follow, owner)
        self._cipher = cipher
        self._plain_sources = plain_sources
        self._personal: set[str] = set()  # written records with sources that must be encrypted
        self._plain: set[str] = set()  # ids of records that were added in plain text
        self._linked: set[str] = set()  # both ends of added links
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
        if "sensitivity" in kind.columns or (kind.record is Turn and judged):
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
        if not (kind.has_id and kind.encrypted) or kind.personal:
            return
        for row in rows:
            id = row.values[row.columns.index("id")]
            if kind.record is Turn:
                self._key_ids["turn", id] = row.ciphertext and row.ciphertext.subject
            elif row.ciphertext is not None:
                self._personal.add(id)
            if row.ciphertext is None:
                self._plain.add(id)

    def _add_links(self, rows: Sequence[Sequence[Any]]) -> int:
        self._linked.update(id for source, _, target in rows for id in (source, target))
        return super()._add_links(rows)

    def finish(self) -> None:
        self._encrypt_sources()
        super().finish()

    # -- sources stored before ----------------------------------------------------------------

    def encrypt(self, records: Mapping[str, str]) -> None:
        if self._plain_sources is None or not records:
            return
        plain = records.keys() - self.encrypted.ids(records)
        entries: dict[str, str] = {}  # key ids of turns and facts
        for id, name in ((id, records[id]) for id in records if id in plain):
            if name == "document":
                document: Any = self.by_id(Document, id)
                self.put(structs.replace(document, summary=None, topic=None))
            elif key := self._encrypt_row(_kind(name), id):
                entries |= {id: key} if name in ("turn", "fact") else {}
        self._encrypt_entries(entries)
        if not plain <= self._plain and not self.value(ERASING):
            self.set_value(ERASING, self.now)
            self.rewrote_plain = True

    def _encrypt_sources(self) -> None:
        """Encrypts the sources of the personal records that were written, or that were stored
        before their sources."""
        if self._plain_sources is None:
            return
        makers = tuple(kind.name for kind in kinds() if _has_sources(kind))
        ids: list[Any] = []
        if known := self._linked - self._plain - self._personal:
            ids.append(tuple(known))
        ids += [linked_to(part) for part in in_parts(list(self._plain))]
        selections = [Selection("encrypted", ("id",), {"kind": makers, "id": one}) for one in ids]
        for rows in self._tables.select_each(selections):
            self._personal.update(row[0] for row in rows)
        while self._personal:
            personal, self._personal = self._personal, set()
            self.encrypt(self._plain_sources(self, personal))
        self._linked.clear()

    def _encrypt_row(self, kind: Kind, id: str) -> str | None:
        """Encrypts a stored row; returns the id of the key, None if nothing was encrypted."""
        record: Any = self.by_id(kind.record, id)
        if hasattr(record, "sensitivity"):
            record = structs.replace(record, sensitivity="personal")
        subject = self._cipher.subject(record)
        if subject is None:
            return None
        key = self._cipher.of_subject(subject)
        value: str | None = None
        if kind.record is Fact:
            value = str(self.select("fact", ("value",), {"id": id})[0][0])
        vector = self.embeddings.of([id]).get(id) if kind.numbered else None
        emptied, ciphertext = self._cipher.encrypt(record, key, vector, value)
        fields = {name: getattr(emptied, name) for name in kind.encrypted}
        fields |= {name: self.hash(record, make(record)) for name, make in kind.hashes.items()}
        if SENSITIVITY in kind.columns:
            fields[SENSITIVITY] = "personal"
        if value is not None:
            fields["value"] = digest(key[1], record.user, value)
        self._empty(kind, id, fields)
        self._cipher.put([ciphertext])
        self._key_ids[kind.name, id] = key[0]
        if _has_sources(kind):
            self._personal.add(id)
        return key[0]

    def _encrypt_entries(self, keys: Mapping[str, str]) -> None:
        """Encrypts ledger entries about turns, and those with a reason for a change of facts, with
        these keys. Their hashes stay: the next entry names them, as it does for emptied ones."""
        if not keys:
            return
        about = list(ledger.read(self._tables, {"turn": list(keys)}, None))
        about += ledger.read(self._tables, {"name": ["fact_retracted", "fact_corrected"]}, None)
        changed = []
        for event in about:
            key = keys.get(str(event.turn)) or keys.get(str(event.data.get("fact")))
            if key and event.data and "encrypted" not in event.data:
                data = pack_json(self._cipher.encrypt_event(event, key).data)
                self._tables.update("event", {"data": data, "salt": None}, {"seq": event.seq})
                changed.append([event.seq, ledger.data_digest(data)])
        if changed:
            named = Event(name=ENTRIES_ENCRYPTED, at=self.now, data={"entries": changed})
            self.add_event(named)

    # -- changes ------------------------------------------------------------------------------

    def update(
        self, table: str, fields: Mapping[str, Any], where: Where | Clause | str, *values: Any
    ) -> int:
        where = Clause(where, values) if isinstance(where, str) else where
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

    def rename(self, kind: Kind, column: str, ids: Sequence[str], name: str) -> None:
        if column == "user" and kind.encrypted and not kind.body:
            for id in ids:
                self._give(kind, id, name)
        super().rename(kind, column, ids, name)

    def _give(self, kind: Kind, id: str, user: str) -> None:
        """Encrypts a personal record with the key of another user."""
        values = self._cipher.content(kind.name, id)
        if values is None:
            return
        key = self._cipher.of_subject(user)
        self._cipher.change(kind.name, id, key)
        if kind.record is Fact:
            value = digest(key[1], user, str(values[VALUE]))
            super().update(kind.name, {"value": value}, {"id": id})

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
        if values is None:
            return
        if self._cipher.subject(turn) is not None:
            self._cipher.change("turn", id, sensitivity="personal")
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
        if subject and _has_no_words(event) and self._is_unfinished(event.turn):
            subject = None  # entries before reflection have no words
        elif subject is None and event.data.get("reason"):
            subject = self._cipher.key_id("fact", event.data.get("fact"))
        elif subject is None and _has_words_of_model(event):
            subject = self._key_of_owner(event)
        return self._cipher.encrypt_event(event, subject) if subject else event

    def _is_unfinished(self, turn: str | None) -> bool:
        job = jobs.of_turn(self, jobs.FINISH, turn)
        return job is not None and job.state != "done"

    def _key_of_owner(self, event: Event) -> str | None:
        """Id of the key of the user whose turn an entry is about."""
        owners = self.select("turn", ("user",), {"id": event.turn})
        turn = Turn(message="", user=owners[0][0] if owners else None)
        subject = self._cipher.subject(turn, always=True)
        return self._cipher.of_subject(subject)[0] if subject else None


def _kind(name: str) -> Kind:
    kind = kind_named(name)
    assert kind is not None
    return kind


def _has_sources(kind: Kind) -> bool:
    """True for records that were made of others, which are as personal as they are."""
    return bool(kind.encrypted) and "sensitivity" in kind.columns and not kind.personal


def _has_words_of_model(event: Event) -> bool:
    """True for an entry with words of a model, which may repeat anything from its prompt: replies
    that could not be used, and the reasons why proposals were refused."""
    detail = event.data.get("detail") or {}
    return "unusable_replies" in detail or isinstance(detail.get("refused"), list)


def _has_no_words(event: Event) -> bool:
    """True for an entry without words of its turn: that of a stage, except for drafts."""
    return event.name == "stage" and event.data.get("stage") not in ("draft", "search_plan")
