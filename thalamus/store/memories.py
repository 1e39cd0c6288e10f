"""The table ``memory``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from thalamus.names import normal_name
from thalamus.records import Document, Memory
from thalamus.records.ownership import Owner
from thalamus.store.entries import newest
from thalamus.store.tables import AMONG, EVERY, OWN_OR_SHARED, REACHED_AGENT, in_parts, literal

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.values import Filter
    from thalamus.store.writer import Writer

STORED = f"""
SELECT key, id, content, created_at, strength, seen, seen_at, stale, valid_from, valid_to
FROM memory WHERE id {AMONG}"""
ACTIVE = f"SELECT * FROM memory WHERE id {AMONG} AND status = 'active'"
ALL_ACTIVE = "SELECT * FROM memory WHERE status = 'active' ORDER BY key"
ALL_OF_TYPES = f"SELECT * FROM memory WHERE status = 'active' AND type {AMONG} ORDER BY key"
NEXT = "SELECT key, id FROM memory WHERE status = 'active' AND key > ? ORDER BY key LIMIT ?"
NEXT_OF_TYPES = f"""
SELECT key, id FROM memory WHERE status = 'active' AND type {AMONG} AND key > ?
ORDER BY key LIMIT ?"""
CORE = "SELECT * FROM memory WHERE scope = 'core' AND status = 'active' ORDER BY key LIMIT ?"
SUMMARIES = """
SELECT * FROM memory
WHERE type = 'session_summary' AND session = ? AND status = 'active' AND "user" IS ? AND agent IS ?
ORDER BY key DESC LIMIT ?"""
OF_CONTENT = "SELECT id FROM memory WHERE content_hash = ? AND status = ? ORDER BY key LIMIT 1"
TEXTS = f"""
SELECT id, status, "user", agent FROM memory
WHERE id {AMONG} AND type IN ('document_chunk', 'document_summary') ORDER BY id"""
RETIRED_BY = "SELECT id FROM memory WHERE batch = ? AND status = 'retired' ORDER BY key LIMIT ?"
MAY_RETIRE = f"id {AMONG} AND status = 'active' AND pinned = 0 AND scope <> 'core'"
CHANGEABLE = """
SELECT type, topic, importance, scope, status, expires_at, pinned, strength, seen, seen_at, stale,
    valid_to
