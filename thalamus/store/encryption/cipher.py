"""Encryption of personal content: AES-256-GCM with one key for each subject.

The row stays in its table with its content emptied; the content and its vectors are in the table
``encrypted``. The key is never in the store: shredding it makes every copy unreadable.
"""

from __future__ import annotations

import functools
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, get_args

import msgspec
from msgspec import convert
from msgspec.structs import replace

from thalamus.records import Event, Fact, Insight, Memory, Plan, Record, Turn, World, WorldChange
from thalamus.records.canonical import pack_json
from thalamus.records.kinds import Kind, encrypted_as, kind_of, known, numbered
from thalamus.store.encrypted import HIDDEN, NOBODY, OF_KINDS
from thalamus.store.keys import Keys
from thalamus.store.signing.key_derivation import derive
from thalamus.store.tables import AMONG, Tables
from thalamus.store.values import Vector
from thalamus.text.lazy_regex import lazy_regex

NONCE = 12
VECTOR = "vector"  # name among the encrypted values: [model, vector, sentence vectors]
LONG = 1024  # bytes of JSON, above which the values are compressed
VALUE = "value"  # name of the key by which a fact's object is compared
# name of a turn's mark: ``normal`` for one that is encrypted only until it is reflected on
SENSITIVITY = "sensitivity"
OF_ID = "SELECT subject, ciphertext FROM encrypted WHERE kind = ? AND id = ?"
CONTENTS = f"SELECT kind, id, subject, ciphertext FROM encrypted WHERE kind {AMONG}"
CONTENTS_OF = f"{CONTENTS} AND id {AMONG}"
MADE_OF = f"""
SELECT source, target FROM link
WHERE target {AMONG} AND relation IN ('derived_from', 'evidence_of')"""
Encryptable = TypeVar("Encryptable", Memory, Fact, Turn, Plan, World, WorldChange)


def emptied(record: Any, kind: Kind) -> Any:
    """A record without the fields that are encrypted."""
    values = {name: _empty(getattr(record, name)) for name in kind.encrypted}
    first = kind.encrypted[0]
    if values[first] is None and str in get_args(_types(kind.record)[first]):
        values[first] = ""  # a missing text: an empty one marks the record as encrypted
    return replace(record, **values)


def _empty(value: Any) -> Any:
    """An empty value of the same type, if there is one."""
    return type(value)() if isinstance(value, (str, dict, list)) else None


# subject under whose key a record is encrypted, or None
SubjectOf = Callable[["Memory | Fact | Turn", "Cipher"], "str | None"]


class EncryptedRow(NamedTuple):
    """A row of the table ``encrypted``; ``subject``: the id of the key."""

    kind: str
    id: str
    subject: str
    ciphertext: bytes


