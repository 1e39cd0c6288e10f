"""The tables, as a list of migrations that only grows.

``SCHEMA_VERSION`` is the number of migrations and is kept in SQLite's ``user_version``, so that
opening a store that is up to date costs one pragma and no import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

    from sqlite_utils.db import Database

SCHEMA_VERSION = 2


def migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables up to date. Each migration is one transaction; the caller then sets
    ``user_version``."""
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    migrations = Migrations("thalamus")
    for migration in (m0001_initial, m0002_counted_spaces):
        migrations(name=migration.__name__)(migration)
    # sqlite-utils wants to begin and end the transactions itself
    level, connection.isolation_level = connection.isolation_level, "DEFERRED"
    try:
        migrations.apply(Database(connection, use_counts_table=False))
    finally:
        connection.isolation_level = level


def m0001_initial(db: Database) -> None:
    """The ledger, turns, memories, facts, and what hangs on them."""
    for statement in _INITIAL:
        db.execute(statement)


def m0002_counted_spaces(db: Database) -> None:
    """How many embeddings each model has, and the newest of them, are asked at every write and
    every search; owners and sessions by filters. None may take longer in a larger store."""
    for statement in _COUNTED_SPACES:
        db.execute(statement)


_OWNER = "session TEXT, user TEXT, agent TEXT"

# one shape over everything that can be found
_ENTRY_COLUMNS = (
    "key, id, kind, text, search_text, embed_text, type, topic, scope, created_at, session, user,"
    " agent, trust, expires_at, metadata, provenance, valid_from, valid_to, live"
)
_MEMORY_ENTRY = """
    SELECT key, id,
           CASE WHEN type LIKE 'document%' THEN 'document' ELSE 'memory' END AS kind,
           content AS text, content AS search_text, content AS embed_text,
           type, topic, scope, created_at, session, user, agent,
           trust, expires_at, metadata, provenance,
           NULL AS valid_from, NULL AS valid_to, status = 'active' AS live
      FROM memory"""
_FACT_ENTRY = """
    SELECT key, id, 'fact', subject || ' ' || replace(predicate, '_', ' ') || ' ' || object,
           subject || ' ' || replace(predicate, '_', ' ') || ' ' || object
               || coalesce(' ' || quote, ''),
           subject || ' ' || replace(predicate, '_', ' ') || ' ' || object,
           predicate, NULL, 'archival', created_at, session, user, agent,
           trust, NULL, metadata, provenance, valid_from, valid_to, retired_at IS NULL
      FROM fact"""
_TURN_ENTRY = """
    SELECT key, id, 'turn',
           'User: ' || message || coalesce(char(10) || 'Assistant: ' || answer, ''),
           message || coalesce(char(10) || answer, ''), message,
           'turn', NULL, 'episodic', created_at, session, user, agent,
           1.0, NULL, metadata, NULL, NULL, NULL, 1
      FROM turn"""

_INITIAL = (
    # store-wide values: store id, epoch, tenant, and the counter that keys are drawn from
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    f"""CREATE TABLE turn (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL, answer TEXT,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, {_OWNER},
        metadata TEXT NOT NULL DEFAULT '{{}}')""",
    "CREATE INDEX turn_session ON turn (session, key)",
    f"""CREATE TABLE memory (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, topic TEXT,
        content TEXT NOT NULL, importance TEXT NOT NULL, scope TEXT NOT NULL,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, {_OWNER},
        trust REAL NOT NULL, status TEXT NOT NULL, sensitivity TEXT NOT NULL, expires_at TEXT,
        metadata TEXT NOT NULL DEFAULT '{{}}', provenance TEXT,
        said BLOB NOT NULL, content_hash BLOB NOT NULL)""",
    "CREATE INDEX memory_said ON memory (said)",
    "CREATE INDEX memory_content ON memory (content_hash)",
    "CREATE INDEX memory_time ON memory (created_at)",
    "CREATE INDEX memory_core ON memory (scope) WHERE scope = 'core'",
    f"""CREATE TABLE fact (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL,
        valid_from TEXT, valid_to TEXT, recorded_at TEXT NOT NULL, retired_at TEXT,
        created_at TEXT NOT NULL, {_OWNER},
        quote TEXT, trust REAL NOT NULL, metadata TEXT NOT NULL DEFAULT '{{}}', provenance TEXT)""",
    "CREATE INDEX fact_subject ON fact (subject COLLATE NOCASE, predicate)",
    """CREATE TABLE document (
        id TEXT PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, recorded_at TEXT NOT NULL,
        body TEXT NOT NULL)""",
    """CREATE TABLE plan (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
        turn TEXT, created_at TEXT NOT NULL, body TEXT NOT NULL)""",
    "CREATE INDEX plan_session ON plan (session, key)",
    """CREATE TABLE link (
        source TEXT NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL,
        PRIMARY KEY (source, relation, target)) WITHOUT ROWID""",
    "CREATE INDEX link_target ON link (target)",
    "CREATE TABLE space (id INTEGER PRIMARY KEY, model TEXT NOT NULL UNIQUE, dimension INTEGER)",
    # n grows with every embedding, also of old entries: the vector index's watermark
    """CREATE TABLE embedding (
        n INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, key INTEGER NOT NULL,
        vector BLOB NOT NULL, UNIQUE (space, key))""",
    # keys of deleted entries, for the indexes to follow
    "CREATE TABLE removal (n INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL)",
    """CREATE TABLE event (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, name TEXT NOT NULL,
        turn TEXT, session TEXT, data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL)""",
    "CREATE INDEX event_turn ON event (turn) WHERE turn IS NOT NULL",
    f"CREATE VIEW entry AS {_MEMORY_ENTRY} UNION ALL {_FACT_ENTRY} UNION ALL {_TURN_ENTRY}",
)

COUNT_SPACES = (
    "UPDATE space SET count = (SELECT count(*) FROM embedding WHERE space = space.id),"
    " last = (SELECT coalesce(max(n), 0) FROM embedding WHERE space = space.id)"
)

_COUNTED_SPACES = (
    "ALTER TABLE space ADD COLUMN count INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE space ADD COLUMN last INTEGER NOT NULL DEFAULT 0",
    COUNT_SPACES,
    """CREATE TRIGGER embedding_added AFTER INSERT ON embedding BEGIN
        UPDATE space SET count = count + 1, last = NEW.n WHERE id = NEW.space; END""",
    """CREATE TRIGGER embedding_removed AFTER DELETE ON embedding BEGIN
        UPDATE space SET count = count - 1 WHERE id = OLD.space; END""",
    # the shape of one kind: SQLite cannot tell that a kind is in one table only
    f"CREATE VIEW memory_entry AS {_MEMORY_ENTRY}",
    f"CREATE VIEW fact_entry ({_ENTRY_COLUMNS}) AS {_FACT_ENTRY}",
    f"CREATE VIEW turn_entry ({_ENTRY_COLUMNS}) AS {_TURN_ENTRY}",
    "CREATE INDEX memory_session ON memory (session)",
    "CREATE INDEX memory_user ON memory (user)",
    "CREATE INDEX turn_user ON turn (user)",
)
