"""The tables, as numbered migrations: a list that only grows.

``SCHEMA_VERSION`` is stored in SQLite's ``user_version``, so that opening an up-to-date store costs
one pragma and no import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

    from sqlite_utils.db import Database

# Versions up to this one are from before the first release, and are not migrated
UNRELEASED = 17
SCHEMA_VERSION = 21  # UNRELEASED plus the number of migrations


def migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables up to date. Each migration is one transaction; the caller then sets
    ``user_version``."""
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    migrations = Migrations("thalamus")
    for migration in MIGRATIONS:
        migrations(name=migration.__name__)(migration)
    # sqlite-utils would begin and end the transactions itself
    level, connection.isolation_level = connection.isolation_level, "DEFERRED"
    try:
        migrations.apply(Database(connection, use_counts_table=False))
    finally:
        connection.isolation_level = level


def schema(db: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """SQLite's schema: (kind, name) -> SQL statement."""
    query = (
        "SELECT type, name, coalesce(sql, '') FROM sqlite_master"
        " WHERE substr(name, 1, 7) <> 'sqlite_'"
    )
    return {(row[0], row[1]): row[2] for row in db.execute(query)}


def reference_schema() -> dict[tuple[str, str], str]:
    """The schema of a new store."""
    import sqlite3

    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        migrate(db)
        return schema(db)
    finally:
        db.close()


# -- 0001 ----------------------------------------------------------------------------------------


def m0001_initial(db: Database) -> None:
    """Records and their dependent rows, the ledger, signatures, and index counters."""
    from thalamus.storage.relational import create_tables

    for statement in create_tables.statements():
        db.execute(statement)


# -- 0002 ----------------------------------------------------------------------------------------


def m0002_memory_validity(db: Database) -> None:
    """Validity periods of memories."""
    from thalamus.storage.relational import create_tables

    for statement in create_tables.MEMORY_VALIDITY:
        db.execute(statement)


# -- 0003 ----------------------------------------------------------------------------------------


def m0003_owner_indexes(db: Database) -> None:
    """Indexes of rows by owner and time, and of the current beliefs by time."""
    from thalamus.storage.relational import create_tables

    for statement in create_tables.OWNER_INDEXES:
        db.execute(statement)


# -- 0004 ----------------------------------------------------------------------------------------


def m0004_discovery_sources(db: Database) -> None:
    """Sources of documents on the network."""
    from thalamus.storage.relational import create_tables

    for statement in create_tables.DISCOVERY_SOURCES:
        db.execute(statement)


MIGRATIONS = (
    m0001_initial,
    m0002_memory_validity,
    m0003_owner_indexes,
    m0004_discovery_sources,
)
