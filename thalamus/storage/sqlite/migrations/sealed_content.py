"""The contents of personal rows, encrypted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database


def m_sealed_content(db: Database) -> None:
    """A row whose content is here is empty in its own table. ``subject`` names the key."""
    db.execute(
        """CREATE TABLE sealed (
        kind TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, box BLOB NOT NULL,
        PRIMARY KEY (kind, id)) WITHOUT ROWID"""
    )
    db.execute("ALTER TABLE fact ADD COLUMN sensitivity TEXT NOT NULL DEFAULT 'normal'")
    for kind in ("memory", "fact", "turn", "plan"):
        db.execute(
            f"CREATE TRIGGER sealed_{kind} AFTER DELETE ON {kind}"
            f" BEGIN DELETE FROM sealed WHERE kind = '{kind}' AND id = OLD.id; END"
        )
