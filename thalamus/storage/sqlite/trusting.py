"""Whether a store is as it was signed, as far as is looked before anything is written on it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from thalamus.errors import Tampered
from thalamus.storage.sqlite import head as heads
from thalamus.storage.sqlite.signing import GENESIS, fingerprint_of

if TYPE_CHECKING:
    from thalamus.storage.sqlite.head import Head
    from thalamus.storage.sqlite.signing import Signer


def has_rows(db: sqlite3.Connection) -> bool:
    """Whether anything is remembered in a store."""
    tables_ = ("memory", "fact", "turn", "document")
    return any(db.execute(f"SELECT EXISTS (SELECT 1 FROM {t})").fetchone()[0] for t in tables_)


def check_triggers(db: sqlite3.Connection) -> None:
    """Raises ``Tampered`` when there are triggers that are not ours: what they do would be sealed
    like our own work. They are compared with those of a new store once, and the signed head keeps
    a digest of them."""
    query = "SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger' ORDER BY name"
    found = [(name, sql) for name, sql in db.execute(query)]
    digest = fingerprint_of(found)
    if digest == heads.triggers(db):
        return
    from thalamus.storage.sqlite.verifying import reference_schema

    known = {name: sql for (kind, name), sql in reference_schema().items() if kind == "trigger"}
    strange = [name for name, sql in found if known.get(name) != sql]
    if strange:
        fix = f"Look at it, and take it away with SQLite: DROP TRIGGER {strange[0]}."
        raise Tampered(f"the trigger {strange[0]} is not ours", fix=fix)
    heads.put(db, heads.TRIGGERS, digest)


def check_head(db: sqlite3.Connection, head: Head, signer: Signer) -> None:
    """Raises ``Tampered`` when the head is not what the key signed, or the end is gone."""
    if head.mac != head.signature(signer, db):
        raise Tampered("its signed head was changed")
    if (heads.last_seal(db) or (head.first - 1, GENESIS)) != (head.n, bytes.fromhex(head.chain)):
        raise Tampered("its last seals are not those that were signed")
    if heads.last_event(db) != (head.seq, head.hash):
        raise Tampered("its last ledger entries are not those that were signed")
