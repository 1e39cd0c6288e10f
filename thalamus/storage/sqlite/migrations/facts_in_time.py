"""Facts in time: what was told apart from what holds, what was believed when, and entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.policy.entities import fold, key_of

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_FACTS_IN_TIME = (
    # `subject` is the name that is shown; how it was said, when that was otherwise
    "ALTER TABLE fact ADD COLUMN subject_said TEXT",
    "ALTER TABLE fact ADD COLUMN entity TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE fact ADD COLUMN value TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE fact ADD COLUMN stated_from TEXT",
    "ALTER TABLE fact ADD COLUMN stated_to TEXT",
    "CREATE INDEX fact_group ON fact (user, entity, predicate, value)",
    "CREATE INDEX fact_entity ON fact (entity)",
    # said again (mention, since), or ended (end), at a time
    """CREATE TABLE fact_note (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL,
        recorded_at TEXT NOT NULL, UNIQUE (fact, kind, at))""",
    # when a fact holds, as it was believed; of a row only believed_to is ever set. Times without
    # their Z: as text they then sort as times
    """CREATE TABLE fact_interval (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, valid_from TEXT NOT NULL, valid_to TEXT,
        believed_from TEXT NOT NULL, believed_to TEXT)""",
    "CREATE INDEX fact_interval_fact ON fact_interval (fact, believed_to)",
    # names that mean another one: by hand, or because the user is called so; kept apart by hand
    # when a name leads to itself
    """CREATE TABLE alias (
        owner TEXT NOT NULL, alias TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL,
        target_name TEXT NOT NULL, reason TEXT NOT NULL, recorded_at TEXT NOT NULL,
        PRIMARY KEY (owner, alias)) WITHOUT ROWID""",
    "CREATE TABLE predicate (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID",
)
# An end that was set because the next one began was not told: it follows from it again.
_FOLLOWED = """
    UPDATE fact SET stated_to = NULL WHERE valid_to IS NOT NULL AND (
        id IN (SELECT target FROM link WHERE relation = 'supersedes')
        OR EXISTS (SELECT 1 FROM fact AS next WHERE next.user IS fact.user
                   AND next.entity = fact.entity AND next.predicate = fact.predicate
                   AND next.id <> fact.id AND next.value <> fact.value
                   AND coalesce(next.valid_from, next.created_at) = fact.valid_to))"""
_BELIEFS = """
    INSERT INTO fact_interval (fact, valid_from, valid_to, believed_from, believed_to)
    SELECT key, rtrim(coalesce(valid_from, created_at), 'Z'), rtrim(valid_to, 'Z'),
           rtrim(recorded_at, 'Z'), rtrim(retired_at, 'Z') FROM fact ORDER BY key"""


def m_facts_in_time(db: Database) -> None:
    """What was told apart from what holds, so that news may come in any order; what was believed
    when, so that one can ask for it; and names that mean the same."""
    for statement in _FACTS_IN_TIME:
        db.execute(statement)
    found = db.execute("SELECT key, subject, object FROM fact").fetchall()
    db.conn.executemany(
        "UPDATE fact SET entity = ?, value = ?, stated_from = valid_from, stated_to = valid_to"
        " WHERE key = ?",
        [(key_of(subject), fold(object), key) for key, subject, object in found],
    )
    db.execute(_FOLLOWED)
    db.execute(_BELIEFS)
