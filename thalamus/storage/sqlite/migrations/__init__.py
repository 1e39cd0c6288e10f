"""The tables, as a list of migrations that only grows.

``SCHEMA_VERSION`` is the number of migrations and is kept in SQLite's ``user_version``, so that
opening a store that is up to date costs one pragma and no import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

SCHEMA_VERSION = 11


def migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables up to date. Each migration is one transaction; the caller then sets
    ``user_version``."""
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    from thalamus.storage.sqlite.migrations.counted_spaces import m0002_counted_spaces
    from thalamus.storage.sqlite.migrations.facts_in_time import m_facts_in_time
    from thalamus.storage.sqlite.migrations.forgettable_ledger import m_forgettable_ledger
    from thalamus.storage.sqlite.migrations.initial import m0001_initial
    from thalamus.storage.sqlite.migrations.jobs import m_jobs
    from thalamus.storage.sqlite.migrations.plans_of_users import m_plans_of_users
    from thalamus.storage.sqlite.migrations.program_fields import m_program_fields
    from thalamus.storage.sqlite.migrations.retention import m_retention
    from thalamus.storage.sqlite.migrations.scored_memories import m_scored_memories
    from thalamus.storage.sqlite.migrations.sealed_content import m_sealed_content
    from thalamus.storage.sqlite.migrations.seals import m_seals

    migrations = Migrations("thalamus")
    for migration in (
        m0001_initial,
        m0002_counted_spaces,
        m_facts_in_time,
        m_retention,
        m_scored_memories,
        m_forgettable_ledger,
        m_seals,
        m_sealed_content,
        m_program_fields,
        m_plans_of_users,
        m_jobs,
    ):
        migrations(name=migration.__name__)(migration)
    # sqlite-utils wants to begin and end the transactions itself
    level, connection.isolation_level = connection.isolation_level, "DEFERRED"
    try:
        migrations.apply(Database(connection, use_counts_table=False))
    finally:
        connection.isolation_level = level
