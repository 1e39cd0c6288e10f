"""Opening the SQLite file, and conversion of SQLite's errors to Thalamus's own."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from thalamus.errors import (
    BadKey,
    NoStore,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreMigrated,
    StoreTooNew,
    StoreTooOld,
)
from thalamus.files import PRIVATE
from thalamus.locks import exclusive
from thalamus.store.sqlite.migrations import SCHEMA_VERSION, UNRELEASED, create, migrate

if TYPE_CHECKING:
    from thalamus.store.keys import Keys


FILE = "thalamus.db"
LOCK = "migrate.lock"  # held while tables are created or migrated
STATEMENTS = 512  # cached prepared statements: a turn has more than Python's default of 128
CACHE = 65_536  # KB of page cache at most: a recall reads rows all over the tables
SETTINGS = ("synchronous = FULL", "secure_delete = ON", f"cache_size = -{CACHE}")


def connect(folder: Path, tenant: str, busy_timeout: float, create: bool) -> sqlite3.Connection:
    """Opens the store in ``folder``, creating or migrating its tables when needed.

    Raises ``NoStore`` when it is missing and ``create`` is false, ``StoreTooNew``, ``StoreTooOld``,
    ``StoreDamaged``, ``StoreBusy`` or ``StoreFull``.
    """
    path = folder / FILE
    if empty(path) and not create:
        raise NoStore(path)
    with translated(path, busy_timeout):
        if create:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # SQLite gives its other files the mode of this one
            os.close(os.open(path, os.O_CREAT, PRIVATE))
        connection = open_file(path, busy_timeout)
        try:
            if not _ready(connection, path):
                with exclusive(folder / LOCK):
                    _make_ready(connection, path, tenant, busy_timeout)
        except BaseException:
            connection.close()
            raise
    return connection


def empty(path: Path) -> bool:
    """True without a database: no file, or one that was created and never written."""
    try:
        return path.stat().st_size == 0
    except (FileNotFoundError, NotADirectoryError):
        return True


def open_file(path: Path, busy_timeout: float) -> sqlite3.Connection:
    """Opens a connection with the settings that all connections share. Without room on the disk for
    the index of the write-ahead log the connection keeps it in memory, and locks all others out:
    a second one of this process raises ``StoreFull`` instead of waiting for the first."""
    if _alone.get(str(path)):
        raise StoreFull(path, "the disk is full", errno.ENOSPC)
    try:
        return _open(path, busy_timeout, SETTINGS)
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_IOERR:
            raise
        only = _open(path, busy_timeout, ("locking_mode = EXCLUSIVE", *SETTINGS))
        _alone[str(path)] = only
        return only


class _Connection(sqlite3.Connection):
    """A connection to which there are weak references."""


_alone: WeakValueDictionary[str, sqlite3.Connection] = WeakValueDictionary()  # by path


def _open(path: Path, busy_timeout: float, settings: tuple[str, ...]) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}{_mode(path)}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=STATEMENTS,
        factory=_Connection,
    )
    connection.row_factory = sqlite3.Row
    try:
        for pragma in settings:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _mode(path: Path) -> str:
    """URI parameters for opening a file that may be read-only: SQLite cannot create the files of a
    WAL there. Without a WAL nothing is lost by opening it as immutable."""
    if not path.exists() or writable(path):  # in this order: another process may create it now
        return ""
    wal = path.with_name(f"{path.name}-wal")
    pending = wal.exists() and wal.stat().st_size > 0
    return "?mode=ro" if pending else "?mode=ro&immutable=1"


def writable(path: Path) -> bool:
    """True when the file and those that SQLite keeps next to it can be written."""
    return os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)


def version(connection: sqlite3.Connection, path: Path) -> int:
    """Version of the schema, 0 for an empty file. Raises ``StoreTooNew`` or ``StoreTooOld``."""
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > SCHEMA_VERSION:
        raise StoreTooNew(path, found)
    if 0 < found <= UNRELEASED:
        raise StoreTooOld(path, found)
    return found


def begin_writing(connection: sqlite3.Connection, path: Path) -> None:
    """Begins a transaction that is going to write. Raises ``StoreMigrated``."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        check_not_migrated(connection, path)
    except StoreMigrated:
        connection.execute("ROLLBACK")
        raise


