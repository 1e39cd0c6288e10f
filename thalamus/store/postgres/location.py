"""A tenant's store in a PostgreSQL database, before it is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.errors import NoStore, NoTables, UnfinishedCopy, UsageError
from thalamus.extras import install_command
from thalamus.store.options import StoreOptions

if TYPE_CHECKING:
    from thalamus.store.postgres.store import PostgresStore
    from thalamus.store_url import StoreUrl


class PostgresLocation(Struct, frozen=True):
    """See ``store.location.Location``."""

    url: StoreUrl
    tenant: str
    folder: Path  # of files of this machine: what was in the place of a restored backup
    busy_timeout: float

    @property
    def database(self) -> str:
        return "PostgreSQL"

    @property
    def place(self) -> str:
        return self.url.place(self.tenant)

    @property
    def key_place(self) -> str:
        return self.place

    def exists(self) -> bool:
        try:
            self.open(StoreOptions(tenant=self.tenant)).close()
        except UnfinishedCopy:
            return True
        except NoTables:
            raise
        except NoStore:
            return False
        return True

    def identity(self) -> object:
        return None  # connections that are lost are opened again

    def open(self, options: StoreOptions) -> PostgresStore:
        """The store. Raises ``UsageError`` without psycopg, and as ``PostgresStore``."""
        with needs_driver():
            from thalamus.store.postgres.store import PostgresStore
        store = PostgresStore(self.url, options)
        if options.remind:
            store.remind()
        return store

    def restore(self, source: Path, stamp: str) -> Path | None:
        with needs_driver():
            from thalamus.store.postgres.bulk import restore
        from thalamus.store.sqlite.backup import free_name
        from thalamus.store.sqlite.connection import FILE

        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = free_name(self.folder / FILE, stamp)
        return kept if restore(self.url, self._options, source, kept) else None

    def empty_out(self, now: str, emptied: Callable[[], None]) -> None:
        with needs_driver():
            from thalamus.store.postgres.bulk import empty_out
        empty_out(self.url, self._options, now, emptied)

    @property
    def _options(self) -> StoreOptions:
        return StoreOptions(tenant=self.tenant, busy_timeout=self.busy_timeout)


@contextmanager
def needs_driver() -> Iterator[None]:
    """Raises ``UsageError`` when psycopg is to be imported and is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in ("psycopg", "psycopg_pool"):
            raise
        raise UsageError(
            f"The store is on PostgreSQL, and {error.name} is not installed.",
            fix=f"Run `{install_command('postgres')}`.",
        ) from None
