"""The opening of a store, whatever its database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.storage.protocol.location import Location
    from thalamus.storage.protocol.maintenance import Initialization


def location(url: str, folder: Path, tenant: str, busy_timeout: float) -> Location:
    """The place of a tenant's store: in the PostgreSQL database at ``url``, or without one in a
    folder. Raises ``ConfigError`` for an invalid address."""
    if not url:
        from thalamus.storage.sqlite.location import SqliteLocation

        return SqliteLocation(folder, tenant, busy_timeout)
    from thalamus.storage.postgres.location import PostgresLocation
    from thalamus.store_url import parse_store_url

    return PostgresLocation(parse_store_url(url), tenant)


def initialize(url: str, role: str | None) -> Initialization:
    """Makes or migrates the tables of a PostgreSQL database, as its owner, and lets a ``role`` use
    them, which is made if it is missing. Raises ``ConfigError`` for an invalid address,
    ``UsageError`` without psycopg, ``StoreUnreachable``, ``StoreTooNew``."""
    from thalamus.storage.postgres.location import needs_driver
    from thalamus.store_url import parse_store_url

    with needs_driver():
        from thalamus.storage.postgres.schema import initialize
    return initialize(parse_store_url(url), role)


def inspect_backup(path: Path) -> dict[str, int]:
    """Number of rows of each kind in a backup, which is a SQLite file whatever the database.
    Raises ``StoreDamaged``, ``StoreTooNew``, ``StoreTooOld``."""
    from thalamus.storage.sqlite.backup import judge

    return judge(path)
