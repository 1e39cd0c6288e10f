"""Figures over whole tables, counted by the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thalamus.storage.relational.records import said_between
from thalamus.storage.relational.tables import condition_of, placeholders

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where

Query = Callable[[str, Sequence[Any]], list[Any]]


def recalls_between(query: Query, times: Sequence[str], where: Where) -> list[tuple[int, int]]:
    """(turns with evidence, pieces of evidence) in each period."""
    found = []
    for condition, values in map(condition_of, said_between(times, where)):
        rows = query(
            "SELECT count(DISTINCT target), count(*) FROM turn"
            " JOIN link ON target = id AND relation = 'evidence_of'" + condition,
            values,
        )
        found.append((int(rows[0][0]), int(rows[0][1])))
    return found


def inactive_memories(query: Query) -> dict[str, int]:
    """Number of memories by status, without active ones."""
    # worded like the declaration of the partial index: databases compare the text
    found = query(
        "SELECT status, count(*) FROM memory WHERE status <> 'active' GROUP BY status", ()
    )
    return {row[0]: int(row[1]) for row in found}


def quarantined_memories(query: Query) -> list[str | None]:
    """Reasons for the quarantine of memories, as JSON; None for an encrypted one."""
    found = query(
        "SELECT quarantine FROM memory WHERE status <> 'active' AND status = 'quarantined'", ()
    )
    return [row[0] for row in found]


def most_recalled(query: Query, limit: int) -> list[tuple[str, int]]:
    """(id, number of turns that it is evidence of), most often first."""
    found = query(
        "SELECT source, count(*) AS times FROM link WHERE relation = 'evidence_of'"
        " GROUP BY source ORDER BY times DESC, source LIMIT ?",
        (limit,),
    )
    return [(row[0], row[1]) for row in found]


def count_never_recalled(query: Query, without: Sequence[str]) -> int:
    """Number of active non-core memories never used as evidence, excluding these types. Used ones
    are usually few, so the others are counted without being read."""
    recalled = query(
        "SELECT count(*) FROM memory WHERE status = 'active' AND key IN ("
        "SELECT key FROM memory WHERE scope = 'core'"
        f" UNION SELECT key FROM memory WHERE type IN ({placeholders(without)})"
        " UNION SELECT key FROM memory WHERE id IN"
        " (SELECT source FROM link WHERE relation = 'evidence_of'))",
        without,
    )
    total = int(query("SELECT count(*) FROM memory", ())[0][0])
    return total - sum(inactive_memories(query).values()) - int(recalled[0][0])


def oldest_never_recalled(query: Query, without: Sequence[str], limit: int) -> list[str]:
    """Ids of the oldest of them."""
    found = query(
        "SELECT id FROM memory WHERE status = 'active' AND scope <> 'core'"
        f" AND type NOT IN ({placeholders(without)}) AND NOT EXISTS"
        " (SELECT 1 FROM link WHERE source = memory.id AND relation = 'evidence_of')"
        " ORDER BY created_at, key LIMIT ?",
        (*without, limit),
    )
    return [row[0] for row in found]


def last_stages(query: Query, entries: int) -> list[tuple[str, str]]:
    """(time, data as JSON) of stage entries among the last ``entries`` of the ledger, newest
    first."""
    found = query(
        "SELECT at, data FROM event WHERE name = 'stage'"
        " AND seq > (SELECT max(seq) FROM event) - ? ORDER BY seq DESC",
        (entries,),
    )
    return [(row[0], row[1]) for row in found]
