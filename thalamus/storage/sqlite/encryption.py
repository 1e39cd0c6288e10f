"""Personal content, encrypted: AES-256-GCM with one key for each subject.

The row stays in its table with its content emptied; what it said, and its vectors, are in the table
``encrypted``. The key is never in the store: shredding it makes every copy unreadable.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import UNSET, convert
from msgspec.structs import replace

from thalamus.records import (
    Event,
    Evidence,
    Fact,
    Instruction,
    Memory,
    Plan,
    Provenance,
    Quarantine,
    Turn,
)
from thalamus.storage.protocol import (
    HIDDEN,
    NOBODY,
    FactQuery,
    Hit,
    IndexedRow,
    SubjectOf,
    Vector,
)

NONCE = 12
VECTOR = "vector"  # its name among the encrypted values: [model, bytes]
VALUE = "value"  # the same of what the object of a fact is compared by
CONTENT: dict[type, tuple[str, tuple[str, ...]]] = {
    Memory: ("memory", ("content", "topic", "quarantine", "metadata", "provenance")),
    Fact: ("fact", ("object", "quote", "metadata", "provenance")),
    Turn: ("turn", ("message", "answer", "metadata")),
    Plan: ("plan", ("retrieval_instructions",)),
}
KINDS = {"memory": "memory", "document": "memory", "fact": "fact", "turn": "turn"}  # of evidence
EMPTY: dict[str, Any] = {
    "content": "",
    "object": "",
    "message": "",
    "metadata": {},
    "retrieval_instructions": [],
}
Encryptable = TypeVar("Encryptable", Memory, Fact, Turn, Plan)


class SubjectKeys(Protocol):
    """Keys of subjects: an id that reveals nothing, and the key itself."""

    def of_subject(self, subject: str) -> tuple[str, bytes]:
        """The key of a subject, made if it is missing."""
        ...

    def by_id(self, id: str) -> bytes | None:
        """The key with this id; None when it is not here."""
        ...


class Cipher:
    """Encrypts and opens contents in one store; without ``subject_of`` it only opens."""

    def __init__(
        self, db: sqlite3.Connection, keys: SubjectKeys, subject_of: SubjectOf | None = None
    ) -> None:
        self._db = db
        self._keys = keys
        self._subject_of = subject_of
        self._last: tuple[object, str | None] = (None, None)

    # -- encrypting -------------------------------------------------------------------------------

    def subject(self, record: Memory | Fact | Turn, surely: bool = False) -> str | None:
        """Under whose key a record belongs; None when it is not personal and not to be encrypted
        ``surely``."""
        if self._subject_of is None:
            return None
        if surely:
            return record.user or NOBODY
        if self._last[0] is not record:  # asked several times for each
            self._last = record, self._subject_of(record, self._is_encrypted_evidence)
        return self._last[1]

    def _is_encrypted_evidence(self, evidence: Evidence) -> bool:
        return self.is_encrypted(KINDS[evidence.kind], evidence.id)

    def is_encrypted(self, kind: str, id: str | None) -> bool:
        return self._row(kind, id) is not None

    def key_id(self, kind: str, id: Any) -> str | None:
        """The id of the key that something is encrypted with; None when it is not."""
        row = self._row(kind, id) if isinstance(id, str) else None
        return str(row[0]) if row else None

    def of_subject(self, subject: str) -> tuple[str, bytes]:
        """The key of a subject, made if it is missing."""
        return self._keys.of_subject(subject)

    def encrypt(
        self,
        record: Encryptable,
        subject: str,
        vector: Vector | None = None,
        value: str | None = None,
    ) -> Encryptable:
        """Writes the content encrypted; returns the record without it. ``value``: what the object
        of a fact is compared by."""
        return self.encrypt_with(self._keys.of_subject(subject), record, vector, value)

    def encrypt_with(
        self,
        key: tuple[str, bytes],
        record: Encryptable,
        vector: Vector | None = None,
        value: str | None = None,
    ) -> Encryptable:
        kind, names = CONTENT[type(record)]
        values: dict[str, Any] = {name: getattr(record, name) for name in names}
        if vector is not None:
            values[VECTOR] = [vector.model, vector.data]
        if value is not None:
            values[VALUE] = value
        self._put(key, kind, record.id or "", values)
        return msgspec.structs.replace(record, **{name: EMPTY.get(name) for name in names})

    def change(self, kind: str, id: str, **changes: Any) -> None:
        """Encrypts a row again with other values. What cannot be opened stays as it is."""
        values, key_id = self.content(kind, id), self.key_id(kind, id)
        key = self.key_of(key_id) if key_id else None
        if values is not None and key is not None:
            self._put(key, kind, id, values | changes)

    def _put(self, key: tuple[str, bytes], kind: str, id: str, values: dict[str, Any]) -> None:
        ciphertext = _encrypt(key[1], f"{kind}\x00{id}", values)
        self._db.execute(
            "INSERT OR REPLACE INTO encrypted (kind, id, subject, ciphertext) VALUES (?,?,?,?)",
            (kind, id, key[0], ciphertext),
        )

    def encrypt_event(self, event: Event, key_id: str) -> Event:
        """A ledger entry of an encrypted turn, its data encrypted."""
        key = self._keys.by_id(key_id)
        if key is None:  # shredded meanwhile: what nobody can read need not be kept
            return msgspec.structs.replace(event, data={"encrypted": "", "subject": key_id})
        ciphertext = _encrypt(key, _event_name(event), event.data)
        data = {"encrypted": ciphertext.hex(), "subject": key_id}
        return msgspec.structs.replace(event, data=data)

    def key_of(self, key_id: str) -> tuple[str, bytes] | None:
        key = self._keys.by_id(key_id)
        return (key_id, key) if key else None

    def hash(self, subject: str, plain: bytes) -> bytes:
        """The identity of an encrypted content, from which it cannot be guessed without the key."""
        from hashlib import blake2b  # a reader needs none

        from thalamus.security.derivation import derive

        key = derive(self._keys.of_subject(subject)[1], "contents")
        return blake2b(plain, key=key, digest_size=len(plain)).digest()

    # -- opening -------------------------------------------------------------------------------

    def open(self, record: Any) -> Any:
        """The record with its content; ``HIDDEN`` in the place of it without the key."""
        if isinstance(record, Event):
            return self._open_event(record)
        kind, names = CONTENT.get(type(record), ("", ()))
        if not kind or getattr(record, names[0]):
            return record  # it has its content
        row = self._row(kind, record.id)
        if row is None:
            return record
        values = self.values(kind, record.id, row[0], row[1])
        if values is None:
            return (
                record if kind == "plan" else msgspec.structs.replace(record, **{names[0]: HIDDEN})
            )
        for name in (VECTOR, VALUE):
            values.pop(name, None)
        if values.get("provenance"):
            values["provenance"] = msgspec.convert(values["provenance"], Provenance)
        if values.get("quarantine"):
            values["quarantine"] = msgspec.convert(values["quarantine"], Quarantine)
        if kind == "plan":
            values = {names[0]: msgspec.convert(values[names[0]], list[Instruction])}
        return msgspec.structs.replace(record, **values)

    def content(self, kind: str, id: str) -> dict[str, Any] | None:
        """What is encrypted of a row; None when nothing is, or it does not open."""
        row = self._row(kind, id)
        return self.values(kind, id, row[0], row[1]) if row else None

    def vector(self, id: str) -> Vector | None:
        """The encrypted embedding of an entry; None when it is missing, or it does not open."""
        for kind in ("memory", "fact", "turn"):
            model, data = (self.content(kind, id) or {}).get(VECTOR, ("", b""))
            if model:
                return Vector(model, data)
        return None

    def values(self, kind: str, id: str, subject: str, ciphertext: bytes) -> dict[str, Any] | None:
        """The decrypted values; None when the key is not here, or the bytes were changed."""
        key = self._keys.by_id(subject)
        return _decrypt(key, f"{kind}\x00{id}", ciphertext) if key is not None else None

    def _open_event(self, event: Event) -> Event:
        encrypted, subject = event.data.get("encrypted"), event.data.get("subject")
        if not isinstance(encrypted, str) or not isinstance(subject, str):
            return event
        key = self._keys.by_id(subject)
        try:
            ciphertext = bytes.fromhex(encrypted)
        except ValueError:
            return event
        data = _decrypt(key, _event_name(event), ciphertext) if key is not None else None
        return event if data is None else msgspec.structs.replace(event, data=data)

    def _row(self, kind: str, id: str | None) -> tuple[str, bytes] | None:
        query = "SELECT subject, ciphertext FROM encrypted WHERE kind = ? AND id = ?"
        row = self._db.execute(query, (kind, id)).fetchone()
        return (row[0], row[1]) if row else None


def _event_name(event: Event) -> str:
    """The name under which the data of a ledger entry is encrypted."""
    return f"event\x00{event.name}\x00{event.at}\x00{event.turn}"


def opened(record: Any, cipher: Cipher | None) -> Any:
    """A record with its content; ``HIDDEN`` in the place of it without the key."""
    if cipher is not None:
        return cipher.open(record)
    kind, names = CONTENT.get(type(record), ("", ()))
    if not kind or kind == "plan" or getattr(record, names[0]):
        return record
    return msgspec.structs.replace(record, **{names[0]: HIDDEN})


def _encrypt(key: bytes, name: str, values: dict[str, Any]) -> bytes:
    """The nonce and the encrypted values; they open only under the same name. The values are
    written as JSON, as in a row that is not encrypted, for numbers of any size; a vector is not."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    rest = {name: value for name, value in values.items() if name != VECTOR}
    packed = msgspec.msgpack.encode([msgspec.json.encode(rest), values.get(VECTOR)])
    nonce = os.urandom(NONCE)
    return nonce + AESGCM(key).encrypt(nonce, packed, name.encode())


