"""Folding rows into the indexes in another process, so that nobody waits for it, and upkeep of the
HNSW graphs there.

Any process that finds that an index lacks many rows, or is damaged, starts another one, which may
outlive it. It may be killed at any time: nothing unfinished is ever used, and the next one does the
rest. One that failed is not started again at once, so that a machine with a full disk or too little
memory is not kept busy.

While one process stores many records, the other works beside it until it ends: folding takes as
long as storing, and with a second process both cores of a small machine are busy.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.locks import exclusive_if_free
from thalamus.store.indexes.child_process import command, start
from thalamus.store.indexes.indexes import Indexes
from thalamus.store.maintenance import HnswResult
from thalamus.store.sqlite.connection import FILE, empty, open_file

if TYPE_CHECKING:
    import subprocess

# locks in the folder of the indexes; each is empty unless its process failed
LOCK, HNSW_LOCK = "folding.lock", "hnsw.lock"
RETRY_AFTER = {LOCK: 60.0, HNSW_LOCK: 3600.0}  # seconds until a failed process is started again
INTERVAL = 1.0  # seconds between two checks because of searches
NICE = 10  # interactive work comes first
LAG = 5_000  # rows that the indexes may lack while many records are stored
MOST = 60_000  # rows at which storing waits: a search looks at them itself
CACHE = 32 << 10  # kilobytes of page cache: hashes fall on pages anywhere
LOG = 4_000  # pages of SQLite's log at which they are moved into the database
PAUSE = 0.05  # seconds
PATIENCE = 30.0  # seconds without progress after which storing no longer waits


class Upkeep:
    """Starts the process when there is something to do. ``folder``: the store's."""

    def __init__(self, folder: Path, indexes: Indexes) -> None:
        self._folder = folder
        self._indexes = indexes
        self._next = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, at_once: bool = True) -> None:
        """Starts the process if it is needed and not running. Never raises; unless ``at_once`` only
        every second."""
        if not at_once and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + INTERVAL
        running = self._process is not None and self._process.poll() is None
        with suppress(OSError, ValueError, sqlite3.Error):
            if running or not self._has_work():
                return
            function = "main" if self._indexes.approximate else "fold"
            try:
                self._process = start(__name__, self._folder, function)
            except OSError:  # where no process can be started
                self._indexes.fold()

    def _has_work(self) -> bool:
        folder = self._indexes.folder
        if self._indexes.behind():
            folder.mkdir(exist_ok=True, mode=0o700)
            return _may_start(folder / LOCK)
        return self._indexes.hnsw_due() and _may_start(folder / HNSW_LOCK)


def _may_start(lock: Path) -> bool:
    """True when no process is running, and none failed a short time ago. Raises ``OSError`` where
    nothing can be written."""
    with exclusive_if_free(lock) as free:
        status = lock.stat()
        since = abs(time.time() - status.st_mtime)
        return free and not (status.st_size > 0 and since < RETRY_AFTER[lock.name])


@contextmanager
def _marked(lock: Path) -> Iterator[bool]:
    """Holds a lock, if it is free, which says so until the block ends well."""
    with exclusive_if_free(lock) as acquired:
        if acquired:
            lock.write_text("A process keeps the search indexes, or did not end well.\n")
        yield acquired
        if acquired:
            os.truncate(lock, 0)


def keep_hnsw(indexes: Indexes, progress: Callable[[int], None]) -> list[HnswResult]:
    """Folds rows in, and builds or extends the HNSW graphs that are due, unless another process is
    doing so. Raises ``OSError``."""
    indexes.folder.mkdir(exist_ok=True, mode=0o700)
    lock = indexes.folder / HNSW_LOCK
    with exclusive_if_free(lock) as acquired:
        if not acquired:
            return []
        with indexes.locked():  # waits for a process that folds rows in
            pass
        results = indexes.keep_hnsw(progress)
        os.truncate(lock, 0)
        return results


def fold() -> Indexes | None:
    """Folds rows into the indexes of the store in ``sys.argv[1]``; None without a store."""
    folder = Path(sys.argv[1])
    if empty(folder / FILE):
        return None
    indexes = Indexes(folder / "index", open_file(folder / FILE, 30.0))
    with _marked(indexes.folder / LOCK) as acquired:
        if acquired:
            indexes.mend()
            if not indexes.fold():
                sys.exit(1)
    return indexes


def main() -> None:
    """Does the same, and then builds the HNSW graphs that are due."""
    indexes = fold()
    if indexes is None or not indexes.hnsw_due():
        return
    _come_last()
    with _marked(indexes.folder / HNSW_LOCK) as acquired:
        while acquired and any(result.kept for result in indexes.keep_hnsw(lambda _: None)):
            pass  # others may have written while it built


def _come_last() -> None:
    """Lowers the priority for the processor, and makes this the first process to be killed when
    memory runs out."""
    with suppress(OSError):
        os.nice(NICE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


# -- beside a process that stores many records ----------------------------------------------------


class FoldingBeside:
    """The second process of a store's writer, started when there is enough to do."""

    def __init__(self, db: sqlite3.Connection, folder: Path, indexes: Indexes) -> None:
        self._folder = folder
        self._indexes = indexes
        self._process: subprocess.Popen[bytes] | None = None
        self._stuck = False
        db.execute(f"PRAGMA cache_size = -{CACHE}")
        db.execute(f"PRAGMA wal_autocheckpoint = {LOG}")

    def check(self) -> None:
        """Called after each transaction: starts the process, or waits while the indexes lack very
        many rows."""
        import subprocess

        if self._process is None and self._indexes.behind(LAG):
            started = command(__name__, self._folder, "beside")
            try:
                self._process = subprocess.Popen(
                    started, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
                )
            except OSError:
                self._indexes.fold()
        seen, since = self._indexes.state(), time.monotonic()
        while not self._stuck and self._indexes.behind(MOST):
            if self._process is None or self._process.poll() is not None:
                self._indexes.fold(LAG)  # it was killed
                break
            time.sleep(PAUSE)
            if seen != (state := self._indexes.state()):
                seen, since = state, time.monotonic()
            # the disk is full, or another process rebuilds the indexes
            self._stuck = time.monotonic() - since > PATIENCE

    def finish(self) -> None:
        """Lets the process finish, and waits for it."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()
            self._process = None


def beside() -> None:
    """Folds rows into the indexes of the store in ``sys.argv[1]`` until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the first process
    gc.set_threshold(50_000)  # many objects and little garbage
    folder = Path(sys.argv[1])
    indexes = Indexes(folder / "index", open_file(folder / FILE, 30.0))
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        indexes.fold(LAG)
    indexes.fold()
    os._exit(0)  # nothing is left to do, and a regular exit takes long