class Cipher:
    """Encrypts and decrypts contents in one store; without ``subject_of`` it only decrypts."""

    def __init__(self, rows: Tables, keys: Keys, subject_of: SubjectOf | None = None) -> None:
        self._rows = rows
        self._keys = keys
        self._subject_of = subject_of
        self._last: tuple[object, str | None] = (None, None)
        self._used: dict[str, tuple[str, bytes]] = {}  # keys of subjects that it encrypted with
        self._content_keys: dict[str, bytes] = {}  # derived from them

    # -- encrypting -------------------------------------------------------------------------------

    def subject(self, record: Any, always: bool = False) -> str | None:
        """Subject under whose key a record is encrypted; None when it is not personal. ``always``:
        encrypt it even so."""
        if self._last[0] is record and not always:  # it is called several times for each
            return self._last[1]
        if self._subject_of is None:
            return None
        if always or kind_of(type(record)).personal:
            return record.user or NOBODY
        if not isinstance(record, (Memory, Fact, Turn)):  # its kind defines it
            marked = getattr(record, "sensitivity", "normal") == "personal"
            return getattr(record, "user", None) or NOBODY if marked else None
        self._last = record, self._subject_of(record, self)
        return self._last[1]

    def behind(self, turns: Sequence[str], ids: Sequence[str]) -> list[str] | None:
        """Texts of the encrypted records that these turns state or rest on; of an encrypted turn
        without any, its message. None if one of the other records (``ids``) is encrypted."""
        kinds = [kind.name for kind in numbered()]
        rows = self._rows.fetch(OF_KINDS, kinds, [*ids, *turns]) if ids or turns else []
        found = {row[0] for row in rows}
        if not found.isdisjoint(ids):
            return None
        hidden = self._texts(kind_of(Turn), [id for id in turns if id in found]) if found else {}
        links = self._rows.fetch(MADE_OF, list(hidden)) if hidden else []
        texts: dict[str, str] = {}
        for kind in (kind_of(Memory), kind_of(Fact), kind_of(Insight)):
            texts |= self._texts(kind, [str(source) for source, _ in links])
        explained = {target for source, target in links if source in texts}
        return [
            *texts.values(),
            *(text for id, text in hidden.items() if id not in explained and text),
        ]

    def _texts(self, kind: Kind, ids: Sequence[str]) -> dict[str, str]:
        """The words of the encrypted records of a kind among these, empty without the key."""
        found = {}
        for _, id, subject, stored in (
            self._rows.fetch(CONTENTS_OF, [kind.name], ids) if ids else ()
        ):
            values = self.values(kind.name, id, subject, bytes(stored)) or {}
            found[str(id)] = str(values.get(kind.own_words[0]) or "")
        return found

    def key_id(self, kind: str, id: Any) -> str | None:
        """Id of the key that a record is encrypted with; None when it is not encrypted."""
        row = self._row(kind, id) if isinstance(id, str) else None
        return str(row[0]) if row else None

    def of_subject(self, subject: str) -> tuple[str, bytes]:
        """Key of a subject, created if it is missing."""
        if subject not in self._used:
            self._used[subject] = self._keys.of_subject(subject)
        return self._used[subject]

    def key_for(self, kind: Kind, record: Any, judged: bool = True) -> tuple[str, bytes] | None:
        """The key with which a record is encrypted; None when it is stored in plain text. A record
        that was not ``judged`` is encrypted as if it were personal."""
        if not kind.encrypted:
            return None
        subject = self.subject(record, always=not judged)
        return self.of_subject(subject) if subject else None

    def encode(
        self,
        record: Any,
        key: tuple[str, bytes],
        vector: Vector | None,
        derived: dict[str, Any],
        *,
        judged: bool = True,
    ) -> tuple[Any, EncryptedRow]:
        """The record as it is stored in its table, and the row with its content. The comparison key
        of a fact's object among the ``derived`` columns is replaced."""
        value = derived.get(VALUE)
        if isinstance(record, Fact):
            derived[VALUE] = digest(key[1], record.user, str(value))
        kind = kind_of(type(record))
        if SENSITIVITY in kind.columns or (kind.record is Turn and judged):
            record = replace(record, sensitivity="personal")
        return self.encrypt(record, key, vector, value)

    def encrypt(
        self,
        record: Encryptable,
        key: tuple[str, bytes],
        vector: Vector | None = None,
        value: str | None = None,
    ) -> tuple[Encryptable, EncryptedRow]:
        """The record without its content, and the row with that. ``value``: key by which the object
        of a fact is compared."""
        kind = kind_of(type(record))
        values: dict[str, Any] = {name: getattr(record, name) for name in kind.encrypted}
        if isinstance(record, Turn):  # its table has no column for it
            values[SENSITIVITY] = record.sensitivity or "normal"
        if vector is not None:
            values[VECTOR] = vector_value(vector)
        if value is not None:
            values[VALUE] = value
        row = _encrypted_row(key, kind.name, encrypted_as(record) or "", values)
        return emptied(record, kind), row

    def put(self, rows: Sequence[EncryptedRow], *, new: bool = False) -> None:
        """Stores encrypted contents; those of the same records are replaced. ``new``: there are
        none."""
        columns = EncryptedRow._fields
        self._rows.insert("encrypted", columns, rows, key=columns[:2], replace=True, new=new)

    def change(
        self, kind: str, id: str, key: tuple[str, bytes] | None = None, **changes: Any
    ) -> None:
        """Encrypts a row again with other values, or with another ``key``. A row that cannot be
        decrypted is not changed."""
        values, key_id = self.content(kind, id), self.key_id(kind, id)
        key = key or (self.key_of(key_id) if key_id else None)
        if values is not None and key is not None:
            self.put([_encrypted_row(key, kind, id, values | changes)])

    def give(self, kind: Kind, id: str, user: str) -> str | None:
        """Encrypts a record again with the key of another user. Returns the new comparison key of a
        fact's object; None for other records, and if it is not encrypted or cannot be decrypted."""
        values = self.content(kind.name, id)
        if values is None:
            return None
        key = self.of_subject(user)
        self.change(kind.name, id, key)
        return digest(key[1], user, str(values[VALUE])) if kind.record is Fact else None

    def put_vector(self, kind: str, id: str, vector: Vector | None) -> None:
        """Replaces the encrypted embedding of an entry."""
        self.change(kind, id, vector=None if vector is None else vector_value(vector))

    def encrypt_event(self, event: Event, key_id: str) -> Event:
        """A ledger entry of an encrypted turn, with its data encrypted."""
        key = self._keys.by_id(key_id)
        if key is None:  # shredded meanwhile: the data would be unreadable anyway
            return msgspec.structs.replace(event, data={"encrypted": "", "subject": key_id})
        ciphertext = _encrypt(key, _event_name(event), event.data)
        data = {"encrypted": ciphertext.hex(), "subject": key_id}
        return msgspec.structs.replace(event, data=data)

    def key_of(self, key_id: str) -> tuple[str, bytes] | None:
        key = self._keys.by_id(key_id)
        return (key_id, key) if key else None

    def hash(self, subject: str, plain: bytes) -> bytes:
        """Identity of an encrypted content, from which it cannot be guessed without the key."""
        from hashlib import blake2b  # not needed by readers

        if subject not in self._content_keys:
            self._content_keys[subject] = derive(self.of_subject(subject)[1], "contents")
        key = self._content_keys[subject]
        return blake2b(plain, key=key, digest_size=len(plain)).digest()

    # -- decrypting ----------------------------------------------------------------------------

    def open(self, record: Any) -> Any:
        """The record decrypted; without the key its content is ``HIDDEN``."""
        if isinstance(record, Event):
            return self._open_event(record)
        kind = _emptied_kind(record)
        name = encrypted_as(record) if kind else None
        row = self._row(kind.name, name) if kind else None
        if kind is None or name is None or row is None:
            return record
        values = self.values(kind.name, name, row[0], row[1])
        return hidden(record, kind) if values is None else with_content(record, kind, values)

    def content(self, kind: str, id: str) -> dict[str, Any] | None:
        """Decrypted values of a row; None when it has none, or they cannot be decrypted."""
        row = self._row(kind, id)
        return self.values(kind, id, row[0], row[1]) if row else None

    def vector(self, id: str) -> Vector | None:
        """The encrypted embedding of an entry; None when it is missing or cannot be decrypted."""
        for kind in numbered():
            vector = _vector(self.content(kind.name, id))
            if vector is not None:
                return vector
        return None

    def values(self, kind: str, id: str, subject: str, ciphertext: bytes) -> dict[str, Any] | None:
        """The decrypted values; None when the key is missing, or the bytes were changed."""
        key = self._keys.by_id(subject)
        return decrypted(key, kind, id, ciphertext) if key is not None else None

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
        if data is None:
            return event
        data = msgspec.json.decode(pack_json(data))  # sorted, as in an entry in plain text
        return msgspec.structs.replace(event, data=data)

    def _row(self, kind: str, id: str | None) -> tuple[str, bytes] | None:
        for row in self._rows.fetch(OF_ID, kind, id):
            return str(row[0]), bytes(row[1])
        return None