def _decrypt(key: bytes, name: str, ciphertext: bytes) -> dict[str, Any] | None:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        data = AESGCM(key).decrypt(ciphertext[:NONCE], ciphertext[NONCE:], name.encode())
    except (InvalidTag, ValueError):
        return None
    text, vector = msgspec.msgpack.decode(data)
    values: dict[str, Any] = msgspec.json.decode(text)
    return values if vector is None else {**values, VECTOR: vector}


# -- what the object of a fact is compared by when it is encrypted -------------------------------


PREFIX = "encrypted:"
_DIGEST = re.compile(PREFIX + "[0-9a-f]{32}")


def value_of(fact: Fact, plain: str, cipher: Cipher | None) -> str:
    """The value with which a fact is about to be written; ``plain`` where it is not encrypted."""
    subject = cipher.subject(fact) if cipher else None
    if cipher is None or subject is None:
        return plain
    return digest(cipher.of_subject(subject)[1], fact.user, plain)


def digest(key: bytes, owner: str | None, plain: str) -> str:
    """The value of an encrypted object, already in one case."""
    from thalamus.security.derivation import derive
    from thalamus.storage.sqlite.signer import canonical, mac

    return PREFIX + mac(derive(key, "values"), canonical([owner, plain]))[:16].hex()


def is_digest(value: str) -> bool:
    return value.startswith(PREFIX) and _DIGEST.fullmatch(value) is not None