def check_not_migrated(connection: sqlite3.Connection, path: Path) -> None:
    """Raises ``StoreMigrated`` if a newer program has migrated the tables meanwhile."""
    [found] = connection.execute("PRAGMA user_version").fetchone()
    if found > SCHEMA_VERSION:
        raise StoreMigrated(path, found)


def _ready(connection: sqlite3.Connection, path: Path) -> bool:
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    current = version(connection, path) == SCHEMA_VERSION
    return current and (mode == "wal" or not writable(path))


def _make_ready(
    connection: sqlite3.Connection, path: Path, tenant: str, busy_timeout: float
) -> None:
    """Creates or migrates the tables; the caller holds the lock. One transaction, whose commit is
    the only one that a new store waits for: anyone who reads the version finds everything there."""
    _use_wal(connection, busy_timeout)
    former = version(connection, path)
    if former == SCHEMA_VERSION:
        return
    from thalamus.store.sqlite.tables import SqliteTables
    from thalamus.store.tables import first_values

    if former:
        connection.execute("BEGIN IMMEDIATE")
        migrate(connection)
    else:
        create(connection)
    SqliteTables(connection).put_values(first_values(tenant), replace=False)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _use_wal(connection: sqlite3.Connection, busy_timeout: float) -> None:
    """Switches to WAL mode; SQLite does not wait by itself when another connection blocks this."""
    give_up = time.monotonic() + busy_timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if primary_code(error) not in _BUSY or time.monotonic() > give_up:
                raise
        time.sleep(0.01)


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its extension; 0 when the error is not SQLite's own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


@contextmanager
def translated(path: Path, busy_timeout: float) -> Iterator[None]:
    """Converts errors of SQLite and of the system to Thalamus's own."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        code = primary_code(error)
        if code in _BUSY:
            raise StoreBusy(path, f"{busy_timeout:g}") from error
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise StoreDamaged(path, text) from error
        if code in _UNWRITABLE:
            raise StoreFull(path, text, _UNWRITABLE[code]) from error
        raise
    except OSError as error:
        reason = error.strerror or error
        raise StoreFull(error.filename or path, reason, error.errno) from error


_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_UNWRITABLE = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_READONLY: errno.EACCES,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
}


# -- a store whose file is empty or missing -------------------------------------------------------


_FIX = (
    "Restore a backup with `thalamus store restore BACKUP`; until then nothing is written. If it"
    " was removed on purpose, `thalamus key adopt` starts a new one."
)


def check_not_lost(folder: Path, keys: Keys | None) -> None:
    """Raises ``StoreDamaged`` when there was a store in this folder and its file is empty or
    missing."""
    if (witness := witness_of(folder, keys)) is not None:
        path = folder / FILE
        problem = "the file is empty" if path.exists() else "the file is missing"
        raise StoreDamaged(path, f"{problem}, and {witness}", fix=_FIX)


def witness_of(folder: Path, keys: Keys | None) -> str | None:
    """Evidence of a store that was here and is missing; None when there is one, or never was
    one."""
    path = folder / FILE
    with _while_nobody_makes_it(folder):
        if not empty(path):
            return None
        log = path.with_name(f"{FILE}-wal")
        if log.is_file() and log.stat().st_size:
            return f"its log {log.name} exists"
        if (folder / "index").is_dir():  # created after the file, and before there are any indexes
            return "the folder of its search indexes exists"
        with suppress(BadKey):
            if keys is not None and _signed(folder, keys):
                return "its key has signed a store there"
    return None


@contextmanager
def _while_nobody_makes_it(folder: Path) -> Iterator[None]:
    """Waits for another process that may be creating the first tables."""
    with ExitStack() as stack:
        if (folder / LOCK).is_file():
            with suppress(OSError):  # a folder without write permission
                stack.enter_context(exclusive(folder / LOCK))
        yield


def _signed(folder: Path, keys: Keys) -> bool:
    """True when the key has signed a store in this folder. If an empty file or our lock remains, a
    store whose present place the key does not know counts too, because folders are moved."""
    places = keys.places()
    if str(folder.resolve()) in places:
        return True
    folders = [place for place in places if "://" not in place]
    left = (folder / FILE).exists() or (folder / LOCK).exists()
    return left and any(not place or empty(Path(place) / FILE) for place in folders)
