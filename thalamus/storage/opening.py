"""The opening of a store, whatever its database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import UsageError

if TYPE_CHECKING:
    from thalamus.storage.protocol.location import Location


def location(url: str, folder: Path, tenant: str, busy_timeout: float) -> Location:
    """The place of a tenant's store: in a PostgreSQL database, or without a ``url`` in a folder.
    Raises ``UsageError`` without the database's driver."""
    if not url:
        from thalamus.storage.sqlite.location import SqliteLocation

        return SqliteLocation(folder, tenant, busy_timeout)
    try:
        from thalamus.storage.postgres.location import PostgresLocation
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise UsageError(
            "The store is on PostgreSQL (THALAMUS_POSTGRES), and psycopg is not installed.",
            fix="Run `pip install 'thalamus-memory[postgres]'`.",
        ) from None
    return PostgresLocation(url, tenant)


def inspect_backup(path: Path) -> dict[str, int]:
    """Number of rows of each kind in a backup, which is a SQLite file whatever the database.
    Raises ``StoreDamaged``, ``StoreTooNew``, ``StoreTooOld``."""
    from thalamus.storage.sqlite.backup import judge

    return judge(path)
