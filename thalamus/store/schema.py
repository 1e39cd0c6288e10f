"""Table definitions of a store, in SQL that a driver translates where its database differs:
``WITHOUT ROWID`` is SQLite's, and so is the meaning of ``REAL`` and ``INTEGER``: eight bytes
each."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any, Protocol

from thalamus.records.kinds import numbered
from thalamus.store import entries


class Executor(Protocol):
    """Runs statements in the transaction of a migration, and returns cursors. ``tenants``: the
    rows are those of several, told apart by a column ``tenant``."""

    tenants: bool

    def execute(self, statement: str, /) -> Any: ...

    def drop_unique(self, table: str, column: str) -> None:
        """Lets a column of a table have the same value in several rows."""
        ...


_SOURCE = re.compile(r"\b(FROM|JOIN) (\w+)(?: AS (\w+))?")
_TABLE = re.compile(r"CREATE TABLE (\w+) \(")

_OWNER = 'session TEXT, "user" TEXT, agent TEXT'
_RECORDS = (
    # store-wide values: store id, epoch, tenant, and the counters that keys and numbers are taken
    # from, so that none is used twice
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
    f"""CREATE TABLE turn (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL, answer TEXT,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, {_OWNER},
        metadata TEXT NOT NULL DEFAULT '{{}}', interrupted TEXT, ref TEXT)""",
    f"""CREATE TABLE memory (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, topic TEXT,
        content TEXT NOT NULL, importance TEXT NOT NULL, scope TEXT NOT NULL,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, {_OWNER},
        trust REAL NOT NULL, status TEXT NOT NULL, sensitivity TEXT NOT NULL, expires_at TEXT,
        pinned INTEGER NOT NULL DEFAULT 0, batch TEXT,
        salience REAL, strength REAL NOT NULL DEFAULT 1, seen INTEGER NOT NULL DEFAULT 1,
        seen_at TEXT, stale TEXT, quarantine TEXT, suspicious TEXT,
        released INTEGER NOT NULL DEFAULT 0,
        metadata TEXT NOT NULL DEFAULT '{{}}', provenance TEXT,
        identity_hash BLOB NOT NULL, content_hash BLOB NOT NULL)""",
    # `subject` is the displayed name; `subject_said` the original one, if different
    f"""CREATE TABLE fact (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL,
        subject_said TEXT, entity TEXT NOT NULL, value TEXT NOT NULL,
        valid_from TEXT, valid_to TEXT, stated_from TEXT, stated_to TEXT,
        recorded_at TEXT NOT NULL, retired_at TEXT, created_at TEXT NOT NULL, {_OWNER},
        quote TEXT, trust REAL NOT NULL, sensitivity TEXT NOT NULL DEFAULT 'normal',
        metadata TEXT NOT NULL DEFAULT '{{}}', provenance TEXT)""",
    # repeated (mention, since), or ended (end), at a time
    """CREATE TABLE fact_note (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL,
        recorded_at TEXT NOT NULL, UNIQUE (fact, kind, at))""",
    # period in which a fact holds, as believed; only believed_to is ever updated. Times have
    # no Z, so that as text they sort chronologically
    """CREATE TABLE fact_interval (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, valid_from TEXT NOT NULL, valid_to TEXT,
        believed_from TEXT NOT NULL, believed_to TEXT)""",
    # aliases: merged by hand, or a name of the user; an alias for itself was separated
    # by hand
    """CREATE TABLE alias (
        owner TEXT NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL,
        target_folded TEXT NOT NULL, reason TEXT NOT NULL, "user" TEXT, recorded_at TEXT NOT NULL,
        PRIMARY KEY (owner, folded)) WITHOUT ROWID""",
    "CREATE TABLE predicate (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE document (
        id TEXT PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, recorded_at TEXT NOT NULL,
        body TEXT NOT NULL)""",
    f"""CREATE TABLE project (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, description TEXT,
        repo_url TEXT, status TEXT NOT NULL, created_at TEXT NOT NULL, recorded_at TEXT NOT NULL,
        closed_at TEXT, {_OWNER}, sensitivity TEXT NOT NULL DEFAULT 'normal', tags TEXT NOT NULL,
        provenance TEXT)""",
    f"""CREATE TABLE insight (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL,
        concepts TEXT NOT NULL, sources TEXT NOT NULL, strength REAL NOT NULL DEFAULT 1,
        status TEXT NOT NULL, level INTEGER NOT NULL DEFAULT 1, merged_into TEXT,
        trust REAL NOT NULL, created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, {_OWNER},
        sensitivity TEXT NOT NULL DEFAULT 'normal', batch TEXT, quarantine TEXT)""",
    # a plan belongs to a session and its user: it was made after that turn
    """CREATE TABLE plan (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, "user" TEXT,
        turn TEXT, created_at TEXT NOT NULL, body TEXT NOT NULL)""",
    # titles that users gave to sessions; the session itself consists of its turns
    """CREATE TABLE session_title (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
        title TEXT NOT NULL, "user" TEXT, at TEXT NOT NULL,
        sensitivity TEXT NOT NULL DEFAULT 'normal')""",
    # one world state for each owner ('' for shared), and the history of its changes
    """CREATE TABLE world (
        owner TEXT PRIMARY KEY, "user" TEXT, project TEXT, timezone TEXT, updated_at TEXT NOT NULL,
        topics TEXT NOT NULL, topic_weights TEXT NOT NULL, goals TEXT NOT NULL,
        entities TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE world_change (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, "user" TEXT, turn TEXT,
        batch TEXT, undone_at TEXT, operations TEXT NOT NULL, before TEXT, after TEXT)""",
    # inputs and outputs of a turn's stages, kept for some time; turn NULL: of a question
    f"""CREATE TABLE stage_log (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, turn TEXT, stage TEXT NOT NULL,
        at TEXT NOT NULL, {_OWNER}, model TEXT, reply TEXT, ms INTEGER NOT NULL,
        sensitivity TEXT NOT NULL DEFAULT 'normal', messages TEXT NOT NULL, calls TEXT NOT NULL,
        given TEXT NOT NULL, gave TEXT NOT NULL)""",
    """CREATE TABLE exported_file (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, path TEXT NOT NULL,
        format TEXT NOT NULL, rows INTEGER NOT NULL, holds TEXT NOT NULL)""",
    """CREATE TABLE link (
        source TEXT NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL,
        PRIMARY KEY (source, relation, target)) WITHOUT ROWID""",
)
_OPERATION = (
    # the ledger; salt and body: see `ledger`
    """CREATE TABLE event (
        seq INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL,
        turn TEXT, session TEXT, data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL,
        salt TEXT, body TEXT, mac BLOB)""",
    """CREATE TABLE batch (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
        action TEXT NOT NULL, undone_at TEXT, purged_at TEXT)""",
    # before: the fields to restore, as JSON; NULL for a memory that the batch created
    """CREATE TABLE batch_item (
        batch TEXT NOT NULL, id TEXT NOT NULL, before TEXT,
        PRIMARY KEY (batch, id)) WITHOUT ROWID""",
    # kind: finish, with the remaining stages of the turn's flow, or crystallize. A row stays when
    # its job is done, so that nothing is done twice, and is deleted with its turn
    """CREATE TABLE job (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
        stages TEXT, turn TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
        created_at TEXT NOT NULL, taken_at TEXT, taken_by TEXT, tries INTEGER NOT NULL DEFAULT 0,
        error TEXT)""",
    # count and last (the newest embedding) are read at every write and every search
    """CREATE TABLE space (
        id INTEGER PRIMARY KEY, model TEXT NOT NULL UNIQUE, dimension INTEGER,
        count INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0)""",
    # n grows with every embedding, also of old entries: the vector index's watermark. sentences:
    # vectors of a text's sentences (`text.sentence_vectors`), last because they may be long
    """CREATE TABLE embedding (
        n INTEGER PRIMARY KEY, space INTEGER NOT NULL, key INTEGER NOT NULL,
        vector BLOB NOT NULL, mac BLOB, sentences BLOB, UNIQUE (space, key))""",
    # concepts of entries, computed from them (`memory.concepts`): name is displayed, folded
    # is compared, owner is '' for shared ones; about: entries and their concepts
    """CREATE TABLE concept (
        n INTEGER PRIMARY KEY, owner TEXT NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL,
        kind TEXT NOT NULL, UNIQUE (owner, folded))""",
    """CREATE TABLE about (
        key INTEGER NOT NULL, concept INTEGER NOT NULL,
        PRIMARY KEY (key, concept)) WITHOUT ROWID""",
    # keys of deleted and changed entries, for index sync
    "CREATE TABLE removal (n INTEGER PRIMARY KEY, key INTEGER NOT NULL)",
    # one row for each version of each row: an append-only chain. ref is the row's key,
    # or derived from its tag where it has none; name is the row's primary key and id as JSON,
    # and may be blanked after the row was deleted; digest is NULL for a deletion
    """CREATE TABLE signature (
        n INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref INTEGER NOT NULL, name TEXT,
        tag BLOB NOT NULL, digest BLOB, chain BLOB NOT NULL)""",
    # contents of personal rows, which are empty in their own tables; subject names the key
    """CREATE TABLE encrypted (
        kind TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, ciphertext BLOB NOT NULL,
        PRIMARY KEY (kind, id)) WITHOUT ROWID""",
)
_INDEXES = (
    "CREATE INDEX turn_session ON turn (session, key)",
    # covers the counting of sessions: no turn is read for that
    'CREATE INDEX turn_count ON turn (session, "user", created_at)',
    "CREATE INDEX turn_time ON turn (created_at)",
    'CREATE INDEX turn_user ON turn ("user")',
    "CREATE INDEX memory_identity ON memory (identity_hash)",
    "CREATE INDEX memory_content ON memory (content_hash)",
    "CREATE INDEX memory_time ON memory (created_at)",
    "CREATE INDEX memory_core ON memory (scope) WHERE scope = 'core'",
    "CREATE INDEX memory_session ON memory (session)",
    'CREATE INDEX memory_user ON memory ("user")',
    "CREATE INDEX memory_batch ON memory (batch) WHERE batch IS NOT NULL",
    "CREATE INDEX memory_type ON memory (type, key)",
    # few rows match, and both are looked up at every search or write
    "CREATE INDEX memory_stale ON memory (key) WHERE stale IS NOT NULL",
    "CREATE INDEX memory_inactive ON memory (status, expires_at) WHERE status <> 'active'",
    "CREATE INDEX fact_subject ON fact (lower(subject), predicate)",
    'CREATE INDEX fact_group ON fact ("user", entity, predicate, value)',
    "CREATE INDEX fact_entity ON fact (entity)",
    "CREATE INDEX fact_time ON fact (created_at)",
    "CREATE INDEX fact_interval_fact ON fact_interval (fact, believed_to)",
    'CREATE INDEX world_change_user ON world_change ("user", key)',
    "CREATE INDEX world_change_turn ON world_change (turn) WHERE turn IS NOT NULL",
    "CREATE INDEX world_change_batch ON world_change (batch) WHERE batch IS NOT NULL",
    "CREATE INDEX insight_merged ON insight (merged_into) WHERE merged_into IS NOT NULL",
    "CREATE INDEX insight_status ON insight (status, key)",
    "CREATE INDEX about_concept ON about (concept, key)",
    'CREATE INDEX plan_session ON plan (session, "user", key)',
    "CREATE INDEX stage_log_turn ON stage_log (turn) WHERE turn IS NOT NULL",
    "CREATE INDEX stage_log_at ON stage_log (at)",
    "CREATE INDEX link_target ON link (target)",
    "CREATE INDEX event_turn ON event (turn) WHERE turn IS NOT NULL",
    "CREATE INDEX job_turn ON job (turn)",
    # jobs are looked up after every turn, and finished ones stay
    "CREATE INDEX job_state ON job (kind, state, n)",
    "CREATE INDEX signature_ref ON signature (ref)",
)


