-- What the migrations make of an empty file. Written by `just schemas`; do not edit.

CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);

CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT, checked INTEGER CONSTRAINT "a newer Thalamus migrated the store: restart this program" CHECK (checked IS NOT NULL)) WITHOUT ROWID;

CREATE TABLE turn (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL, answer TEXT,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
        metadata TEXT NOT NULL DEFAULT '{}', interrupted TEXT, ref TEXT);

CREATE TABLE memory (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, topic TEXT,
        content TEXT NOT NULL, importance TEXT NOT NULL, scope TEXT NOT NULL,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
        trust REAL NOT NULL, status TEXT NOT NULL, sensitivity TEXT NOT NULL, expires_at TEXT,
        pinned INTEGER NOT NULL DEFAULT 0, batch TEXT,
        salience REAL, strength REAL NOT NULL DEFAULT 1, seen INTEGER NOT NULL DEFAULT 1,
        seen_at TEXT, stale TEXT, quarantine TEXT, suspicious TEXT,
        released INTEGER NOT NULL DEFAULT 0,
        metadata TEXT NOT NULL DEFAULT '{}', provenance TEXT,
        identity_hash BLOB NOT NULL, content_hash BLOB NOT NULL, valid_from TEXT, valid_to TEXT);

CREATE TABLE fact (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL,
        subject_said TEXT, entity TEXT NOT NULL, value TEXT NOT NULL,
        valid_from TEXT, valid_to TEXT, stated_from TEXT, stated_to TEXT,
        recorded_at TEXT NOT NULL, retired_at TEXT, created_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
        quote TEXT, trust REAL NOT NULL, sensitivity TEXT NOT NULL DEFAULT 'normal',
        metadata TEXT NOT NULL DEFAULT '{}', provenance TEXT);

CREATE TABLE fact_note (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL,
        recorded_at TEXT NOT NULL, UNIQUE (fact, kind, at));

CREATE TABLE fact_interval (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, valid_from TEXT NOT NULL, valid_to TEXT,
        believed_from TEXT NOT NULL, believed_to TEXT);

CREATE TABLE alias (
        owner TEXT NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL,
        target_folded TEXT NOT NULL, reason TEXT NOT NULL, "user" TEXT, recorded_at TEXT NOT NULL,
        PRIMARY KEY (owner, folded)) WITHOUT ROWID;

