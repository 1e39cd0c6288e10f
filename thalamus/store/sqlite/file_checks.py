"""Checks of a SQLite file itself: its schema, indexes and triggers."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator

import msgspec

from thalamus.errors import Tampered
from thalamus.records.reports import Finding
from thalamus.store.sqlite import migrations
from thalamus.store.sqlite.migrations import SCHEMA_VERSION


def check_triggers(db: sqlite3.Connection, known_digest: str | None) -> str:
    """Raises ``Tampered`` for foreign triggers, whose writes would be signed like our own. They are
    compared with those of a new store once; returns a digest of them, for the signed head."""
    query = "SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger' ORDER BY name"
    found = [(row[0], row[1]) for row in db.execute(query)]
    digest = hashlib.sha256(msgspec.msgpack.encode(found)).hexdigest()
    if digest == known_digest:
        return digest
    # the schema of a new store takes as long to make as the store itself
    schema = migrations.reference_schema() if found else {}
    known = {name: sql for (kind, name), sql in schema.items() if kind == "trigger"}
    strange = [name for name, sql in found if known.get(name) != sql]
    if strange:
        fix = f"Inspect it, then remove it with SQLite: DROP TRIGGER {strange[0]}."
        raise Tampered(f"the trigger {strange[0]} is foreign", fix=fix)
    return digest


def findings(db: sqlite3.Connection) -> Iterator[Finding]:
    """Compares tables, views, triggers and indexes with those of a new store, and rows with
    SQLite's indexes."""
    expected, found = migrations.reference_schema(), migrations.schema(db)
    for name in sorted({*expected, *found}):
        if expected.get(name) == found.get(name):
            continue
        kind, plain = name
        if name not in found:
            yield Finding(table=plain, what="removed", detail=f"the {kind} is missing")
        elif name not in expected:
            yield Finding(table=plain, what="inserted", detail=f"a foreign {kind}")
        else:
            yield Finding(table=plain, what="edited", detail=f"the {kind} was changed")
    for line in integrity(db):
        yield Finding(table="sqlite", what="edited", detail=line)
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != SCHEMA_VERSION:
        detail = f"it is {version}, not {SCHEMA_VERSION}"
        yield Finding(table="sqlite", id="user_version", what="edited", detail=detail)


def integrity(db: sqlite3.Connection) -> list[str]:
    """Problems that SQLite finds in its file, including rows missing from an index."""
    found = db.execute("PRAGMA integrity_check").fetchall()
    return [str(row[0]) for row in found if row[0] != "ok"]
