"""Backups of a store's file: writing, checking and restoring them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from thalamus import files
from thalamus.errors import StoreDamaged, StoreTooNew, StoreTooOld
from thalamus.locks import exclusive
from thalamus.store.base import COUNTED
from thalamus.store.copy_mark import COPY_OF, check_whole
from thalamus.store.sqlite.connection import (
    FILE,
    begin_writing,
    connect,
    empty,
    open_file,
    primary_code,
    translated,
)
from thalamus.store.sqlite.migrations import SCHEMA_VERSION, UNRELEASED, migrate
from thalamus.store.sqlite.tables import SqliteTables
from thalamus.store.tables import ERASING

_COUNT_SPACES = (
    "UPDATE space SET count = (SELECT count(*) FROM embedding WHERE space = space.id),"
    " last = (SELECT coalesce(max(n), 0) FROM embedding WHERE space = space.id)"
)


def copy_verified(source: sqlite3.Connection, target: Path) -> None:
    """Copies a database to ``target``, which is replaced in one step once the copy is verified.

    The copy is one snapshot of the source, whatever others write meanwhile, and a single file that
    only its owner may read. Raises ``StoreDamaged`` when the copy does not pass the check.
    """
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    with files.replacing_path(target, part=part):
        copy = sqlite3.connect(part, isolation_level=None)
        try:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            problems = quick_check(copy)
        finally:
            copy.close()
        if problems:
            raise StoreDamaged(target, f"the copy is damaged: {problems[0]}", fix=_LEFT)


_LEFT = "Nothing was written. `thalamus doctor` checks the store."


def quick_check(connection: sqlite3.Connection) -> list[str]:
    """Problems that SQLite finds in the pages of a database."""
    try:
        return [row[0] for row in connection.execute("PRAGMA quick_check") if row[0] != "ok"]
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
        return [str(error)]  # so damaged that the check itself fails


def judge(path: Path) -> dict[str, int]:
    """Number of rows of each kind in a backup; the file is only read.

    Raises ``StoreDamaged`` when it is not a sound Thalamus store, ``StoreTooNew`` or
    ``StoreTooOld`` when another version of Thalamus wrote it.
    """
    fix = "Give a file written by `thalamus store backup`."
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            meta = _meta(connection)
            if version > SCHEMA_VERSION and "store" in meta:
                raise StoreTooNew(path, version)
            if 0 < version <= UNRELEASED and "store" in meta:
                raise StoreTooOld(path, version)
            if version < 1 or not {"store", COPY_OF} & set(meta):
                raise StoreDamaged(path, "it is not a Thalamus store", fix=fix)
            check_whole(meta, path)
            problems = quick_check(connection)
            if problems:
                raise StoreDamaged(path, problems[0], fix=fix)
            return {
                table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in COUNTED
            }
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StoreDamaged(path, str(error), fix=fix) from error


def _meta(connection: sqlite3.Connection) -> dict[str, str]:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    if "meta" not in {row[0] for row in tables}:
        return {}
    return {row[0]: row[1] for row in connection.execute("SELECT name, value FROM meta")}


# -- restoring, while others may be using the store -----------------------------------------------


def restore(
    folder: Path, source: Path, *, stamp: str, tenant: str = "default", busy_timeout: float = 30.0
) -> Path | None:
    """Replaces the store in ``folder`` with the backup ``source``.

    Returns the path under which the previous store is kept (``thalamus.db.before-restore-STAMP``),
    or None when there was none. Raises ``StoreDamaged``, ``StoreTooNew`` or ``StoreTooOld`` for an
    unusable backup, ``StoreBusy`` or ``StoreFull``; in these cases the store is unchanged.
    """
    judge(source)
    path = folder / FILE
    with translated(path, busy_timeout):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(folder / "restore.lock"), migrated_copy(source, folder) as incoming:
            old = free_name(path, stamp)
            if empty(path):
                log = _keep_log(path, old)
                _replace_rows(folder, incoming, None, tenant, busy_timeout)
                return log
            try:
                _replace_rows(folder, incoming, old, tenant, busy_timeout)
            except (StoreDamaged, sqlite3.DatabaseError) as error:
                if not _damaged(error):
                    raise
                _keep_old(path, old)
                _replace_rows(folder, incoming, None, tenant, busy_timeout)
    return old


def empty_out(
    folder: Path, *, tenant: str, busy_timeout: float, now: str, emptied: Callable[[], None]
) -> None:
    """Replaces the store in ``folder`` with an empty one, keeping nothing: the rows in one
    transaction, so that other processes see all of them or none. Remains in files are erased by
    ``Store.erase``; until then the store reports an unfinished deletion. ``emptied`` is called
    while nobody else can write. Raises ``StoreBusy``, ``StoreFull``, ``StoreDamaged``."""
    with translated(folder / FILE, busy_timeout), exclusive(folder / "restore.lock"):
        incoming = folder / "incoming"
        shutil.rmtree(incoming, ignore_errors=True)
        try:
            with closing(connect(incoming, tenant, busy_timeout, create=True)) as connection:
                SqliteTables(connection).set_value(ERASING, now)
                connection.execute("PRAGMA journal_mode = DELETE")
            _replace_rows(folder, incoming / FILE, None, tenant, busy_timeout, emptied)
        finally:
            shutil.rmtree(incoming, ignore_errors=True)


@contextmanager
def migrated_copy(source: Path, folder: Path) -> Iterator[Path]:
    """A copy of the backup with the current tables; the backup itself is never written to."""
    incoming = folder / "incoming.db"
    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as backup:
        copy_verified(backup, incoming)
    try:
        with closing(open_file(incoming, 5)) as connection:
            migrate(connection)
        yield incoming
    finally:
        incoming.unlink(missing_ok=True)


def _replace_rows(
    folder: Path,
    incoming: Path,
    old: Path | None,
    tenant: str,
    busy_timeout: float,
    replaced: Callable[[], None] = lambda: None,
) -> None:
    with closing(connect(folder, tenant, busy_timeout, create=True)) as live:
        live.execute("ATTACH DATABASE ? AS incoming", (str(incoming),))
        begin_writing(live, folder / FILE)
        try:
            if old is not None:  # under the write lock: nothing is written after the copy
                with closing(open_file(folder / FILE, busy_timeout)) as reader:
                    copy_verified(reader, old)
            _exchange(live, tenant)
            replaced()
            live.execute("COMMIT")
        except BaseException:
            if live.in_transaction:
                live.execute("ROLLBACK")
            raise


def _exchange(live: sqlite3.Connection, tenant: str) -> None:
    query = "SELECT value FROM {}.meta WHERE name = 'epoch'"
    found = [live.execute(query.format(schema)).fetchone() for schema in ("main", "incoming")]
    epochs = [int(row[0]) for row in found if row]  # an unfinished copy has none
    tables = live.execute("SELECT name FROM incoming.sqlite_master WHERE type = 'table'")
    for (table,) in tables.fetchall():
        columns = ",".join(row[1] for row in live.execute(f"PRAGMA main.table_info({table})"))
        live.execute(f"DELETE FROM main.{table}")
        live.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM incoming.{table}")
    live.execute(_COUNT_SPACES)  # meanwhile the triggers updated rows of other models
    # not just the next one: an index may remain of a store whose file was deleted
    epoch = max(epochs) + 1 + int.from_bytes(os.urandom(4), "big")
    for name, value in (("epoch", epoch), ("tenant", tenant)):
        live.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))


def _damaged(error: Exception) -> bool:
    codes = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return isinstance(error, StoreDamaged) or (
        isinstance(error, sqlite3.Error) and primary_code(error) in codes
    )


def _keep_old(path: Path, old: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(old.with_name(old.name + suffix))


def _keep_log(path: Path, old: Path) -> Path | None:
    """Renames the log of a store whose file is empty or missing: SQLite would delete it. Returns
    its new path, if there was one."""
    if empty(path.with_name(f"{path.name}-wal")):
        return None
    _keep_old(path, old)
    return old.with_name(f"{old.name}-wal")


def free_name(path: Path, stamp: str) -> Path:
    """An unused name next to the store."""
    base = f"{path.name}.before-restore-{stamp.replace(':', '').replace('-', '')}"
    name, number = path.with_name(base), 1
    while name.exists():
        number += 1
        name = path.with_name(f"{base}-{number}")
    return name
