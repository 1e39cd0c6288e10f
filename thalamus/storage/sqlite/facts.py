"""Reading facts: what holds, what held, what was believed, and everything that was told."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.policy.entities import fold
from thalamus.policy.timeline import BEGINNING, moment
from thalamus.records import Belief, Fact, Note
from thalamus.storage.sqlite import entities, rows
from thalamus.storage.sqlite.entries import condition

if TYPE_CHECKING:
    from thalamus.storage.shapes import Filter

_ORDER = " ORDER BY subject COLLATE NOCASE, predicate, coalesce(fact.valid_from, created_at), key"


def facts(db: sqlite3.Connection, where: Filter, subject: str | None, history: bool) -> list[Fact]:
    """The facts that hold at a time, or all; each with the interval that holds it then."""
    at, known = where.as_of or where.known_at or (None if history else where.now), where.known_at
    timeless = structs.replace(where, as_of=None, now=None, known_at=None)
    sql, values = condition(timeless)
    if history or known:
        sql = sql.replace("live", "1", 1)
    if subject is not None:
        sql += " AND key IN (SELECT key FROM fact WHERE entity = ?)"
        values = (*values, _subject_key(db, where.user, subject))
    held, times = ("", ()) if at is None else _held(at, known)
    query = (
        f"SELECT fact.* {', i.valid_from AS held_from, i.valid_to AS held_to' if held else ''}"
        f" FROM fact {held} WHERE key IN (SELECT key FROM fact_entry WHERE {sql})"
    )
    found = db.execute(query + _ORDER, (*times, *values)).fetchall()
    return [_held_fact(row) if held else rows.fact(row) for row in found]


def _held(at: str, known: str | None) -> tuple[str, tuple[Any, ...]]:
    sql, values = believed_at(at, known)
    return f"JOIN fact_interval AS i ON i.fact = fact.key AND {sql}", values


def believed_at(at: str, known: str | None) -> tuple[str, tuple[Any, ...]]:
    """The condition on rows ``i`` of ``fact_interval``: they hold at a time, as is believed now
    or was believed when ``known``."""
    sql = "i.valid_from <= ? AND (i.valid_to IS NULL OR i.valid_to > ?)"
    values = [moment(at)] * 2
    if known is None:
        return f"i.believed_to IS NULL AND {sql}", tuple(values)
    sql += " AND i.believed_from <= ? AND (i.believed_to IS NULL OR i.believed_to > ?)"
    return sql, (*values, *[moment(known)] * 2)


def _held_fact(row: sqlite3.Row) -> Fact:
    fact = rows.fact(row)
    begin, end = f"{row['held_from']}Z", row["held_to"] and f"{row['held_to']}Z"
    unsaid = row["stated_from"] is None and begin in (BEGINNING, fact.created_at)
    fact.valid_from, fact.valid_to = None if unsaid else begin, end
    if fact.retired_at is not None:
        fact.retired_at = None  # it is shown as it was believed
    return fact


def _subject_key(db: sqlite3.Connection, owner: str | None, subject: str) -> str:
    key, _ = entities.entity(db, owner, subject)
    if key == fold(subject) and owner is None:  # the name of a user, whoever it is
        row = db.execute(
            "SELECT target FROM alias WHERE alias = ? AND NOT EXISTS"
            " (SELECT 1 FROM fact WHERE entity = ?) LIMIT 1",
            (key, key),
        ).fetchone()
        return row[0] if row else key
    return key


def with_history(db: sqlite3.Connection, fact: Fact) -> Fact:
    """The fact with everything that was told of it and believed about it."""
    query = "SELECT key, subject_said, stated_from, stated_to FROM fact WHERE id = ?"
    row = db.execute(query, (fact.id,)).fetchone()
    if row is None:
        return fact
    notes = db.execute(
        "SELECT kind, at, recorded_at FROM fact_note WHERE fact = ? ORDER BY n", (row["key"],)
    )
    beliefs = db.execute(
        "SELECT valid_from, valid_to, believed_from, believed_to FROM fact_interval"
        " WHERE fact = ? ORDER BY n",
        (row["key"],),
    )
    made = structs.replace(
        fact,
        stated_from=row["stated_from"],
        stated_to=row["stated_to"],
        notes=[Note(**dict(note)) for note in notes],
        beliefs=[
            Belief(**{name: at and f"{at}Z" for name, at in dict(belief).items()})
            for belief in beliefs
        ],
    )
    if row["subject_said"] is not None:
        made.subject_said = row["subject_said"]
    return made
