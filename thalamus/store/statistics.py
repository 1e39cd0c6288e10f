"""Figures over whole tables, counted by the database."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from thalamus.records import DOCUMENT_TYPES, Fact, Insight, Memory, Record, Turn
from thalamus.records.kinds import kind_of
from thalamus.store.tables import EVERY, OWN_OR_SHARED

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

R = TypeVar("R", Turn, Memory, Fact, Insight)

DATED = ("turn", "memory", "fact", "insight")  # tables with owners and sessions
RECALLED = """
SELECT count(DISTINCT target), count(*) FROM turn
JOIN link ON target = id AND relation = 'evidence_of'"""
# worded like the declaration of the partial index: databases compare the text
INACTIVE = "SELECT status, count(*) FROM memory WHERE status <> 'active' GROUP BY status"
QUARANTINED = """
SELECT quarantine FROM memory WHERE status <> 'active' AND status = 'quarantined'"""
MOST_RECALLED = """
SELECT source, count(*) AS times FROM link WHERE relation = 'evidence_of'
GROUP BY source ORDER BY times DESC, source LIMIT ?"""
# used ones are usually few, so the others are counted without being read
NOT_COUNTED = f"""
SELECT count(*) FROM memory WHERE status = 'active' AND key IN (
    SELECT key FROM memory WHERE scope = 'core'
    UNION SELECT key FROM memory WHERE type IN {DOCUMENT_TYPES}
    UNION SELECT key FROM memory WHERE id IN (
        SELECT source FROM link WHERE relation = 'evidence_of'))"""
OLDEST_NEVER_RECALLED = f"""
SELECT id FROM memory WHERE status = 'active' AND scope <> 'core' AND type NOT IN {DOCUMENT_TYPES}
AND NOT EXISTS (SELECT 1 FROM link WHERE source = memory.id AND relation = 'evidence_of')
ORDER BY created_at, key LIMIT ?"""
LAST_STAGES = """
SELECT at, data FROM event WHERE name = 'stage' AND seq > (SELECT max(seq) FROM event) - ?
ORDER BY seq DESC"""


class Said(NamedTuple):
    """Selection of turns, memories, facts and insights: said ``since`` a time and before
    ``until``, in a session, by a user or shared; None: any."""

    since: str | None = None
    until: str | None = None
    session: str | None = None
    user: str | None = None


class Counts(NamedTuple):
    """Numbers of records said in a period, of memories without pieces of documents; ``recalling``:
    turns with evidence, ``recalled``: pieces of evidence."""

    turns: int
    memories: int
    facts: int
    insights: int
    recalling: int
    recalled: int


def span(reader: Reader, said: Said) -> tuple[str, str] | None:
    """Times of the first and the last of the selected records; None without any."""
    condition, values = _condition(said)
    # one end at a time, so that an index is used
    queries = [
        (f"SELECT {end}(created_at) FROM {table} WHERE {condition}", *values)
        for table in DATED
        for end in ("min", "max")
    ]
    known = [row[0] for [row] in reader.fetch_each(*queries) if row[0]]
    return (min(known), max(known)) if known else None


def counts(reader: Reader, times: Sequence[str], said: Said) -> list[Counts]:
    """Counts of the selected records in each of the periods that begin at one of these times and
    end at the next one."""
    condition, values = _condition(said)
    condition += " AND created_at >= ? AND created_at < ?"
    texts = [f"SELECT count(*) FROM {table} WHERE {condition}" for table in DATED]
    texts.append(f"{texts[1]} AND type IN {DOCUMENT_TYPES}")
    texts.append(f"{RECALLED} WHERE {condition}")
    found = []
    # one query for each: counting along an index is much faster than sorting for GROUP BY
    for period in pairwise(times):
        results = reader.fetch_each(*[(text, *values, *period) for text in texts])
        turns, memories, facts, insights, pieces = (int(rows[0][0]) for rows in results[:-1])
        recalling, recalled = results[-1][0]
        found.append(Counts(turns, memories - pieces, facts, insights, recalling, recalled))
    return found


def _condition(said: Said) -> tuple[str, list[str]]:
    """Condition in SQL for the selected records, with its values."""
    parts = {
        "created_at >= ?": said.since,
        "created_at < ?": said.until,
        "session = ?": said.session,
        OWN_OR_SHARED: said.user,
    }
    given = {text: value for text, value in parts.items() if value is not None}
    return " AND ".join(given) or "true", [*given.values()]


def inactive_memories(reader: Reader) -> dict[str, int]:
    """Number of memories by status, without active ones."""
    return {row[0]: int(row[1]) for row in reader.fetch(INACTIVE)}


def quarantined_memories(reader: Reader) -> list[str | None]:
    """Reasons for the quarantine of memories, as JSON; None for an encrypted one."""
    return [row[0] for row in reader.fetch(QUARANTINED)]


def most_recalled(reader: Reader, limit: int) -> list[tuple[str, int]]:
    """(id, number of turns that it is evidence of), most often first."""
    return [(row[0], row[1]) for row in reader.fetch(MOST_RECALLED, limit)]


def count_never_recalled(reader: Reader) -> int:
    """Number of active memories never used as evidence, without core ones and pieces of
    documents."""
    total = int(reader.fetch("SELECT count(*) FROM memory")[0][0])
    others = int(reader.fetch(NOT_COUNTED)[0][0])
    return total - sum(inactive_memories(reader).values()) - others


def oldest_never_recalled(reader: Reader, limit: int) -> list[str]:
    """Ids of the oldest of them."""
    return [row[0] for row in reader.fetch(OLDEST_NEVER_RECALLED, limit)]


def last_stages(reader: Reader, entries: int) -> list[tuple[str, str]]:
    """(time, data as JSON) of stage entries among the last ``entries`` of the ledger, newest
    first."""
    return [(row[0], row[1]) for row in reader.fetch(LAST_STAGES, entries)]


# -- a report --------------------------------------------------------------------------------------


def count(reader: Reader, kind: type[Record], said: Said, *, personal: bool = True) -> int:
    """Number of the selected records of a kind, without parts of documents, and unless ``personal``
    without encrypted and personal ones."""
    condition, values = _condition(said)
    condition += _shown(kind, personal)
    sql = f"SELECT count(*) FROM {kind_of(kind).name} WHERE {condition}"
    return int(reader.fetch(sql, *values)[0][0])


def newest(
    reader: Reader, kind: type[R], said: Said, limit: int | None, *, personal: bool = True
) -> list[R]:
    """These records, newest first."""
    condition, values = _condition(said)
    sql = f"""
    SELECT * FROM {kind_of(kind).name} WHERE {condition}{_shown(kind, personal)}
    ORDER BY created_at DESC, key DESC LIMIT ?"""
    return reader.read(kind, sql, *values, EVERY if limit is None else limit)


def _shown(kind: type[Record], personal: bool) -> str:
    condition = f" AND type NOT IN {DOCUMENT_TYPES}" if kind is Memory else ""
    if not personal:
        name = kind_of(kind).name
        condition += f" AND id NOT IN (SELECT id FROM encrypted WHERE kind = '{name}')"
        condition += "" if kind is Turn else " AND sensitivity = 'normal'"
    return condition