# one migration for each later change
MEMORY_VALIDITY = (
    "ALTER TABLE memory ADD COLUMN valid_from TEXT",
    "ALTER TABLE memory ADD COLUMN valid_to TEXT",
)
OWNER_INDEXES = (
    "DROP INDEX turn_user",
    "DROP INDEX memory_user",
    *(
        f'CREATE INDEX {table}_owner ON {table} ("user", agent, created_at)'
        for table in ("turn", "memory", "fact")
    ),
    # of timelines: what began and what ended
    "CREATE INDEX fact_interval_begin ON fact_interval (valid_from) WHERE believed_to IS NULL",
    "CREATE INDEX fact_interval_end ON fact_interval (valid_to)"
    " WHERE believed_to IS NULL AND valid_to IS NOT NULL",
)
# Hashes fall on pages anywhere, so that storing many memories wrote most pages of an index again in
# each transaction. Equal memories have equal contents: one index serves for both
MEMORY_HASHES = (
    "DROP INDEX memory_identity",
    "DROP INDEX memory_content",
    "CREATE INDEX memory_hashes ON memory (content_hash, identity_hash)",
)
# Programs that read the schema's version only when they open the store write values without the
# mark, and are refused in these words. SQLite adds such a column to an empty table only
MARKED_VALUES = (
    "CREATE TEMP TABLE former AS SELECT * FROM meta",
    "DELETE FROM meta",
    "ALTER TABLE meta ADD COLUMN checked INTEGER CONSTRAINT"
    ' "a newer Thalamus migrated the store: restart this program" CHECK (checked IS NOT NULL)',
    "INSERT INTO meta SELECT *, 1 FROM former",
    "DROP TABLE former",
)
OWNERS = (
    *(
        f"ALTER TABLE {table} ADD COLUMN {column} TEXT"
        for table in ("document", "event", "batch", "exported_file")
        for column in ('"user"', "agent")
    ),
    "CREATE INDEX document_sha256 ON document (sha256)",
)
DISCOVERY_SOURCES = (
    """CREATE TABLE discovery_source (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, uri TEXT NOT NULL, type TEXT NOT NULL,
        added_by TEXT NOT NULL, status TEXT NOT NULL, title TEXT, score REAL NOT NULL,
        uses INTEGER NOT NULL, mentions INTEGER NOT NULL, looked_for TEXT NOT NULL,
        last_crawled TEXT, not_before TEXT, etag TEXT, last_modified TEXT, error TEXT,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, "user" TEXT, agent TEXT,
        sensitivity TEXT NOT NULL DEFAULT 'normal', provenance TEXT)""",
)