def plain(db: sqlite3.Connection, cipher: Cipher | None, id: str, value: str) -> str:
    """The value of the fact ``id`` as it is compared: opened, or as it stands where it cannot be
    opened."""
    if cipher is None or not is_digest(value):
        return value
    found = cipher.content("fact", id)
    return value if found is None else str(found[VALUE])


def same_values(db: sqlite3.Connection, cipher: Cipher | None, asked: FactQuery) -> list[str]:
    """The values under which facts of one owner, entity and predicate may have the same object."""
    value, owner = asked.value or "", None if asked.user is UNSET else asked.user
    if cipher is None:
        return [value]
    group = (
        f"fact.user IS ? AND fact.entity = ? AND fact.predicate IN"
        f" ({','.join('?' * len(asked.predicates))})"
    )
    given = (owner, asked.entity, *asked.predicates)
    if is_digest(value):
        query = f"SELECT id FROM fact WHERE {group} AND value = ? LIMIT 1"
        row = db.execute(query, (*given, value)).fetchone()
        said = plain(db, cipher, row[0], value) if row else value
    else:
        said = value
    query = (
        "SELECT DISTINCT encrypted.subject FROM fact JOIN encrypted ON encrypted.kind = 'fact'"
        f" AND encrypted.id = fact.id WHERE {group}"
        " AND value >= 'encrypted:' AND value < 'encrypted;'"
    )
    keys = [cipher.key_of(row[0]) for row in db.execute(query, given).fetchall()]
    return [*dict.fromkeys([value, said, *(digest(key[1], owner, said) for key in keys if key)])]


