"""Pins, retirement, and what is needed to take a prune or an edit back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_RETENTION = (
    "ALTER TABLE memory ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE memory ADD COLUMN batch TEXT",
    "CREATE INDEX memory_batch ON memory (batch) WHERE batch IS NOT NULL",
    "CREATE INDEX memory_type ON memory (type, key)",
    """CREATE TABLE batch (
        n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
        action TEXT NOT NULL, undone_at TEXT, purged_at TEXT)""",
    # before: the fields to set back, as JSON; NULL for a memory that the batch made
    """CREATE TABLE batch_item (
        batch TEXT NOT NULL, id TEXT NOT NULL, before TEXT,
        PRIMARY KEY (batch, id)) WITHOUT ROWID""",
)


def m_retention(db: Database) -> None:
    """Pins, retirement, and what is needed to take a prune or an edit back."""
    for statement in _RETENTION:
        db.execute(statement)
