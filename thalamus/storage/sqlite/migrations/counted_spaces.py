"""Figures and indexes without which a larger store would take longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.storage.sqlite.migrations.initial import (
    ENTRY_COLUMNS,
    FACT_ENTRY,
    MEMORY_ENTRY,
    TURN_ENTRY,
)

if TYPE_CHECKING:
    from sqlite_utils.db import Database

COUNT_SPACES = (
    "UPDATE space SET count = (SELECT count(*) FROM embedding WHERE space = space.id),"
    " last = (SELECT coalesce(max(n), 0) FROM embedding WHERE space = space.id)"
)

_COUNTED_SPACES = (
    "ALTER TABLE space ADD COLUMN count INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE space ADD COLUMN last INTEGER NOT NULL DEFAULT 0",
    COUNT_SPACES,
    """CREATE TRIGGER embedding_added AFTER INSERT ON embedding BEGIN
        UPDATE space SET count = count + 1, last = NEW.n WHERE id = NEW.space; END""",
    """CREATE TRIGGER embedding_removed AFTER DELETE ON embedding BEGIN
        UPDATE space SET count = count - 1 WHERE id = OLD.space; END""",
    # the shape of one kind: SQLite cannot tell that a kind is in one table only
    f"CREATE VIEW memory_entry AS {MEMORY_ENTRY}",
    f"CREATE VIEW fact_entry ({ENTRY_COLUMNS}) AS {FACT_ENTRY}",
    f"CREATE VIEW turn_entry ({ENTRY_COLUMNS}) AS {TURN_ENTRY}",
    "CREATE INDEX memory_session ON memory (session)",
    "CREATE INDEX memory_user ON memory (user)",
    "CREATE INDEX turn_user ON turn (user)",
)


def m0002_counted_spaces(db: Database) -> None:
    """How many embeddings each model has, and the newest of them, are asked at every write and
    every search; owners and sessions by filters. None may take longer in a larger store."""
    for statement in _COUNTED_SPACES:
        db.execute(statement)
