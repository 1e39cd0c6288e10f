"""The opening of a store, whatever its database."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from thalamus.text.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from thalamus.store.bulk import BulkRows
    from thalamus.store.keys import Keys
    from thalamus.store.location import Location
    from thalamus.store.maintenance import CopyReport, Initialization
    from thalamus.store.options import StoreOptions
    from thalamus.store_url import StoreUrl

# an address, even a malformed one
_ADDRESS = lazy_regex(r"://|^\s*postgres(?:ql)?:|password\s*=", re.IGNORECASE)


def location(url: str, folder: Path, tenant: str, busy_timeout: float) -> Location:
    """The place of a tenant's store: in the PostgreSQL database at ``url``, or in a folder if that
    is empty. Raises ``ConfigError`` for an invalid address."""
    if not url:
        from thalamus.store.sqlite.location import SqliteLocation

        return SqliteLocation(folder, tenant, busy_timeout)
    from thalamus.store.postgres.location import PostgresLocation
    from thalamus.store_url import parse_store_url

    return PostgresLocation(parse_store_url(url), tenant, folder, busy_timeout)


class CopyEnd(Struct, frozen=True):
    """A place that a store is copied from or to. ``file``: of a SQLite store or backup; ``url``: of
    a PostgreSQL database."""

    tenant: str
    file: Path | None = None
    url: StoreUrl | None = None

    @property
    def key_place(self) -> str | None:
        """The name under which a key ring remembers the store; None for a backup."""
        if self.url is not None:
            return self.url.place(self.tenant)
        from thalamus.store.sqlite.connection import FILE

        assert self.file is not None
        return str(self.file.parent.resolve()) if self.file.name == FILE else None

    def read(self, options: StoreOptions) -> AbstractContextManager[BulkRows]:
        """A snapshot of the store. Raises ``NoStore``, ``UnfinishedCopy``."""
        if self.file is not None:
            from thalamus.store.sqlite import bulk as sqlite

            return sqlite.source(self.file, options.busy_timeout)
        from thalamus.store.postgres.location import needs_driver

        assert self.url is not None
        with needs_driver():
            from thalamus.store.postgres import bulk as postgres
        return postgres.source(self.url, replace(options, tenant=self.tenant))

    def write(self, options: StoreOptions) -> AbstractContextManager[BulkRows]:
        """The place, whatever it contains. Raises ``StoreBusy`` during another copy."""
        if self.file is not None:
            from thalamus.store.sqlite import bulk as sqlite

            return sqlite.target(self.file, options.busy_timeout)
        from thalamus.store.postgres.location import needs_driver

        assert self.url is not None
        with needs_driver():
            from thalamus.store.postgres import bulk as postgres
        return postgres.target(self.url, replace(options, tenant=self.tenant))


def copy_end(text: str, tenant: str) -> CopyEnd:
    """A place by its address, or the path of a store's folder, of its file, or of a backup. Raises
    ``ConfigError`` for an invalid address."""
    if _ADDRESS.search(text):  # whatever its form: a path would be shown, with a password in it
        from thalamus.store_url import parse_store_url

        return CopyEnd(tenant, url=parse_store_url(text))
    from thalamus.store.sqlite.connection import FILE

    path = Path(text).expanduser()
    is_file = path.is_file() or (path.suffix == ".db" and not path.is_dir())
    return CopyEnd(tenant, file=path if is_file else path / FILE)


def copy_store(
    source: CopyEnd,
    target: CopyEnd,
    options: StoreOptions,
    keys: Callable[[Mapping[str, str]], Keys | None],
    *,
    force: bool,
    progress: Callable[[int], None],
) -> CopyReport:
    """Copies a store, see ``store.copy``. ``keys``: returns the keys that the copy is verified
    with, given the store-wide values of the source, before anything is written."""
    from thalamus.store import copy

    with source.read(options) as rows:
        verified_with = keys(rows.values())
        with target.write(options) as copied:
            own = {"tenant": target.tenant, "epoch": copy.new_epoch()}
            return copy.copy_store(rows, copied, own, verified_with, force=force, progress=progress)


def initialize(url: str, role: str | None, busy_timeout: float) -> Initialization:
    """Creates or migrates the tables of a PostgreSQL database, as its owner, and lets a ``role``
    use them, which is created if missing. Raises ``ConfigError`` for an invalid address,
    ``UsageError`` without psycopg, ``StoreUnreachable``, ``StoreTooNew``, ``StoreBusy``."""
    from thalamus.store.postgres.location import needs_driver
    from thalamus.store_url import parse_store_url

    with needs_driver():
        from thalamus.store.postgres.schema import initialize
    return initialize(parse_store_url(url), role, busy_timeout)


def inspect_backup(path: Path) -> dict[str, int]:
    """Number of rows of each kind in a backup, which is a SQLite file whatever the database.
    Raises ``StoreDamaged``, ``StoreTooNew``, ``StoreTooOld``."""
    from thalamus.store.sqlite.backup import judge

    return judge(path)
