"""A tenant's rows in PostgreSQL as source and target of a copy.

Rows are read by COPY. PostgreSQL refuses COPY into tables with row level security, so they are
written by one INSERT from an array for each column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.errors import NoStore
from thalamus.store.bulk import BulkRows, BulkTable, Row
from thalamus.store.copy import copy_all, new_epoch
from thalamus.store.copy_mark import check_whole
from thalamus.store.postgres import schema, words
from thalamus.store.postgres.connection import PostgresConnection
from thalamus.store.postgres.failures import translated
from thalamus.store.postgres.pool import shared_pool
from thalamus.store.postgres.tables import NoFile, PostgresTables
from thalamus.store.sqlite import bulk as files
from thalamus.store.tables import ERASING, first_values

if TYPE_CHECKING:
    from thalamus.store.keys import Keys
    from thalamus.store.options import StoreOptions
    from thalamus.store.signing.audit import StoreVerification
    from thalamus.store_url import StoreUrl

NEEDED = 3  # connections: a snapshot of the source, the lock and the rows of the target


class PostgresBulk(BulkRows):
    """See ``store.bulk.BulkRows``."""

    tables: PostgresTables

    def __init__(self, connection: PostgresConnection, tenant: str) -> None:
        super().__init__(PostgresTables(connection, tenant), connection.place)
        self._db = connection
        self._tenant = tenant

    def _stream(self, query: str, values: Sequence[Any]) -> Iterator[Row]:
        return self._db.copy_out(query, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._db.holds:
            yield
            return
        with self._db.unit(("LOCK TABLE meta IN ROW EXCLUSIVE MODE",)):  # against a migration
            yield

    def insert(self, table: BulkTable, rows: Sequence[Row]) -> None:
        with translated(self.place, 0):
            self.tables.insert(table.name, table.names, rows)

    def build(self) -> None:
        with self.transaction():
            words.Words(self.tables, self._tenant).rebuild()

    def verification(self, keys: Keys) -> AbstractContextManager[StoreVerification]:
        from thalamus.store.signing import audit

        return nullcontext(audit.verify(self.tables, keys, NoFile()))

    def clear(self) -> None:
        for table in words.TABLE_NAMES:
            self.tables.delete(table, "true")
        super().clear()


@contextmanager
def source(url: StoreUrl, options: StoreOptions) -> Iterator[PostgresBulk]:
    """A snapshot of a tenant's store. Raises ``NoTables``, ``UnfinishedCopy``, and ``NoStore``."""
    with _connected(url, options) as connection, connection.snapshot() as snapshot:
        rows = PostgresBulk(snapshot, connection.tenant)
        values = rows.values()
        check_whole(values, rows.place)
        if "store" not in values:
            raise NoStore(rows.place)
        yield rows


@contextmanager
def target(url: StoreUrl, options: StoreOptions) -> Iterator[PostgresBulk]:
    """A tenant's rows, for one copy at a time. Raises ``NoTables``, ``StoreBusy``."""
    with (
        _connected(url, options) as connection,
        connection.exclusive("copy", wait=False),
    ):
        yield PostgresBulk(connection, connection.tenant)


def restore(url: StoreUrl, options: StoreOptions, backup: Path, kept: Path) -> bool:
    """Replaces a tenant's store by a backup, in one transaction: others see the previous rows until
    it is committed. The former store is written to the file ``kept``; returns whether there was
    one. Raises as ``sqlite.backup.judge``; then nothing has changed."""
    with (
        files.source(backup, options.busy_timeout) as rows,
        _connected(url, options) as connection,
    ):
        target = PostgresBulk(connection, connection.tenant)
        with (
            connection.exclusive("copy", wait=False),
            connection.unit(target.tables.begin_writing(True)) as [locked, *_],
        ):
            if locked:
                back_up(connection, options, kept)
            copy_all(rows, target, {"tenant": connection.tenant, "epoch": new_epoch()})
    return bool(locked)


def back_up(connection: PostgresConnection, options: StoreOptions, target: Path) -> None:
    """Writes a snapshot of a tenant's store to a SQLite file."""
    with (
        connection.snapshot() as snapshot,
        files.new_backup(target, options.busy_timeout) as file,
    ):
        rows = PostgresBulk(snapshot, connection.tenant)
        values = rows.values()
        copy_all(rows, file, {name: values[name] for name in ("tenant", "epoch")})


def empty_out(url: StoreUrl, options: StoreOptions, now: str, emptied: Callable[[], None]) -> None:
    """Replaces a tenant's store by an empty one whose erasure is unfinished."""
    with _connected(url, options) as connection:
        target = PostgresBulk(connection, connection.tenant)
        with (
            connection.exclusive("copy", wait=False),
            connection.unit(target.tables.begin_writing(True)),
        ):
            target.clear()
            target.put_values({**first_values(connection.tenant), ERASING: now})
            emptied()


@contextmanager
def _connected(url: StoreUrl, options: StoreOptions) -> Iterator[PostgresConnection]:
    pool = shared_pool(url, max(options.connections, NEEDED))
    connection = PostgresConnection(pool, options.tenant, options.busy_timeout)
    try:
        with translated(connection.place, options.busy_timeout):
            connection.find_form()
            [found] = connection.execute(schema.CHECKED, (url.schema,)).fetchall()
            schema.check(found, connection.place)
            yield connection
    finally:
        connection.close()