def table_names() -> list[str]:
    """The tables of every store."""
    all_tables = (*_RECORDS, *_OPERATION, *DISCOVERY_SOURCES)
    return [found[1] for one in all_tables if (found := _TABLE.match(one))]


def of_table(name: str) -> Iterator[str]:
    """Statements of the first version that create a table, and then its indexes."""
    yield from (one for one in (*_RECORDS, *_OPERATION) if one.startswith(f"CREATE TABLE {name} ("))
    yield from (one for one in _INDEXES if f" ON {name} (" in one)


def statements() -> Iterator[str]:
    """Statements that create the tables, indexes and views of the first version."""
    yield from (*_RECORDS, *_OPERATION, *_INDEXES)
    yield from entries.definitions()


@functools.lru_cache(maxsize=1024)
def scoped(sql: str, tenant: str) -> str:
    """A statement that reads the rows of one tenant only, in a database that several share.
    ``tenant``: in SQL."""
    names = {*table_names(), *(f"{kind.name}_entry" for kind in numbered()), "entry"}

    def rows(found: re.Match[str]) -> str:
        word, table, alias = found.groups()
        if table not in names:
            return found[0]
        return f"{word} (SELECT * FROM {table} WHERE tenant = {tenant}) AS {alias or table}"

    return _SOURCE.sub(rows, sql)
