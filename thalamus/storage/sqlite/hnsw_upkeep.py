"""Upkeep of the HNSW indexes: building and extending them when that is due, in the background.

Whoever notices that it is due starts a process, which works at a low priority and holds no
lock while it builds. It ends when the store is gone or its vectors are rebuilt, and may be killed
at any time: what it was building was in its memory only. One that did not end well is started
again after an hour, so that a machine with too little memory for it is not kept busy.
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

from thalamus.storage.protocol import HnswResult
from thalamus.storage.sqlite.connection import FILE, empty, exclusive_if_free, open_file
from thalamus.storage.sqlite.indexes import Indexes
from thalamus.storage.sqlite.processes import command

if TYPE_CHECKING:
    import subprocess

LOCK = "hnsw.lock"  # in the folder of the indexes; it is empty unless the process did not end well
EVERY = 60.0  # seconds between two looks of one process
AGAIN = 3600.0  # seconds after which a process that did not end well is started again
NICE = 10  # what a person waits for comes first


class Upkeep:
    """Starts the process when there is something to do. ``folder``: the store's."""

    def __init__(self, folder: Path, indexes: Indexes) -> None:
        self._folder = folder
        self._indexes = indexes
        self._next = time.monotonic() + EVERY
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, at_once: bool = False) -> None:
        """Starts the process if it is needed and does not run. Never raises; unless ``at_once``
        only every minute, and not in the first: most processes end before."""
        if not at_once and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + EVERY
        running = self._process is not None and self._process.poll() is None
        with suppress(OSError, ValueError, sqlite3.Error):
            if not running and self._indexes.hnsw_due() and _may_start(self._indexes.folder / LOCK):
                self._process = _start(self._folder)


def _start(folder: Path) -> subprocess.Popen[bytes]:
    import subprocess

    return subprocess.Popen(
        command(__name__, folder.absolute()),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _may_start(lock: Path) -> bool:
    """Whether no process is at it, and none failed a short time ago. Raises ``OSError`` where
    nothing can be written."""
    with exclusive_if_free(lock) as free:
        status = lock.stat()
        failed = status.st_size > 0 and abs(time.time() - status.st_mtime) < AGAIN
        return free and not failed


def keep(indexes: Indexes, progress: Callable[[int], None]) -> list[HnswResult]:
    """Builds or extends the HNSW indexes for which it is due, unless another process is doing so.
    Raises ``OSError``."""
    indexes.folder.mkdir(exist_ok=True, mode=0o700)
    lock = indexes.folder / LOCK
    with exclusive_if_free(lock) as mine:
        if not mine:
            return []
        made = indexes.keep_hnsw(progress)
        os.truncate(lock, 0)
        return made


def main() -> None:
    """Keeps the HNSW indexes of the store in ``sys.argv[1]``."""
    _come_last()
    folder = Path(sys.argv[1])
    lock = folder / "index" / LOCK
    if empty(folder / FILE):
        return
    with exclusive_if_free(lock) as mine:
        if mine:
            lock.write_text("A process keeps the HNSW indexes, or did not end well.\n")
            indexes = Indexes(folder / "index", open_file(folder / FILE, 30.0))
            while any(made.kept for made in indexes.keep_hnsw(lambda _: None)):
                pass  # while it built others may have written
            os.truncate(lock, 0)


def _come_last() -> None:
    """Behind all others for the processor, and before them where memory runs out."""
    with suppress(OSError):
        os.nice(NICE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
