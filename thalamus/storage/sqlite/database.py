"""Opening the SQLite file, and SQLite's failures as Thalamus's errors."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thalamus.errors import NoStore, StoreBusy, StoreDamaged, StoreFull, StoreTooNew
from thalamus.storage.sqlite.migrations import SCHEMA_VERSION, migrate

FILE = "thalamus.db"


def connect(folder: Path, tenant: str, busy_timeout: float, create: bool) -> sqlite3.Connection:
    """Opens the store in ``folder``, making or migrating its tables when needed.

    Raises ``NoStore`` when there is none and ``create`` is false, ``StoreTooNew``,
    ``StoreDamaged``, ``StoreBusy`` or ``StoreFull``.
    """
    path = folder / FILE
    if not path.exists() and not create:
        raise NoStore(path)
    with translated(path, busy_timeout):
        if create:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = open_file(path, busy_timeout)
        try:
            version = _version(connection, path)
            if version < SCHEMA_VERSION:
                with exclusive(folder / "migrate.lock"):
                    if _version(connection, path) < SCHEMA_VERSION:
                        migrate(connection)
                        _initialise(connection, tenant)
        except BaseException:
            connection.close()
            raise
    return connection


def open_file(path: Path, busy_timeout: float) -> sqlite3.Connection:
    """A connection with the pragmas that every connection needs."""
    connection = sqlite3.connect(
        path, timeout=busy_timeout, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _version(connection: sqlite3.Connection, path: Path) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise StoreTooNew(path, version)
    return version


def _initialise(connection: sqlite3.Connection, tenant: str) -> None:
    values = {"store": os.urandom(8).hex(), "epoch": 1, "tenant": tenant, "next_key": 1}
    connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", values.items())


@contextmanager
def translated(path: Path, busy_timeout: float) -> Iterator[None]:
    """Turns SQLite's and the system's errors into those a user can act on."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusy(path, f"{busy_timeout:g}") from error
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise StoreDamaged(path, text) from error
        if code in _UNWRITABLE:
            raise StoreFull(path, text) from error
        raise
    except OSError as error:
        raise StoreFull(error.filename or path, error.strerror or error) from error


_UNWRITABLE = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Holds a lock that the kernel releases when the process ends, however it ends."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def exclusive_if_free(path: Path) -> Iterator[bool]:
    """Like ``exclusive``, but gives False at once when another process holds it."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
