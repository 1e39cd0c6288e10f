"""Creation of a SQLite file's tables from ``schema.sql``, and their migrations.

``SCHEMA_VERSION`` is stored in SQLite's ``user_version``, so that opening an up-to-date store costs
one pragma and no import. ``schema.sql`` is what the migrations make of an empty file
(``just schemas`` writes it): executing it takes a quarter of their time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

    from sqlite_utils import Database

    from thalamus.store.migrations import Migration

# Versions up to this one are from before the first release, and are not migrated
UNRELEASED = 17
SCHEMA_VERSION = 26  # UNRELEASED plus the number of migrations
_SET = "thalamus"  # of migrations, for sqlite-utils
_HEAD = "-- What the migrations make of an empty file. Written by `just schemas`; do not edit.\n"
SCHEMA = Path(__file__).with_name("schema.sql")


def create(connection: sqlite3.Connection) -> None:
    """Makes the tables in an empty file, in a transaction that it begins and leaves open; the
    caller then sets ``user_version``."""
    connection.executescript(f"BEGIN IMMEDIATE;\n{SCHEMA.read_text(encoding='utf-8')}")


def migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables up to date in one transaction, or in the caller's; the caller then sets
    ``user_version``."""
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    from thalamus.store import migrations

    file = _File(connection)
    applied = Migrations(_SET)
    for migration in migrations.MIGRATIONS:
        applied(name=migration.__name__)(_on(file, migration))
    db = Database(connection, execute_plugins=False)
    with db.atomic():
        applied.apply(db)


def _on(file: _File, migration: Migration) -> Callable[[Database], None]:
    return lambda _: migration(file)


class _File:
    """See ``store.schema.Executor``: a file has the rows of one tenant."""

    tenants = False

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, /) -> sqlite3.Cursor:
        return self._connection.execute(statement)

    def drop_unique(self, table: str, column: str) -> None:
        """Makes the table again, since SQLite cannot drop a constraint."""
        query = f"SELECT type, sql FROM sqlite_master WHERE tbl_name = '{table}' AND sql <> ''"
        parts = [tuple(part) for part in self.execute(query).fetchall()]
        [definition] = [sql for type, sql in parts if type == "table"]
        self.execute(f"CREATE TEMP TABLE former AS SELECT * FROM {table}")
        self.execute(f"DROP TABLE {table}")
        self.execute(re.sub(rf"(\b{column} [^,]*?) UNIQUE", r"\1", definition))
        self.execute(f"INSERT INTO {table} SELECT * FROM former")
        self.execute("DROP TABLE former")
        for type, sql in parts:
            if type != "table":
                self.execute(sql)


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

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        create(db)
        return schema(db)


def schema_script() -> str:
    """The statements of ``schema.sql``."""
    import sqlite3

    from thalamus.store.migrations import MIGRATIONS

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate(db)
        statements = list(schema(db).values())
    statements += [
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
        f" VALUES ('{_SET}', '{migration.__name__}', datetime('now'))"
        for migration in MIGRATIONS
    ]
    return _HEAD + "".join(f"\n{statement};\n" for statement in statements)


if __name__ == "__main__":
    SCHEMA.write_text(schema_script(), encoding="utf-8")
