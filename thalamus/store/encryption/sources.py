"""Encryption of stored records: the sources of personal ones, whenever they were stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.records import Document, Event, Fact
from thalamus.records.canonical import pack_json
from thalamus.records.kinds import Kind, kind_named, kinds
from thalamus.store import embeddings, ledger
from thalamus.store.encrypted import OF_KINDS
from thalamus.store.encryption import contents
from thalamus.store.encryption.cipher import SENSITIVITY, Cipher, digest
from thalamus.store.tables import ERASING

if TYPE_CHECKING:
    from thalamus.store.writer import Writer

_MADE_OF = """
SELECT id FROM encrypted WHERE kind IN (SELECT value FROM json_each(?))
AND id IN (SELECT source FROM link WHERE target IN (SELECT value FROM json_each(?)))"""


def encrypt_sources(writer: Writer) -> None:
    """Encrypts, at the end of a unit of work, the sources of the personal records that were written
    in it, or that were stored before their sources."""
    if writer.cipher is None or writer.plain_sources is None:
        return
    makers = [kind.name for kind in kinds() if _has_sources(kind)]
    known = writer.linked - writer.added_plain - writer.added_personal
    for rows in writer.fetch_each(
        *([(OF_KINDS, makers, known)] if known else []),
        *([(_MADE_OF, makers, writer.added_plain)] if writer.added_plain else []),
    ):
        writer.added_personal.update(row[0] for row in rows)
    while writer.added_personal:
        personal, writer.added_personal = writer.added_personal, set()
        encrypt(writer, writer.plain_sources(writer, personal))
    writer.linked.clear()


def encrypt(writer: Writer, records: Mapping[str, str]) -> None:
    """Encrypts stored records in plain text, given by id with their kinds, and the ledger entries
    about them; at the end of the unit of work also what they were made of. Does nothing in a store
    that encrypts nothing."""
    if writer.cipher is None or writer.plain_sources is None or not records:
        return
    plain = records.keys() - contents.ids(writer, records)
    entries: dict[str, str] = {}  # key ids of turns and facts
    for id, name in ((id, records[id]) for id in records if id in plain):
        if name == "document":
            document: Any = writer.by_id(Document, id)
            writer.put(structs.replace(document, summary=None, topic=None))
        elif key := _encrypt_row(writer, writer.cipher, _kind(name), id):
            entries |= {id: key} if name in ("turn", "fact") else {}
    _encrypt_entries(writer, writer.cipher, entries)
    if not plain <= writer.added_plain and not writer.value(ERASING):
        writer.set_value(ERASING, writer.now)
        writer.rewrote_plain = True


def _encrypt_row(writer: Writer, cipher: Cipher, kind: Kind, id: str) -> str | None:
    """Encrypts a stored row; returns the id of the key, None if nothing was encrypted."""
    record: Any = writer.by_id(kind.record, id)
    if hasattr(record, "sensitivity"):
        record = structs.replace(record, sensitivity="personal")
    subject = cipher.subject(record)
    if subject is None:
        return None
    key = cipher.of_subject(subject)
    if kind.body:  # its fields are no columns
        writer.put(record, key=writer.keys(kind.record, [id])[id])
        return key[0]
    value: str | None = None
    if kind.record is Fact:
        [[value]] = writer.fetch("SELECT value FROM fact WHERE id = ?", id)
    vector = embeddings.of(writer, [id]).get(id) if kind.numbered else None
    emptied, ciphertext = cipher.encrypt(record, key, vector, value)
    fields = {name: getattr(emptied, name) for name in kind.encrypted}
    fields |= {name: writer.hash(record, make(record)) for name, make in kind.hashes.items()}
    if SENSITIVITY in kind.columns:
        fields[SENSITIVITY] = "personal"
    if value is not None:
        fields["value"] = digest(key[1], record.user, value)
    writer.empty(kind, id, fields)
    cipher.put([ciphertext])
    writer.note_key(kind, id, key[0])
    if _has_sources(kind):
        writer.added_personal.add(id)
    return key[0]


def _encrypt_entries(writer: Writer, cipher: Cipher, keys: Mapping[str, str]) -> None:
    """Encrypts ledger entries about turns, and those with a reason for a change of facts, with
    these keys. Their hashes stay: the next entry names them, as it does for emptied ones."""
    if not keys:
        return
    changed = []
    for event in ledger.about(writer, list(keys)):
        key = keys.get(str(event.turn)) or keys.get(str(event.data.get("fact")))
        if key and event.data and "encrypted" not in event.data:
            data = pack_json(cipher.encrypt_event(event, key).data)
            writer.update("event", {"data": data, "salt": None}, "seq = ?", event.seq)
            changed.append([event.seq, ledger.data_digest(data)])
    if changed:
        data_changed = {"entries": changed}
        writer.add_event(Event(name=ledger.ENTRIES_ENCRYPTED, at=writer.now, data=data_changed))


def _kind(name: str) -> Kind:
    kind = kind_named(name)
    assert kind is not None
    return kind


def _has_sources(kind: Kind) -> bool:
    """True for records that were made of others, which are as personal as they are."""
    return bool(kind.encrypted) and SENSITIVITY in kind.columns and not kind.personal
