"""Application of the migrations to a SQLite file.

``SCHEMA_VERSION`` is stored in SQLite's ``user_version``, so that opening an up-to-date store costs
one pragma and no import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

# Versions up to this one are from before the first release, and are not migrated
UNRELEASED = 17
SCHEMA_VERSION = 25  # UNRELEASED plus the number of migrations


def migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables up to date in one transaction, or in the caller's; the caller then sets
    ``user_version``."""
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    from thalamus.storage.relational import migrations

    applied = Migrations("thalamus")
    for migration in migrations.MIGRATIONS:
        applied(name=migration.__name__)(migration)
    db = Database(connection, execute_plugins=False)
    with db.atomic():
        applied.apply(db)


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