FROM memory WHERE id = ?"""
LAST_SAID = """
SELECT type, topic, "user", agent, max(created_at) FROM memory
WHERE status = 'active' AND topic IS NOT NULL GROUP BY type, topic, "user", agent"""
COUNT_LISTED = f"""
SELECT count(*) FROM memory
WHERE status = 'active' AND type NOT IN ('document', 'document_chunk', 'document_summary')
AND (expires_at IS NULL OR expires_at > ?)
AND {REACHED_AGENT}"""
COUNT_WORDS = "SELECT type, topic, scope, count(*) FROM memory WHERE status = 'active'"
# of few rows: worded like the declaration of their index, since databases compare the text
COUNT_INACTIVE = "SELECT count(*) FROM memory WHERE status <> 'active'"
QUARANTINE_OVER = """
SELECT id FROM memory WHERE status <> 'active' AND status = 'quarantined' AND expires_at <= ?"""


class StoredMemory(NamedTuple):
    """Columns of a memory for comparing and counting; the content of an encrypted one is empty."""

    key: int
    id: str
    content: str
    created_at: str
    strength: float
    seen: int
    seen_at: str | None
    stale: str | None
    valid_from: str | None
    valid_to: str | None


class DocumentText(NamedTuple):
    """A memory that is a chunk of a document, or its summary."""

    id: str
    status: str
    owner: Owner


class LastSaid(Struct, frozen=True):
    """Time of the last statement of a type, topic and owner."""

    type: str
    topic: str
    user: str | None
    agent: str | None
    at: str


class WordCount(NamedTuple):
    """Number of memories of a type, topic and scope."""

    type: str
    topic: str | None
    scope: str
    number: int


# -- records --------------------------------------------------------------------------------------


def read(reader: Reader, where: Filter, limit: int = EVERY) -> list[Memory]:
    """Memories by time, newest first."""
    # worded like the declaration of a partial index: databases compare the text
    of_status = "key IN (SELECT key FROM memory WHERE status <> 'active' AND status = "
    of_status += f"{literal(where.status or '')})"
    stale = "live AND key IN (SELECT key FROM memory WHERE stale IS NOT NULL)"
    known = {None: "live", "active": "live", "all": "true", "stale": stale}
    core = "scope = 'core' AND " if where.scope == "core" else ""  # which has an index
    live = core + known.get(where.status, of_status)
    query, values = newest("id, created_at, key", ["memory_entry"], where, live)
    ids = [row[0] for row in reader.fetch(f"{query} LIMIT ?", *values, limit)]
    by_id = {memory.id: memory for memory in reader.by_ids(Memory, ids)}
    return [by_id[id] for id in ids if id in by_id]


def active(reader: Reader, ids: Collection[str]) -> list[Memory]:
    """The active ones of these memories."""
    return reader.read(Memory, ACTIVE, ids) if ids else []


def all_active(reader: Reader, types: Collection[str] = ()) -> list[Memory]:
    """Every active memory, or those of some types, in the order of their keys."""
    if types:
        return reader.read(Memory, ALL_OF_TYPES, types)
    return reader.read(Memory, ALL_ACTIVE)


def core(reader: Reader, limit: int) -> list[Memory]:
    """The active core memories of all owners, in the order of their keys."""
    return reader.read(Memory, CORE, limit)


def encrypted(reader: Reader) -> list[Memory]:
    """Memories whose content is encrypted."""
    sql = "SELECT * FROM memory WHERE id IN (SELECT id FROM encrypted WHERE kind = 'memory')"
    return reader.read(Memory, sql)


def session_summaries(
    reader: Reader, session: str, user: str | None, agent: str | None, limit: int
) -> list[Memory]:
    """The active summaries of a session, of exactly this owner, the last ones first."""
    return reader.read(Memory, SUMMARIES, session, user, agent, limit)


def in_session(reader: Reader, session: str) -> list[Memory]:
    """The memories of a session, of any owner."""
    return reader.read(Memory, "SELECT * FROM memory WHERE session = ?", session)


def documents_at(reader: Reader, path: str) -> list[Document]:
    """Documents with this path, and any that mention it in their body: the path is a part of that,
    as JSON."""
    written = f'"path":{msgspec.json.encode(path).decode()}'
    pattern = re.sub(r"([!%_])", r"!\1", written)
    sql = "SELECT * FROM document WHERE body LIKE ? ESCAPE '!' ORDER BY id"
    return reader.read(Document, sql, f"%{pattern}%")


# -- columns, without decryption ------------------------------------------------------------------


def as_stored(reader: Reader, ids: Collection[str]) -> list[StoredMemory]:
    """Memories with these ids."""
    return [StoredMemory(*row) for row in reader.fetch(STORED, ids)] if ids else []


def texts(reader: Reader, ids: Collection[str]) -> list[DocumentText]:
    """The chunks and summaries of documents among these memories, in any status."""
    found = []
    for id, status, *names in reader.fetch(TEXTS, ids) if ids else ():
        user, agent = (normal_name(name) if name else name for name in names)
        found.append(DocumentText(id, status, Owner(user, agent)))
    return found


def agents(reader: Reader, ids: Collection[str]) -> dict[str, str | None]:
    """The agents of memories, by id."""
    found = reader.fetch(f"SELECT id, agent FROM memory WHERE id {AMONG}", ids) if ids else ()
    return {row[0]: row[1] for row in found}


def changeable(reader: Reader, id: str) -> dict[str, Any] | None:
    """The fields of a memory that a batch may change; None when it is missing."""
    found = reader.fetch(CHANGEABLE, id)
    return dict(found[0]) if found else None


def last_said(reader: Reader) -> list[LastSaid]:
    """Time of the last active memory of each type, topic and owner, of those that have a topic."""
    return [LastSaid(*row) for row in reader.fetch(LAST_SAID)]


# -- ids ------------------------------------------------------------------------------------------


def same(reader: Reader, identities: Mapping[bytes, bytes]) -> dict[bytes, str]:
    """Ids of the memories with these identities, of the newest where there are several.
    ``identities``: each with the hash of the content, both as ``Writer.hash`` returns them."""
    found: list[Any] = []
    for part in in_parts(list(identities.items())):  # bytes cannot be in a list in JSON
        sql = f"""
