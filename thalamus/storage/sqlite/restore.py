"""Bringing a backup back into a store that others may be using.

The rows are replaced inside the live file, in one transaction: whoever has it open sees the old
state, then the new one, and its write locks keep anything from being written in between. The file
itself is exchanged only when it is damaged. Raising the epoch makes every index anew.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from thalamus.errors import StoreDamaged
from thalamus.storage.sqlite.copying import copy_verified, judge
from thalamus.storage.sqlite.database import (
    FILE,
    connect,
    empty,
    exclusive,
    open_file,
    primary_code,
    translated,
)
from thalamus.storage.sqlite.migrations import migrate
from thalamus.storage.sqlite.migrations.counted_spaces import COUNT_SPACES


def restore(
    folder: Path, source: Path, *, stamp: str, tenant: str = "default", busy_timeout: float = 30.0
) -> Path | None:
    """Puts the backup ``source`` in the place of the store in ``folder``.

    Returns where the store that was there is kept (``thalamus.db.before-restore-STAMP``), or None
    when there was none. Raises ``StoreDamaged`` or ``StoreTooNew`` when the backup will not do,
    ``StoreBusy`` or ``StoreFull``; then the store is as it was.
    """
    judge(source)
    path = folder / FILE
    with translated(path, busy_timeout):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(folder / "restore.lock"), _migrated_copy(source, folder) as incoming:
            aside = _free_name(path, stamp)
            if empty(path):
                log = _keep_log(path, aside)
                _replace_rows(folder, incoming, None, tenant, busy_timeout)
                return log
            try:
                _replace_rows(folder, incoming, aside, tenant, busy_timeout)
            except (StoreDamaged, sqlite3.DatabaseError) as error:
                if not _damaged(error):
                    raise
                _move_aside(path, aside)
                _replace_rows(folder, incoming, None, tenant, busy_timeout)
    return aside


@contextmanager
def _migrated_copy(source: Path, folder: Path) -> Iterator[Path]:
    """A copy of the backup with today's tables; the backup itself is never written to."""
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
    folder: Path, incoming: Path, aside: Path | None, tenant: str, busy_timeout: float
) -> None:
    with closing(connect(folder, tenant, busy_timeout, create=True)) as live:
        live.execute("ATTACH DATABASE ? AS incoming", (str(incoming),))
        live.execute("BEGIN IMMEDIATE")
        try:
            if aside is not None:  # under the write lock: nothing is written after the copy
                with closing(open_file(folder / FILE, busy_timeout)) as reader:
                    copy_verified(reader, aside)
            _exchange(live)
            live.execute("COMMIT")
        except BaseException:
            if live.in_transaction:
                live.execute("ROLLBACK")
            raise


def _exchange(live: sqlite3.Connection) -> None:
    query = "SELECT value FROM {}.meta WHERE name = ?"
    epochs = [
        int(live.execute(query.format(schema), ("epoch",)).fetchone()[0])
        for schema in ("main", "incoming")
    ]
    tenant = live.execute(query.format("main"), ("tenant",)).fetchone()[0]
    found = live.execute("SELECT name FROM incoming.sqlite_master WHERE type = 'table'")
    # the counters last: filling the tables moves them
    tables = sorted((row[0] for row in found), key=lambda name: name == "sqlite_sequence")
    for table in tables:
        columns = ",".join(row[1] for row in live.execute(f"PRAGMA main.table_info({table})"))
        live.execute(f"DELETE FROM main.{table}")
        live.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM incoming.{table}")
    live.execute(COUNT_SPACES)  # what the triggers did meanwhile was to other models' rows
    # not just the next one: an index may be left of a store whose file is gone
    epoch = max(epochs) + 1 + int.from_bytes(os.urandom(4), "big")
    for name, value in (("epoch", epoch), ("tenant", tenant)):
        live.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))


def _damaged(error: Exception) -> bool:
    codes = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return isinstance(error, StoreDamaged) or (
        isinstance(error, sqlite3.Error) and primary_code(error) in codes
    )


def _move_aside(path: Path, aside: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(aside.with_name(aside.name + suffix))


def _keep_log(path: Path, aside: Path) -> Path | None:
    """Moves the log of a store whose file is empty or gone: SQLite would delete it. Returns where
    it is, if there was one."""
    if empty(path.with_name(f"{path.name}-wal")):
        return None
    _move_aside(path, aside)
    return aside.with_name(f"{aside.name}-wal")


def _free_name(path: Path, stamp: str) -> Path:
    """A name beside the store that is not taken yet."""
    base = f"{path.name}.before-restore-{stamp.replace(':', '').replace('-', '')}"
    name, number = path.with_name(base), 1
    while name.exists():
        number += 1
        name = path.with_name(f"{base}-{number}")
    return name
