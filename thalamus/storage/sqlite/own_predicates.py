"""The user's own predicates, on top of the packaged ones."""

from __future__ import annotations

import sqlite3
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from thalamus.policy.predicates import Entry, Registry
from thalamus.predicates import packaged, packaged_entries
from thalamus.records import Predicate

if TYPE_CHECKING:
    from thalamus.storage.shapes import Change
    from thalamus.storage.sqlite.sealed import Boxes


def registry(db: sqlite3.Connection) -> Registry:
    """All predicates; the user's own count more."""
    return _together(tuple(own_entries(db)))


@lru_cache(maxsize=8)  # asked for with each fact
def _together(own: tuple[Entry, ...]) -> Registry:
    return Registry([*packaged_entries(), *own]) if own else packaged()


def own_entries(db: sqlite3.Connection) -> list[Entry]:
    found = db.execute("SELECT body FROM predicate ORDER BY name")
    return [msgspec.json.decode(row[0], type=Entry) for row in found]


def set_predicate(
    db: sqlite3.Connection, predicate: Predicate, now: str, boxes: Boxes | None
) -> list[Change]:
    """Sets one, renames the facts that have one of its spellings, and settles what it concerns."""
    from thalamus.storage.sqlite.telling import Group, group_of, settle_groups

    before = registry(db).opposite(predicate.name)
    save_predicate(db, predicate)
    known = registry(db)
    concerned = {predicate.name, predicate.opposite, before} - {None}
    for row in db.execute("SELECT DISTINCT predicate FROM fact").fetchall():
        if known.name(row[0]) != row[0]:
            concerned.add(known.name(row[0]))
            db.execute(
                "INSERT INTO removal (key) SELECT key FROM fact WHERE predicate = ?", (row[0],)
            )
            db.execute(
                "UPDATE fact SET predicate = ? WHERE predicate = ?", (known.name(row[0]), row[0])
            )
    groups: dict[Group, None] = {}
    for name in sorted(filter(None, concerned)):
        query = "SELECT * FROM fact WHERE predicate = ? AND retired_at IS NULL"
        for row in db.execute(query, (name,)).fetchall():
            groups[group_of(known, row)] = None
    return settle_groups(db, known, list(groups), now, boxes)


def save_predicate(db: sqlite3.Connection, predicate: Predicate) -> bool:
    """Writes the row alone; False when that very one is there."""
    entry = Entry(
        name=predicate.name,
        cardinality=predicate.cardinality,
        spellings=tuple(predicate.spellings),
        opposite=predicate.opposite,
        description=predicate.description,
        source="own",
    )
    if entry in own_entries(db):
        return False
    body = msgspec.json.encode(entry).decode()
    db.execute("INSERT OR REPLACE INTO predicate VALUES (?,?)", (entry.name, body))
    return True
