"""Upkeep of the HNSW indexes: building and extending them in the background when that is due.

Any process that finds it due starts another one, which works at a low priority and holds no lock
while it builds. That ends when the store is deleted or its vectors are rebuilt, and may be killed
at any time: the unfinished index is only in its memory. One that failed is started again after an
hour, so that a machine with too little memory is not kept busy.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.locks import exclusive_if_free
from thalamus.store.indexes.child_process import start
from thalamus.store.indexes.indexes import Indexes
from thalamus.store.maintenance import HnswResult
from thalamus.store.sqlite.connection import FILE, empty, open_file

if TYPE_CHECKING:
    import subprocess

LOCK = "hnsw.lock"  # in the folder of the indexes; it is empty unless the process failed
INTERVAL = 60.0  # seconds between two checks by one process
RETRY_AFTER = 3600.0  # seconds after which a failed process is started again
NICE = 10  # interactive work comes first


class Upkeep:
    """Starts the process when there is something to do. ``folder``: the store's."""

    def __init__(self, folder: Path, indexes: Indexes) -> None:
        self._folder = folder
        self._indexes = indexes
        self._next = time.monotonic() + INTERVAL
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, at_once: bool = False) -> None:
        """Starts the process if it is needed and not running. Never raises; unless ``at_once`` only
        every minute, and not in the first: most processes end before."""
        if not at_once and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + INTERVAL
        running = self._process is not None and self._process.poll() is None
        with suppress(OSError, ValueError, sqlite3.Error):
            if not running and self._indexes.hnsw_due() and _may_start(self._indexes.folder / LOCK):
                self._process = start(__name__, self._folder)


def _may_start(lock: Path) -> bool:
    """True when no process is running, and none failed a short time ago. Raises ``OSError`` where
    nothing can be written."""
    with exclusive_if_free(lock) as free:
        status = lock.stat()
        failed = status.st_size > 0 and abs(time.time() - status.st_mtime) < RETRY_AFTER
        return free and not failed


def keep(indexes: Indexes, progress: Callable[[int], None]) -> list[HnswResult]:
    """Builds or extends the HNSW indexes that are due, unless another process is doing so. Raises
    ``OSError``."""
    indexes.folder.mkdir(exist_ok=True, mode=0o700)
    lock = indexes.folder / LOCK
    with exclusive_if_free(lock) as acquired:
        if not acquired:
            return []
        results = indexes.keep_hnsw(progress)
        os.truncate(lock, 0)
        return results


def main() -> None:
    """Updates the HNSW indexes of the store in ``sys.argv[1]``."""
    _come_last()
    folder = Path(sys.argv[1])
    lock = folder / "index" / LOCK
    if empty(folder / FILE):
        return
    with exclusive_if_free(lock) as acquired:
        if acquired:
            lock.write_text("A process keeps the HNSW indexes, or did not end well.\n")
            indexes = Indexes(folder / "index", open_file(folder / FILE, 30.0))
            while any(result.kept for result in indexes.keep_hnsw(lambda _: None)):
                pass  # others may have written while it built
            os.truncate(lock, 0)


def _come_last() -> None:
    """Lowers the priority for the processor, and makes this the first process to be killed when
    memory runs out."""
    with suppress(OSError):
        os.nice(NICE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