def _emptied_kind(record: Any) -> Kind | None:
    """Kind of a record that may be encrypted and has no content."""
    kind = known(type(record))
    return kind if kind and kind.encrypted and not getattr(record, kind.encrypted[0]) else None


def hidden(record: Any, kind: Kind) -> Any:
    """A record whose content cannot be read, with ``HIDDEN`` in its text fields."""
    name = kind.encrypted[0]
    return replace(record, **{name: HIDDEN}) if isinstance(getattr(record, name), str) else record


def with_content(record: Any, kind: Kind, values: Mapping[str, Any]) -> Any:
    """A record with its decrypted values."""
    types = _types(kind.record)
    content = {
        name: convert(values[name], types[name]) for name in kind.encrypted if name in values
    }
    if isinstance(record, Turn) and values.get(SENSITIVITY) != "normal":
        content[SENSITIVITY] = "personal"
    return replace(record, **content)


@functools.cache
def _types(record: type[Record]) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(record)}


def _event_name(event: Event) -> str:
    """Name under which the data of a ledger entry is encrypted."""
    return f"event\x00{event.name}\x00{event.at}\x00{event.turn}"


def opened(record: Any, cipher: Cipher | None) -> Any:
    """A record decrypted; without the key its content is ``HIDDEN``."""
    if cipher is not None:
        return cipher.open(record)
    kind = _emptied_kind(record)
    return record if kind is None else hidden(record, kind)


