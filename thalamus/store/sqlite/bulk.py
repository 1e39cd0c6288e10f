"""SQLite files as source and target of a copy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from thalamus import files
from thalamus.errors import NoStore, StoreDamaged, UsageError
from thalamus.locks import exclusive
from thalamus.store.bulk import BulkRows, BulkTable, Row
from thalamus.store.copy_mark import check_whole
from thalamus.store.sqlite import backup
from thalamus.store.sqlite.audit import verify_connection
from thalamus.store.sqlite.connection import (
    LOCK,
    begin_writing,
    empty,
    open_file,
    translated,
    version,
)
from thalamus.store.sqlite.migrations import SCHEMA_VERSION, migrate
from thalamus.store.sqlite.tables import SqliteTables

if TYPE_CHECKING:
    from thalamus.store.keys import Keys
    from thalamus.store.signing.audit import StoreVerification


class SqliteBulk(BulkRows):
    """See ``store.bulk.BulkRows``."""

    def __init__(self, db: sqlite3.Connection, place: Path) -> None:
        super().__init__(SqliteTables(db), str(place))
        self._db = db

    def _stream(self, query: str, values: Sequence[Any]) -> Iterator[Row]:
        return map(tuple, self._db.execute(query, values))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._db.in_transaction:
            yield
            return
        begin_writing(self._db, Path(self.place))
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def insert(self, table: BulkTable, rows: Sequence[Row]) -> None:
        self.tables.insert(table.name, table.names, rows)

    def put_values(self, values: Mapping[str, str]) -> None:
        super().put_values(values)
        # anyone who reads the version finds values, or the mark of a copy
        self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def build(self) -> None:
        """Does nothing: another process builds the indexes."""

    def verification(self, keys: Keys) -> AbstractContextManager[StoreVerification]:
        return nullcontext(verify_connection(self._db, keys))


@contextmanager
def source(path: Path, busy_timeout: float) -> Iterator[SqliteBulk]:
    """A snapshot of a store's file or of a backup, which is only read. Raises ``NoStore``,
    ``UnfinishedCopy``, and as ``backup.judge``."""
    if empty(path):
        raise NoStore(path)
    backup.judge(path)
    with translated(path, busy_timeout), TemporaryDirectory() as folder:
        with closing(open_file(path, busy_timeout)) as db:
            current = version(db, path) == SCHEMA_VERSION
            if current:
                yield from _snapshot(db, path)
                return
        with (  # of an older version
            backup.migrated_copy(path, Path(folder)) as copy,
            closing(open_file(copy, busy_timeout)) as db,
        ):
            yield from _snapshot(db, path)


def _snapshot(db: sqlite3.Connection, path: Path) -> Iterator[SqliteBulk]:
    db.execute("BEGIN")
    rows = SqliteBulk(db, path)
    check_whole(rows.values(), path)
    yield rows


@contextmanager
def target(path: Path, busy_timeout: float) -> Iterator[SqliteBulk]:
    """The file of a store, with its tables, for one copy at a time."""
    if empty(path) and not empty(path.with_name(f"{path.name}-wal")):
        problem = f"The log of a store whose file is missing exists: {path}-wal."
        raise UsageError(problem, fix="Move it away, or copy into another folder.")
    with translated(path, busy_timeout):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (
            exclusive(path.with_name(f"{path.stem}.copy.lock")),
            closing(open_file(path, busy_timeout)) as db,
        ):
            if version(db, path) != SCHEMA_VERSION:
                with exclusive(path.with_name(LOCK)):
                    migrate(db)
            yield SqliteBulk(db, path)


@contextmanager
def new_backup(path: Path, busy_timeout: float) -> Iterator[SqliteBulk]:
    """A new file, which replaces ``path`` at the end of the block. Raises ``StoreDamaged`` when
    SQLite finds it damaged."""
    with (
        translated(path, busy_timeout),
        files.replacing_path(path) as part,
        closing(open_file(part, busy_timeout)) as db,
    ):
        db.execute("PRAGMA synchronous = OFF")  # a file that is incomplete is removed
        migrate(db)
        yield SqliteBulk(db, path)
        if problems := backup.quick_check(db):
            raise StoreDamaged(path, f"the copy is damaged: {problems[0]}")
        with part.open("rb+") as file:
            files.flush(file)
