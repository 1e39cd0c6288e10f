"""The tables, as numbered migrations that every database applies: a list that only grows."""

from __future__ import annotations

from collections.abc import Callable

from thalamus.store import entries, owner_migration
from thalamus.store import schema as create_tables
from thalamus.store.schema import Executor
from thalamus.store.tables import COUNTERS, NUMBERED


def m0001_initial(db: Executor) -> None:
    """Records and their dependent rows, the ledger, signatures, and index counters."""
    for statement in create_tables.statements():
        db.execute(statement)


def m0002_memory_validity(db: Executor) -> None:
    """Validity periods of memories."""
    for statement in create_tables.MEMORY_VALIDITY:
        db.execute(statement)


def m0003_owner_indexes(db: Executor) -> None:
    """Indexes of rows by owner and time, and of the current beliefs by time."""
    for statement in create_tables.OWNER_INDEXES:
        db.execute(statement)


def m0004_counters(db: Executor) -> None:
    """Counters as store-wide values, which are texts. A new store has such tables already; an older
    one is a SQLite file, where SQLite kept some of the counters."""
    if db.execute("SELECT 1 FROM meta").fetchone() is None:
        return
    # a table without its own counter reused the numbers of deleted rows
    kept = dict(db.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    for table, number in NUMBERED.items():
        [last] = db.execute(f"SELECT coalesce(max({number}), 0) FROM {table}").fetchone()
        next_ = max(last, kept.get(table, 0)) + 1
        db.execute(f"INSERT INTO meta (name, value) VALUES ('{COUNTERS[table]}', {next_})")
    for table in ("meta", "event", "batch", "job", "embedding", "removal", "signature"):
        db.execute(f"ALTER TABLE {table} RENAME TO former")
        statements = create_tables.of_table(table)
        db.execute(next(statements))
        db.execute(f"INSERT INTO {table} SELECT * FROM former")
        db.execute("DROP TABLE former")
        for index in statements:
            db.execute(index)


def m0005_discovery_sources(db: Executor) -> None:
    """Sources of documents on the network."""
    for statement in create_tables.DISCOVERY_SOURCES:
        db.execute(statement)


def m0006_stale_entries(db: Executor) -> None:
    """The mark of a memory that no longer holds among the columns of its entry."""
    for statement in entries.definitions():
        db.execute(statement.partition(" AS ")[0].replace("CREATE", "DROP"))
        db.execute(statement)


def m0007_memory_hashes(db: Executor) -> None:
    """One index of memories by content and identity."""
    for statement in create_tables.MEMORY_HASHES:
        db.execute(statement)


def m0008_marked_values(db: Executor) -> None:
    """A mark on store-wide values, which every unit of work writes: its program checks the version
    of the schema first."""
    for statement in create_tables.MARKED_VALUES:
        db.execute(statement)


def m0009_owners(db: Executor) -> None:
    """Owners of documents, ledger entries, batches and exported files. A document is stored once
    for each owner."""
    db.drop_unique("document", "sha256")
    for statement in create_tables.OWNERS:
        db.execute(statement)
    owner_migration.derive_owners(db)


Migration = Callable[[Executor], None]
MIGRATIONS: tuple[Migration, ...] = (
    m0001_initial,
    m0002_memory_validity,
    m0003_owner_indexes,
    m0004_counters,
    m0005_discovery_sources,
    m0006_stale_entries,
    m0007_memory_hashes,
    m0008_marked_values,
    m0009_owners,
)