def _encrypted_row(
    key: tuple[str, bytes], kind: str, id: str, values: dict[str, Any]
) -> EncryptedRow:
    return EncryptedRow(kind, id, key[0], _encrypt(key[1], f"{kind}\x00{id}", values))


def _encrypt(key: bytes, name: str, values: dict[str, Any]) -> bytes:
    """Nonce and encrypted values, which can only be decrypted under the same name. The values are
    written as JSON, as in an unencrypted row, so that numbers of any size are preserved, and
    compressed if that is long; a vector is not."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    rest = {name: value for name, value in values.items() if name != VECTOR}
    text = msgspec.json.encode(rest)
    parts = [text, values.get(VECTOR)]
    if len(text) >= LONG:
        parts = [zlib.compress(text, 1), values.get(VECTOR), True]
    packed = msgspec.msgpack.encode(parts)
    nonce = os.urandom(NONCE)
    return nonce + AESGCM(key).encrypt(nonce, packed, name.encode())


def decrypted(key: bytes, kind: str, id: str, ciphertext: bytes) -> dict[str, Any] | None:
    """Values of a row; None if they were encrypted with another key, or the bytes were changed."""
    return _decrypt(key, f"{kind}\x00{id}", ciphertext)


def _decrypt(key: bytes, name: str, ciphertext: bytes) -> dict[str, Any] | None:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        data = AESGCM(key).decrypt(ciphertext[:NONCE], ciphertext[NONCE:], name.encode())
    except (InvalidTag, ValueError):
        return None
    text, vector, *compressed = msgspec.msgpack.decode(data)
    if compressed:
        text = zlib.decompress(text)
    values: dict[str, Any] = msgspec.json.decode(text)
    return values if vector is None else {**values, VECTOR: vector}


# -- comparison keys of encrypted facts ----------------------------------------------------------


PREFIX = "encrypted:"
_DIGEST = lazy_regex(PREFIX + "[0-9a-f]{32}")


def digest(key: bytes, owner: str | None, plain: str) -> str:
    """Keyed digest of an encrypted object's comparison key."""
    from thalamus.store.signing.signer import canonical, mac  # loads OpenSSL

    return PREFIX + mac(derive(key, "values"), canonical([owner, plain]))[:16].hex()


def is_digest(value: str) -> bool:
    return value.startswith(PREFIX) and _DIGEST.fullmatch(value) is not None


def plain(cipher: Cipher | None, id: str, value: str) -> str:
    """Comparison key of the fact ``id``, decrypted if possible."""
    if cipher is None or not is_digest(value):
        return value
    found = cipher.content("fact", id)
    return value if found is None else str(found[VALUE])


def vector_value(vector: Vector) -> list[Any]:
    """An embedding in the form of an encrypted value."""
    return [vector.model, vector.data, vector.sentences]


def _vector(values: Mapping[str, Any] | None) -> Vector | None:
    """Embedding among decrypted values, if there is one."""
    return Vector(*values[VECTOR]) if values and VECTOR in values else None
