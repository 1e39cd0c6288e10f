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
    " WHERE turn.key IN ({}) AND (fact.retired_at IS NOT NULL OR fact.valid_to <= ?1)"
    " ORDER BY fact.key"
)
# of a fact that was told to end later, and is over now: nothing happened then that could mark it
_ABOUT = (
    "SELECT memory.key, fact.key FROM memory"
    " JOIN link ON link.source = memory.id AND link.relation = 'about'"
    " JOIN fact ON fact.id = link.target"
    " WHERE memory.key IN ({}) AND memory.stale IS NULL AND fact.retired_at IS NULL"
    " AND fact.valid_to > memory.created_at AND fact.valid_to <= ?1 AND NOT EXISTS"
    " (SELECT 1 FROM fact AS other WHERE other.user IS fact.user AND other.entity = fact.entity"
    "  AND other.predicate = fact.predicate AND other.value = fact.value"
    "  AND other.retired_at IS NULL AND (other.valid_to IS NULL OR other.valid_to > ?1))"
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
        for key, reason in (*_over(db, _TOLD, part, now), *_over(db, _ABOUT, part, now)):
            found[key] = f"{found[key]}; {reason}" if key in found else reason
    return found


def _over(
    db: sqlite3.Connection, query: str, keys: Sequence[int], now: str
) -> Iterator[tuple[int, str]]:
    """What was said is kept as it was said; what has ended of it since is told beside it."""
    numbered = ",".join(f"?{place}" for place in range(2, len(keys) + 2))
    for said_in, fact_key in db.execute(query.format(numbered), (now, *keys)).fetchall():
        row = db.execute("SELECT * FROM fact WHERE key = ?", (fact_key,)).fetchone()
        fact = rows.fact(row)
        yield said_in, ended(fact, None if fact.retired_at else fact.valid_to)
