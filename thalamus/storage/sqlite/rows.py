"""Rows of the tables as records, and back."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from thalamus.records import Document, Event, Fact, Link, Memory, Plan, Provenance, Quarantine, Turn
from thalamus.storage.protocol import IndexedRow

if TYPE_CHECKING:
    from thalamus.storage.protocol import Filter


T = TypeVar("T")
AT_ONCE = 500  # values in one query: SQLite limits how many there may be


def in_parts(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """The values some at a time, for queries with ``IN``."""
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]


def placeholders(values: Sequence[object]) -> str:
    """``?,?,?``: one for each value."""
    return ",".join("?" * len(values))


def pack_json(value: Any) -> str:
    """Compact JSON with sorted keys: the same value always gives the same text."""
    if value == {}:  # most metadata
        return "{}"
    return str(_encoder().encode(value))


@functools.cache
def _encoder() -> Any:
    import json  # 2 ms that a reader need not pay

    return json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def pack_provenance(provenance: Provenance | None) -> str | None:
    """A provenance as JSON without its empty fields, or NULL when nothing is left."""
    if provenance is None:
        return None
    known = {k: v for k, v in msgspec.structs.asdict(provenance).items() if v is not None}
    return pack_json(known) if known else None


def provenance(text: str | None) -> Provenance | None:
    return msgspec.json.decode(text, type=Provenance) if text else None


def pack_quarantine(quarantine: Quarantine | None) -> str | None:
    return pack_json(msgspec.structs.asdict(quarantine)) if quarantine else None


def quarantine(text: str | None) -> Quarantine | None:
    return msgspec.json.decode(text, type=Quarantine) if text else None


# in the order of the fields of ``Entry``; the view has more, which cost time to make
ENTRY = "key,id,kind,text,type,topic,created_at,session,user,trust,metadata,provenance,suspicious"


def entry(row: sqlite3.Row) -> IndexedRow:
    """A row of the columns ``ENTRY``."""
    *plain, metadata, source, suspicious = row
    values: tuple[Any, ...] = (
        *plain,
        {} if metadata == "{}" else msgspec.json.decode(metadata),
        provenance(source),
        suspicious,
    )
    return IndexedRow(*values)


# columns of a memory's row that are not fields, or not as they stand
_NO_FIELDS = (
    "key metadata provenance identity_hash content_hash pinned recalled recalled_at quarantine"
    " released"
).split()


def memory(row: sqlite3.Row) -> Memory:
    plain = _without(row, *_NO_FIELDS)
    return Memory(
        **plain,
        pinned=bool(row["pinned"]),
        quarantine=quarantine(row["quarantine"]),
        released=bool(row["released"]),
        metadata=msgspec.json.decode(row["metadata"]),
        provenance=provenance(row["provenance"]),
    )


# what a fact shows; the rest is its history (``facts.with_history``)
_FACT = (
    "id subject predicate object valid_from valid_to recorded_at retired_at created_at "
    "session user agent quote trust sensitivity"
).split()


def fact(row: sqlite3.Row) -> Fact:
    plain = {name: row[name] for name in _FACT}
    return Fact(
        **plain,
        metadata=msgspec.json.decode(row["metadata"]),
        provenance=provenance(row["provenance"]),
    )


def turn(row: sqlite3.Row) -> Turn:
    plain = _without(row, "key", "metadata")
    return Turn(**plain, metadata=msgspec.json.decode(row["metadata"]))


def document(row: sqlite3.Row) -> Document:
    return msgspec.json.decode(row["body"], type=Document)


def plan(row: sqlite3.Row) -> Plan:
    return msgspec.json.decode(row["body"], type=Plan)


def event(row: sqlite3.Row) -> Event:
    return Event(**_without(row, "data", "mac"), data=msgspec.json.decode(row["data"]))


def _without(row: sqlite3.Row, *names: str) -> dict[str, Any]:
    return {name: row[name] for name in row.keys() if name not in names}  # noqa: SIM118


def links(db: sqlite3.Connection, id: str, relations: Sequence[str]) -> list[Link]:
    """The links from and to an id, of these relations or of all."""
    some = f"relation IN ({','.join('?' * len(relations))}) AND" if relations else ""
    query = (
        f"SELECT * FROM link WHERE {some} source = ?"
        f" UNION SELECT * FROM link WHERE {some} target = ? ORDER BY relation, source"
    )
    return [Link(**dict(row)) for row in db.execute(query, (*relations, id) * 2)]


# -- a filter as SQL -----------------------------------------------------------------------------


BEGINNING = "0001-01-01T00:00:00Z"  # of what has held for as long as is known


def sortable(at: str) -> str:
    """A time as it stands in ``fact_interval``: its order as text is its order in time."""
    return at.removesuffix("Z")


Condition = tuple[str, tuple[Any, ...]]
_VIEWS = {
    "memory": "memory_entry",
    "document": "memory_entry",
    "fact": "fact_entry",
    "turn": "turn_entry",
}


def views(where: Filter) -> list[str]:
    """The views that hold what a filter can let through: the others need not be read."""
    return list(dict.fromkeys(_VIEWS[kind] for kind in where.kinds or _VIEWS))


def condition(where: Filter) -> Condition:
    """The SQL condition over the ``entry`` view that a filter means, with its values."""
    parts = [("live", ()), *_choices(where), *_owners(where), *_times(where)]
    sql = " AND ".join(part for part, _ in parts)
    return sql, tuple(value for _, values in parts for value in values)


def _choices(where: Filter) -> list[Condition]:
    parts: list[Condition] = []
    for column, chosen in (("kind", where.kinds), ("type", where.types)):
        if chosen:
            parts.append((f"{column} IN ({','.join('?' * len(chosen))})", tuple(chosen)))
    if where.ids:
        parts.append((f"id IN ({placeholders(where.ids)})", where.ids))
    if where.exclude:
        parts.append((f"id NOT IN ({','.join('?' * len(where.exclude))})", where.exclude))
    if where.topic:
        parts.append(("topic = ? COLLATE NOCASE", (where.topic,)))
    for column, value in (("scope", where.scope), ("session", where.session)):
        if value:
            parts.append((f"{column} = ?", (value,)))
    return parts


def _owners(where: Filter) -> list[Condition]:
    owners = (("user", where.user), ("agent", where.agent))
    return [(f"({c} = ? OR {c} IS NULL)", (value,)) for c, value in owners if value]


def _times(where: Filter) -> list[Condition]:
    parts: list[Condition] = []
    if where.since:
        parts.append(("created_at >= ?", (where.since,)))
    if where.until:
        parts.append(("created_at < ?", (where.until,)))
    if where.now:
        parts.append(("(expires_at IS NULL OR expires_at > ?)", (where.now,)))
    if where.as_of:
        parts.append(
            (
                "CASE WHEN kind = 'fact' THEN EXISTS (SELECT 1 FROM fact_interval AS i"
                " WHERE i.fact = key AND i.believed_to IS NULL AND i.valid_from <= ?"
                " AND (i.valid_to IS NULL OR i.valid_to > ?)) ELSE created_at <= ? END",
                (*[sortable(where.as_of)] * 2, where.as_of),
            )
        )
    elif where.now:
        parts.append(("(valid_to IS NULL OR valid_to > ?)", (where.now,)))
    return parts