# -- searching what is encrypted: it is in no index, so all of it is opened in memory ------------


class EncryptedSearch:
    """The encrypted rows of a store, opened as far as their keys are here."""

    def __init__(self, db: sqlite3.Connection, cipher: Cipher | None) -> None:
        self._db = db
        self._opened: dict[tuple[str, str], dict[str, Any] | None] = {}
        query = "SELECT kind, id, subject, ciphertext FROM encrypted WHERE kind <> 'plan'"
        for kind, id, subject, ciphertext in db.execute(query):
            self._opened[kind, id] = (
                cipher.values(kind, id, subject, ciphertext) if cipher else None
            )

    def ids(self) -> set[tuple[str, str]]:
        """(kind, id) of all of them."""
        return set(self._opened)

    def keys(self) -> list[int]:
        """The keys of the rows that open."""
        found: list[int] = []
        for kind in ("memory", "fact", "turn"):
            query = (
                f"SELECT key, t.id FROM {kind} AS t JOIN encrypted ON encrypted.kind = '{kind}'"
                " AND encrypted.id = t.id"
            )
            found += [row[0] for row in self._db.execute(query) if self._opened.get((kind, row[1]))]
        return found

    def opened(self, entries: Sequence[IndexedRow]) -> list[IndexedRow]:
        """Entries with their contents; those that do not open are left out."""
        found = []
        for entry in entries:
            name = (KINDS[entry.kind], entry.id)
            if name not in self._opened:
                found.append(entry)
            elif (values := self._opened[name]) is not None:
                found.append(_filled(entry, values))
        return found

    def by_vector(self, entries: Mapping[int, IndexedRow], vector: Vector) -> list[Hit]:
        """Those that have a vector of the model, by cosine."""
        found = []
        for entry in self.opened(list(entries.values())):
            cosine = _cosine(vector, self._opened[KINDS[entry.kind], entry.id])
            if cosine is not None:
                found.append(Hit(entry, cosine))
        return found


def cosines(
    db: sqlite3.Connection, cipher: Cipher, vector: Vector, keys: Sequence[int]
) -> dict[int, float]:
    """The cosines of the encrypted memories among these."""
    found = {}
    for key in keys:
        row = db.execute("SELECT id FROM memory WHERE key = ?", (key,)).fetchone()
        cosine = _cosine(vector, cipher.content("memory", row[0])) if row else None
        if cosine is not None:
            found[key] = cosine
    return found


def _cosine(vector: Vector, values: Mapping[str, Any] | None) -> float | None:
    """The cosine of what was opened; None when it has no vector of that model."""
    from array import array

    model, data = (values or {}).get("vector", ("", b""))
    if model != vector.model or len(data) != len(vector.data):
        return None
    pairs = zip(array("f", vector.data), array("f", data), strict=True)
    return float(sum(a * b for a, b in pairs))


def _filled(entry: IndexedRow, values: dict[str, Any]) -> IndexedRow:
    if entry.kind == "turn":
        answer = f"\nAssistant: {values['answer']}" if values["answer"] else ""
        text = f"User: {values['message']}{answer}"
    elif entry.kind == "fact":
        text = f"{entry.text.rstrip()} {values['object']}"
    else:
        text = values["content"]
    source = values.get("provenance")
    return replace(
        entry,
        text=text,
        topic=values.get("topic"),
        metadata=values["metadata"],
        provenance=convert(source, Provenance) if source else None,
    )