WITH wanted (one, said) AS (VALUES {", ".join(["(?, ?)"] * len(part))})
SELECT identity_hash, id, key FROM wanted
JOIN memory ON content_hash = said AND identity_hash = one"""
        found += reader.fetch(sql, *chain.from_iterable(part))
    return {row[0]: row[1] for row in sorted(found, key=lambda row: int(row[2]))}


def of_content(reader: Reader, hash: bytes, status: str) -> str | None:
    """Id of the first memory with this hash of its owner and content (``Writer.hash``), in this
    status."""
    found = reader.fetch(OF_CONTENT, hash, status)
    return found[0][0] if found else None


def of_types(reader: Reader, ids: Collection[str], types: Collection[str]) -> list[str]:
    """Ids of the memories among these that have one of the types."""
    sql = f"SELECT id FROM memory WHERE id {AMONG} AND type {AMONG}"
    return [row[0] for row in reader.fetch(sql, ids, types)] if ids else []


def in_status(reader: Reader, ids: Collection[str], status: str) -> list[str]:
    """Ids of the memories among these that have this status."""
    sql = f"SELECT id FROM memory WHERE id {AMONG} AND status = ?"
    return [row[0] for row in reader.fetch(sql, ids, status)] if ids else []


def next_active(
    reader: Reader, key: int, limit: int, types: Collection[str] = ()
) -> dict[int, str]:
    """Ids of the next active memories after a key, by their keys, in this order; of some types, or
    of all."""
    if types:
        found = reader.fetch(NEXT_OF_TYPES, types, key, limit)
    else:
        found = reader.fetch(NEXT, key, limit)
    return {row[0]: row[1] for row in found}


def retired_by(reader: Reader, batch: str, limit: int = EVERY) -> list[str]:
    """Ids of the memories that a batch retired and that still are, in the order of their keys."""
    return [row[0] for row in reader.fetch(RETIRED_BY, batch, limit)]


def quarantine_over(reader: Reader, now: str) -> list[str]:
    """Ids of the memories whose time in quarantine is over."""
    return [row[0] for row in reader.fetch(QUARANTINE_OVER, now)]


# -- counts ---------------------------------------------------------------------------------------


def count_active(reader: Reader) -> int:
    """Number of active memories. Inactive ones are few and have an index."""
    return reader.count(Memory) - int(reader.fetch(COUNT_INACTIVE)[0][0])


def count_listed(reader: Reader, user: str | None, agent: str | None, now: str) -> int:
    """Number of active, unexpired memories without document chunks, of this user and agent and
    shared ones; None: of all."""
    given = (now, agent)
    if user is None:
        return int(reader.fetch(COUNT_LISTED, *given)[0][0])
    return int(reader.fetch(f"{COUNT_LISTED} AND {OWN_OR_SHARED}", *given, user)[0][0])


def count_stale(reader: Reader) -> int:
    """Number of active memories that are marked as perhaps outdated."""
    sql = "SELECT count(*) FROM memory WHERE stale IS NOT NULL AND status = 'active'"
    return int(reader.fetch(sql)[0][0])


def count_retired_by(reader: Reader, batch: str) -> int:
    """Number of memories that a batch retired and that still are."""
    sql = "SELECT count(*) FROM memory WHERE batch = ? AND status = 'retired'"
    return int(reader.fetch(sql, batch)[0][0])


def count_by_batch(reader: Reader) -> dict[str, int]:
    """Number of memories that each batch retired."""
    sql = "SELECT batch, count(*) FROM memory WHERE batch IS NOT NULL GROUP BY batch"
    return {row[0]: int(row[1]) for row in reader.fetch(sql)}


def count_by_type(reader: Reader, user: str | None = None) -> dict[str, int]:
    """Number of memories of each type, in any status: of this user and shared ones, or of all."""
    if user is None:
        found = reader.fetch("SELECT type, count(*) FROM memory GROUP BY type")
    else:
        sql = f"SELECT type, count(*) FROM memory WHERE {OWN_OR_SHARED} GROUP BY type"
        found = reader.fetch(sql, user)
    return {row[0]: int(row[1]) for row in found}


def count_by_topic(reader: Reader, user: str | None = None) -> dict[str, int]:
    """Number of memories of each readable topic, in any status: of this user and shared ones, or of
    all."""
    sql = "SELECT topic, count(*) FROM memory WHERE topic IS NOT NULL"
    if user is None:
        found = reader.fetch(f"{sql} GROUP BY topic")
    else:
        found = reader.fetch(f"{sql} AND {OWN_OR_SHARED} GROUP BY topic", user)
    return {row[0]: int(row[1]) for row in found}


def count_words(reader: Reader, user: str | None) -> list[WordCount]:
    """Number of active memories of each type, topic and scope: of this user and shared ones, or of
    all."""
    groups = "GROUP BY type, topic, scope"
    if user is None:
        found = reader.fetch(f"{COUNT_WORDS} {groups}")
    else:
        found = reader.fetch(f"{COUNT_WORDS} AND {OWN_OR_SHARED} {groups}", user)
    return [WordCount(*row) for row in found]


# -- changes --------------------------------------------------------------------------------------


def set_status(writer: Writer, ids: Collection[str], status: str) -> None:
    """Changes the status of memories, and so their visibility to searches."""
    writer.update("memory", {"status": status}, f"id {AMONG} AND status <> ?", ids, status)


def mark(writer: Writer, id: str, reason: str) -> bool:
    """Marks an active memory without a mark as perhaps outdated; True when it was marked."""
    unmarked = "id = ? AND stale IS NULL AND status = 'active'"
    return writer.update("memory", {"stale": reason}, unmarked, id) > 0


def unmark(writer: Writer, id: str) -> bool:
    """Removes the mark of a memory; True when it had one."""
    return writer.update("memory", {"stale": None}, "id = ? AND stale IS NOT NULL", id) > 0


def remove_marks(writer: Writer, reasons: Collection[str]) -> None:
    """Removes the marks with these reasons."""
    writer.update("memory", {"stale": None}, f"stale IS NOT NULL AND stale {AMONG}", reasons)


def count_free(reader: Reader, ids: Collection[str]) -> int:
    """Number of these memories that ``retire`` would retire."""
    return int(reader.fetch(f"SELECT count(*) FROM memory WHERE {MAY_RETIRE}", ids)[0][0])


def retire(writer: Writer, ids: Collection[str], batch: str) -> int:
    """Retires those of the memories that are active, not pinned and not core, in a batch; returns
    how many."""
    return writer.update("memory", {"status": "retired", "batch": batch}, MAY_RETIRE, ids)
