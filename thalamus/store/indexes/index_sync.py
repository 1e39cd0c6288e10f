"""Index synchronization in a second process, while the first one stores many records, or when the
index of a large store has to be built before a search can use it.

Indexing takes as long as storing, and neither depends on the other: with a second process both
cores of a small machine are busy. It ends with the first, for whatever reason that ends; the next
writer or reader does the remaining work. If it cannot be started the first process does its work.
One that builds an index for searches continues after the first, which may be a single command.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from thalamus.store.indexes.child_process import command
from thalamus.store.indexes.indexes import Indexes
from thalamus.store.sqlite.connection import FILE, open_file

LAG = 5_000  # rows that the indexes may be behind before they are synced
MOST = 60_000  # rows behind at which storing waits: a search scans them itself
CACHE = 32 << 10  # kilobytes of page cache: hashes fall on pages anywhere
LOG = 4_000  # pages of SQLite's log at which they are moved into the database
PAUSE = 0.05  # seconds
PATIENCE = 30.0  # seconds without progress after which storing no longer waits


class BackgroundSync:
    """The second process of a store's writer, started when there is enough to do."""

    def __init__(self, db: sqlite3.Connection, folder: Path, indexes: Indexes) -> None:
        self._folder = folder
        self._indexes = indexes
        self._process: subprocess.Popen[bytes] | None = None
        self._stuck = False
        db.execute(f"PRAGMA cache_size = -{CACHE}")
        db.execute(f"PRAGMA wal_autocheckpoint = {LOG}")

    def check(self) -> None:
        """Called after each transaction: starts the process, or waits while the indexes are far
        behind."""
        if self._process is None and self._indexes.behind(LAG):
            started = command(__name__, self._folder)
            try:
                self._process = subprocess.Popen(
                    started, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
                )
            except OSError:
                self._indexes.sync(0)
        seen, since = self._indexes.state(), time.monotonic()
        while not self._stuck and self._indexes.behind(MOST):
            if self._process is None or self._process.poll() is not None:
                self._indexes.sync(LAG)  # it was killed
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


def main() -> None:
    """Syncs the indexes of the store in ``sys.argv[1]`` until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the first process
    gc.set_threshold(50_000)  # many objects and little garbage
    folder = Path(sys.argv[1])
    indexes = Indexes(folder / "index", open_file(folder / FILE, 30.0))
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        indexes.sync(LAG)
    indexes.sync(0)
    os._exit(0)  # nothing is left to do, and a regular exit takes long
