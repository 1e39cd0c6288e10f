"""What may no longer be true, and why: memories by their mark, turns by the facts told in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from thalamus.policy.about import ended
from thalamus.storage.sqlite import rows

_MEMORIES = "SELECT key, stale FROM memory WHERE stale IS NOT NULL AND key IN ({})"
_TOLD = (
    "SELECT turn.key, fact.key FROM turn"
    " JOIN link ON link.target = turn.id AND link.relation = 'derived_from'"
    " JOIN fact ON fact.id = link.source"
    " WHERE turn.key IN ({}) AND (fact.retired_at IS NOT NULL OR fact.valid_to <= ?)"
    " ORDER BY fact.key"
)
AT_ONCE = 500  # keys in one query


def stale(db: sqlite3.Connection, keys: Sequence[int], now: str) -> dict[int, str]:
    """The reasons by key; what is fine is left out."""
    found: dict[int, str] = {}
    for start in range(0, len(keys), AT_ONCE):
        part = keys[start : start + AT_ONCE]
        marks = ",".join("?" * len(part))
        found |= dict(db.execute(_MEMORIES.format(marks), part).fetchall())
        for key, reason in _of_turns(db, part, marks, now):
            found[key] = f"{found[key]}; {reason}" if key in found else reason
    return found


def _of_turns(
    db: sqlite3.Connection, keys: Sequence[int], marks: str, now: str
) -> Iterator[tuple[int, str]]:
    """What a turn says is kept as it was said; what has ended of it since is told beside it."""
    for said_in, fact_key in db.execute(_TOLD.format(marks), (*keys, now)).fetchall():
        row = db.execute("SELECT * FROM fact WHERE key = ?", (fact_key,)).fetchone()
        fact = rows.fact(row)
        yield said_in, ended(fact, None if fact.retired_at else fact.valid_to)