CREATE TABLE predicate (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE project (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, description TEXT,
        repo_url TEXT, status TEXT NOT NULL, created_at TEXT NOT NULL, recorded_at TEXT NOT NULL,
        closed_at TEXT, session TEXT, "user" TEXT, agent TEXT, sensitivity TEXT NOT NULL DEFAULT 'normal', tags TEXT NOT NULL,
        provenance TEXT);

CREATE TABLE insight (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL,
        concepts TEXT NOT NULL, sources TEXT NOT NULL, strength REAL NOT NULL DEFAULT 1,
        status TEXT NOT NULL, level INTEGER NOT NULL DEFAULT 1, merged_into TEXT,
        trust REAL NOT NULL, created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
        sensitivity TEXT NOT NULL DEFAULT 'normal', batch TEXT, quarantine TEXT);

CREATE TABLE plan (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, "user" TEXT,
        turn TEXT, created_at TEXT NOT NULL, body TEXT NOT NULL);

CREATE TABLE session_title (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
        title TEXT NOT NULL, "user" TEXT, at TEXT NOT NULL,
        sensitivity TEXT NOT NULL DEFAULT 'normal');

CREATE TABLE world (
        owner TEXT PRIMARY KEY, "user" TEXT, project TEXT, timezone TEXT, updated_at TEXT NOT NULL,
        topics TEXT NOT NULL, topic_weights TEXT NOT NULL, goals TEXT NOT NULL,
        entities TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE world_change (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, "user" TEXT, turn TEXT,
        batch TEXT, undone_at TEXT, operations TEXT NOT NULL, before TEXT, after TEXT);

CREATE TABLE stage_log (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, turn TEXT, stage TEXT NOT NULL,
        at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT, model TEXT, reply TEXT, ms INTEGER NOT NULL,
        sensitivity TEXT NOT NULL DEFAULT 'normal', messages TEXT NOT NULL, calls TEXT NOT NULL,
        given TEXT NOT NULL, gave TEXT NOT NULL);

CREATE TABLE exported_file (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, path TEXT NOT NULL,
        format TEXT NOT NULL, rows INTEGER NOT NULL, holds TEXT NOT NULL, "user" TEXT, agent TEXT);

CREATE TABLE link (
        source TEXT NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL,
        PRIMARY KEY (source, relation, target)) WITHOUT ROWID;

CREATE TABLE event (
        seq INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL,
        turn TEXT, session TEXT, data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL,
        salt TEXT, body TEXT, mac BLOB, "user" TEXT, agent TEXT);

CREATE TABLE batch (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
        action TEXT NOT NULL, undone_at TEXT, purged_at TEXT, "user" TEXT, agent TEXT);

CREATE TABLE batch_item (
        batch TEXT NOT NULL, id TEXT NOT NULL, before TEXT,
        PRIMARY KEY (batch, id)) WITHOUT ROWID;

CREATE TABLE job (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
        stages TEXT, turn TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
        created_at TEXT NOT NULL, taken_at TEXT, taken_by TEXT, tries INTEGER NOT NULL DEFAULT 0,
        error TEXT);

CREATE TABLE space (
        id INTEGER PRIMARY KEY, model TEXT NOT NULL UNIQUE, dimension INTEGER,
        count INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0);

CREATE TABLE embedding (
        n INTEGER PRIMARY KEY, space INTEGER NOT NULL, key INTEGER NOT NULL,
        vector BLOB NOT NULL, mac BLOB, sentences BLOB, UNIQUE (space, key));

CREATE TABLE concept (
        n INTEGER PRIMARY KEY, owner TEXT NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL,
        kind TEXT NOT NULL, UNIQUE (owner, folded));

CREATE TABLE about (
        key INTEGER NOT NULL, concept INTEGER NOT NULL,
        PRIMARY KEY (key, concept)) WITHOUT ROWID;

CREATE TABLE removal (n INTEGER PRIMARY KEY, key INTEGER NOT NULL);

CREATE TABLE signature (
        n INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref INTEGER NOT NULL, name TEXT,
        tag BLOB NOT NULL, digest BLOB, chain BLOB NOT NULL);

CREATE TABLE encrypted (
        kind TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, ciphertext BLOB NOT NULL,
        PRIMARY KEY (kind, id)) WITHOUT ROWID;

CREATE INDEX turn_session ON turn (session, key);

CREATE INDEX turn_count ON turn (session, "user", created_at);

CREATE INDEX turn_time ON turn (created_at);

CREATE INDEX memory_time ON memory (created_at);

CREATE INDEX memory_core ON memory (scope) WHERE scope = 'core';

CREATE INDEX memory_session ON memory (session);

CREATE INDEX memory_batch ON memory (batch) WHERE batch IS NOT NULL;

CREATE INDEX memory_type ON memory (type, key);

CREATE INDEX memory_stale ON memory (key) WHERE stale IS NOT NULL;

CREATE INDEX memory_inactive ON memory (status, expires_at) WHERE status <> 'active';

CREATE INDEX fact_subject ON fact (lower(subject), predicate);

CREATE INDEX fact_group ON fact ("user", entity, predicate, value);

CREATE INDEX fact_entity ON fact (entity);

CREATE INDEX fact_time ON fact (created_at);

CREATE INDEX fact_interval_fact ON fact_interval (fact, believed_to);

CREATE INDEX world_change_user ON world_change ("user", key);

CREATE INDEX world_change_turn ON world_change (turn) WHERE turn IS NOT NULL;

CREATE INDEX world_change_batch ON world_change (batch) WHERE batch IS NOT NULL;

CREATE INDEX insight_merged ON insight (merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX insight_status ON insight (status, key);

CREATE INDEX about_concept ON about (concept, key);

CREATE INDEX plan_session ON plan (session, "user", key);

CREATE INDEX stage_log_turn ON stage_log (turn) WHERE turn IS NOT NULL;

CREATE INDEX stage_log_at ON stage_log (at);

CREATE INDEX link_target ON link (target);

CREATE INDEX event_turn ON event (turn) WHERE turn IS NOT NULL;

CREATE INDEX job_turn ON job (turn);

CREATE INDEX job_state ON job (kind, state, n);

CREATE INDEX signature_ref ON signature (ref);

CREATE INDEX turn_owner ON turn ("user", agent, created_at);

CREATE INDEX memory_owner ON memory ("user", agent, created_at);

CREATE INDEX fact_owner ON fact ("user", agent, created_at);

CREATE INDEX fact_interval_begin ON fact_interval (valid_from) WHERE believed_to IS NULL;

CREATE INDEX fact_interval_end ON fact_interval (valid_to) WHERE believed_to IS NULL AND valid_to IS NOT NULL;

CREATE TABLE discovery_source (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, uri TEXT NOT NULL, type TEXT NOT NULL,
        added_by TEXT NOT NULL, status TEXT NOT NULL, title TEXT, score REAL NOT NULL,
        uses INTEGER NOT NULL, mentions INTEGER NOT NULL, looked_for TEXT NOT NULL,
        last_crawled TEXT, not_before TEXT, etag TEXT, last_modified TEXT, error TEXT,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, "user" TEXT, agent TEXT,
        sensitivity TEXT NOT NULL DEFAULT 'normal', provenance TEXT);

CREATE VIEW turn_entry AS SELECT key, id, 'turn' AS "record", 'turn' AS "kind", coalesce('User: ' || message, '') || coalesce('
Assistant: ' || answer, '') AS "text", message || coalesce('
' || answer, '') AS "search_text", message AS "embed_text", answer AS "sentence_text", 'turn' AS "type", NULL AS "topic", 'episodic' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", CAST(1.0 AS DOUBLE PRECISION) AS "trust", NULL AS "expires_at", "metadata" AS "metadata", NULL AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", NULL AS "stale", true AS "live" FROM turn;

CREATE VIEW memory_entry AS SELECT key, id, 'memory' AS "record", CASE type WHEN 'document' THEN 'document' WHEN 'document_chunk' THEN 'document' WHEN 'document_summary' THEN 'document' ELSE 'memory' END AS "kind", content AS "text", content AS "search_text", content AS "embed_text", '' AS "sentence_text", "type" AS "type", "topic" AS "topic", "scope" AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", "expires_at" AS "expires_at", "metadata" AS "metadata", "provenance" AS "provenance", "valid_from" AS "valid_from", "valid_to" AS "valid_to", "suspicious" AS "suspicious", "stale" AS "stale", "status" = 'active' AS "live" FROM memory;

CREATE VIEW fact_entry AS SELECT key, id, 'fact' AS "record", 'fact' AS "kind", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') AS "text", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') || coalesce(' ' || quote, '') AS "search_text", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') AS "embed_text", '' AS "sentence_text", "predicate" AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", NULL AS "expires_at", "metadata" AS "metadata", "provenance" AS "provenance", "valid_from" AS "valid_from", "valid_to" AS "valid_to", NULL AS "suspicious", NULL AS "stale", "retired_at" IS NULL AS "live" FROM fact;

CREATE VIEW project_entry AS SELECT key, id, 'project' AS "record", 'memory' AS "kind", coalesce('Project ' || name, '') || coalesce(', ' || status, '') || coalesce(': ' || description, '') AS "text", name || coalesce('
' || description, '') AS "search_text", coalesce('Project ' || name, '') || coalesce(': ' || description, '') AS "embed_text", '' AS "sentence_text", 'project' AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", CAST(1.0 AS DOUBLE PRECISION) AS "trust", NULL AS "expires_at", '{}' AS "metadata", "provenance" AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", NULL AS "stale", true AS "live" FROM project;

CREATE VIEW insight_entry AS SELECT key, id, 'insight' AS "record", 'insight' AS "kind", content AS "text", content AS "search_text", content AS "embed_text", '' AS "sentence_text", 'insight' AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", NULL AS "expires_at", '{}' AS "metadata", NULL AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", NULL AS "stale", "status" = 'active' AS "live" FROM insight;

CREATE VIEW entry AS SELECT key, id, 'turn' AS "record", 'turn' AS "kind", coalesce('User: ' || message, '') || coalesce('
Assistant: ' || answer, '') AS "text", message || coalesce('
' || answer, '') AS "search_text", message AS "embed_text", answer AS "sentence_text", 'turn' AS "type", NULL AS "topic", 'episodic' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", CAST(1.0 AS DOUBLE PRECISION) AS "trust", NULL AS "expires_at", "metadata" AS "metadata", NULL AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", NULL AS "stale", true AS "live" FROM turn UNION ALL SELECT key, id, 'memory' AS "record", CASE type WHEN 'document' THEN 'document' WHEN 'document_chunk' THEN 'document' WHEN 'document_summary' THEN 'document' ELSE 'memory' END AS "kind", content AS "text", content AS "search_text", content AS "embed_text", '' AS "sentence_text", "type" AS "type", "topic" AS "topic", "scope" AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", "expires_at" AS "expires_at", "metadata" AS "metadata", "provenance" AS "provenance", "valid_from" AS "valid_from", "valid_to" AS "valid_to", "suspicious" AS "suspicious", "stale" AS "stale", "status" = 'active' AS "live" FROM memory UNION ALL SELECT key, id, 'fact' AS "record", 'fact' AS "kind", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') AS "text", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') || coalesce(' ' || quote, '') AS "search_text", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') AS "embed_text", '' AS "sentence_text", "predicate" AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", NULL AS "expires_at", "metadata" AS "metadata", "provenance" AS "provenance", "valid_from" AS "valid_from", "valid_to" AS "valid_to", NULL AS "suspicious", NULL AS "stale", "retired_at" IS NULL AS "live" FROM fact UNION ALL SELECT key, id, 'project' AS "record", 'memory' AS "kind", coalesce('Project ' || name, '') || coalesce(', ' || status, '') || coalesce(': ' || description, '') AS "text", name || coalesce('
' || description, '') AS "search_text", coalesce('Project ' || name, '') || coalesce(': ' || description, '') AS "embed_text", '' AS "sentence_text", 'project' AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", CAST(1.0 AS DOUBLE PRECISION) AS "trust", NULL AS "expires_at", '{}' AS "metadata", "provenance" AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", NULL AS "stale", true AS "live" FROM project UNION ALL SELECT key, id, 'insight' AS "record", 'insight' AS "kind", content AS "text", content AS "search_text", content AS "embed_text", '' AS "sentence_text", 'insight' AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", NULL AS "expires_at", '{}' AS "metadata", NULL AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", NULL AS "stale", "status" = 'active' AS "live" FROM insight;

CREATE INDEX memory_hashes ON memory (content_hash, identity_hash);

CREATE TABLE document (
        id TEXT PRIMARY KEY, sha256 TEXT NOT NULL, recorded_at TEXT NOT NULL,
        body TEXT NOT NULL, "user" TEXT, agent TEXT);

CREATE INDEX document_sha256 ON document (sha256);

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0001_initial', datetime('now'));

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0002_memory_validity', datetime('now'));

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0003_owner_indexes', datetime('now'));

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0004_counters', datetime('now'));

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0005_discovery_sources', datetime('now'));

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0006_stale_entries', datetime('now'));

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0007_memory_hashes', datetime('now'));

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0008_marked_values', datetime('now'));

INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('thalamus', 'm0009_owners', datetime('now'));
