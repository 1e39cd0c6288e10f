"""Figures over whole tables, counted by the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.store.records import said_between
from thalamus.store.tables import placeholders

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader
    from thalamus.store.conditions import Where


def recalls_between(reader: RowReader, times: Sequence[str], where: Where) -> list[tuple[int, int]]:
    """(turns with evidence, pieces of evidence) in each period."""
    found = []
    for condition, values in map(reader.rows.condition, said_between(times, where)):
        rows = reader.query(
            f"SELECT count(DISTINCT target), count(*) FROM {reader.source('turn')}"
            f" JOIN {reader.source('link')} ON target = id AND relation = 'evidence_of'"
            + condition,
            values,
        )
        found.append((int(rows[0][0]), int(rows[0][1])))
    return found


def inactive_memories(reader: RowReader) -> dict[str, int]:
    """Number of memories by status, without active ones."""
    # worded like the declaration of the partial index: databases compare the text
    found = reader.query(
        f"SELECT status, count(*) FROM {reader.source('memory')} WHERE status <> 'active'"
        " GROUP BY status"
    )
    return {row[0]: int(row[1]) for row in found}


def quarantined_memories(reader: RowReader) -> list[str | None]:
    """Reasons for the quarantine of memories, as JSON; None for an encrypted one."""
    found = reader.query(
        f"SELECT quarantine FROM {reader.source('memory')}"
        " WHERE status <> 'active' AND status = 'quarantined'"
    )
    return [row[0] for row in found]


def most_recalled(reader: RowReader, limit: int) -> list[tuple[str, int]]:
    """(id, number of turns that it is evidence of), most often first."""
    found = reader.query(
        f"SELECT source, count(*) AS times FROM {reader.source('link')}"
        " WHERE relation = 'evidence_of' GROUP BY source ORDER BY times DESC, source LIMIT ?",
        (limit,),
    )
    return [(row[0], row[1]) for row in found]


def count_never_recalled(reader: RowReader, without: Sequence[str]) -> int:
    """Number of active non-core memories never used as evidence, excluding these types. Used ones
    are usually few, so the others are counted without being read."""
    memory, link = reader.source("memory"), reader.source("link")
    recalled = reader.query(
        f"SELECT count(*) FROM {memory} WHERE status = 'active' AND key IN ("
        f"SELECT key FROM {memory} WHERE scope = 'core'"
        f" UNION SELECT key FROM {memory} WHERE type IN ({placeholders(without)})"
        f" UNION SELECT key FROM {memory} WHERE id IN"
        f" (SELECT source FROM {link} WHERE relation = 'evidence_of'))",
        without,
    )
    total = int(reader.query(f"SELECT count(*) FROM {memory}")[0][0])
    return total - sum(inactive_memories(reader).values()) - int(recalled[0][0])


def oldest_never_recalled(reader: RowReader, without: Sequence[str], limit: int) -> list[str]:
    """Ids of the oldest of them."""
    memory, link = reader.source("memory"), reader.source("link")
    found = reader.query(
        f"SELECT id FROM {memory} WHERE status = 'active' AND scope <> 'core'"
        f" AND type NOT IN ({placeholders(without)}) AND NOT EXISTS"
        f" (SELECT 1 FROM {link} WHERE source = memory.id AND relation = 'evidence_of')"
        " ORDER BY created_at, key LIMIT ?",
        (*without, limit),
    )
    return [row[0] for row in found]


def last_stages(reader: RowReader, entries: int) -> list[tuple[str, str]]:
    """(time, data as JSON) of stage entries among the last ``entries`` of the ledger, newest
    first."""
    found = reader.query(
        f"SELECT at, data FROM {reader.source('event')} WHERE name = 'stage'"
        f" AND seq > (SELECT max(seq) FROM {reader.source('event')}) - ? ORDER BY seq DESC",
        (entries,),
    )
    return [(row[0], row[1]) for row in found]
