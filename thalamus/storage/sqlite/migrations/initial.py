"""The ledger, turns, memories, facts, and what hangs on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_OWNER = "session TEXT, user TEXT, agent TEXT"

# one shape over everything that can be found
ENTRY_COLUMNS = (
    "key, id, kind, text, search_text, embed_text, type, topic, scope, created_at, session, user,"
    " agent, trust, expires_at, metadata, provenance, valid_from, valid_to, live"
)
MEMORY_ENTRY = """
    SELECT key, id,
           CASE WHEN type LIKE 'document%' THEN 'document' ELSE 'memory' END AS kind,
           content AS text, content AS search_text, content AS embed_text,
           type, topic, scope, created_at, session, user, agent,
           trust, expires_at, metadata, provenance,
           NULL AS valid_from, NULL AS valid_to, status = 'active' AS live
      FROM memory"""
FACT_ENTRY = """
    SELECT key, id, 'fact', subject || ' ' || replace(predicate, '_', ' ') || ' ' || object,
           subject || ' ' || replace(predicate, '_', ' ') || ' ' || object
               || coalesce(' ' || quote, ''),
           subject || ' ' || replace(predicate, '_', ' ') || ' ' || object,
           predicate, NULL, 'archival', created_at, session, user, agent,
           trust, NULL, metadata, provenance, valid_from, valid_to, retired_at IS NULL
      FROM fact"""
TURN_ENTRY = """
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
    f"CREATE VIEW entry AS {MEMORY_ENTRY} UNION ALL {FACT_ENTRY} UNION ALL {TURN_ENTRY}",
)


def m0001_initial(db: Database) -> None:
    """The ledger, turns, memories, facts, and what hangs on them."""
    for statement in _INITIAL:
        db.execute(statement)
