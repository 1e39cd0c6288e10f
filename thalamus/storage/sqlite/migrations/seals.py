"""Seals over the rows, and signatures of the ledger's entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_SEALS = (
    # one row for each version of each row: a chain that is only added to. ref is the row's key,
    # or drawn from its tag where it has none; name is the row's primary key and id as JSON, and
    # may be blanked after the row was deleted; digest is NULL when it was
    """CREATE TABLE seal (
        n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, ref INTEGER NOT NULL, name TEXT,
        tag BLOB NOT NULL, digest BLOB, chain BLOB NOT NULL)""",
    "CREATE INDEX seal_ref ON seal (ref)",
    "ALTER TABLE event ADD COLUMN mac BLOB",
    # vectors have no seals, which would double what a load costs: each is signed, and the head
    # has the sum of the signatures
    "ALTER TABLE embedding ADD COLUMN mac BLOB",
)


def m_seals(db: Database) -> None:
    """Tamper evidence. What is there is sealed at the first write with a key, as it is found."""
    for statement in _SEALS:
        db.execute(statement)
