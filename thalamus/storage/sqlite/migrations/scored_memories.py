"""How much a memory matters, how often it was said, and whether it may still be true."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

# What a memory gets that was stored before there were scores: by its importance alone
OLD_SALIENCE = {"low": 0.3, "medium": 0.5, "high": 0.7}

_SCORED_MEMORIES = (
    "ALTER TABLE memory ADD COLUMN salience REAL",
    "ALTER TABLE memory ADD COLUMN strength REAL NOT NULL DEFAULT 1",
    "ALTER TABLE memory ADD COLUMN seen INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE memory ADD COLUMN seen_at TEXT",
    "ALTER TABLE memory ADD COLUMN stale TEXT",
    f"""UPDATE memory SET seen_at = created_at, salience = CASE importance
        WHEN 'low' THEN {OLD_SALIENCE["low"]} WHEN 'high' THEN {OLD_SALIENCE["high"]}
        ELSE {OLD_SALIENCE["medium"]} END""",
    # few are one or the other, and both are asked for at every search or write
    "CREATE INDEX memory_stale ON memory (key) WHERE stale IS NOT NULL",
    "CREATE INDEX memory_aside ON memory (status, expires_at) WHERE status <> 'active'",
)


def m_scored_memories(db: Database) -> None:
    """Salience, strength, how often and when last said, and the mark of what may be untrue.

    Old rows have the salience of their importance, strength 1 and were seen once, when said.
    """
    for statement in _SCORED_MEMORIES:
        db.execute(statement)
