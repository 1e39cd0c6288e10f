"""Folding rows into the indexes in another process, so that nobody waits for it, and upkeep of the
HNSW graphs there.

Any process that finds that an index lacks many rows, or is damaged, starts another one, which may
outlive it. It may be killed at any time: nothing unfinished is ever used, and the next one does the
rest. One that failed is not started again at once, so that a machine with a full disk or too little
memory is not kept busy.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.locks import exclusive_if_free
from thalamus.store.indexes.indexes import Indexes
from thalamus.store.maintenance import HnswResult
from thalamus.store.sqlite.connection import FILE, empty, open_file

if TYPE_CHECKING:
    import subprocess

# locks in the folder of the indexes; each is empty unless its process failed
LOCK, HNSW_LOCK = "folding.lock", "hnsw.lock"
RETRY_AFTER = {LOCK: 60.0, HNSW_LOCK: 3600.0}  # seconds until a failed process is started again
INTERVAL = 1.0  # seconds between two checks by one process
NICE = 10  # interactive work comes first


class Upkeep:
    """Starts the process when there is something to do. ``folder``: the store's."""

    def __init__(self, folder: Path, indexes: Indexes) -> None:
        self._folder = folder
        self._indexes = indexes
        self._next = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, last: bool = False) -> None:
        """Starts the process if it is needed and not running, but not more often than once a
        second; with ``last`` also if it is running and may have done its work. Never raises."""
        if not last and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + INTERVAL
        running = not last and self._process is not None and self._process.poll() is None
        with suppress(OSError, ValueError, sqlite3.Error):
            if running or not self._has_work():
                return
            function = "main" if self._indexes.approximate else "fold"
            try:
                self._process = _start(self._folder, function)
            except OSError:  # where no process can be started
                self._indexes.fold()

    def _has_work(self) -> bool:
        folder = self._indexes.folder
        if self._indexes.behind():
            folder.mkdir(exist_ok=True, mode=0o700)
            return _may_start(folder / LOCK)
        return self._indexes.hnsw_due() and _may_start(folder / HNSW_LOCK)


def _start(folder: Path, function: str) -> subprocess.Popen[bytes]:
    """A process that runs a function of this module for a store, and may outlive this one. The
    package's folder goes last in its path, and the working directory is not in it, so that nothing
    there can replace a module that it imports. Raises ``OSError``."""
    import subprocess

    if getattr(sys, "frozen", False):
        raise OSError("the program is no Python interpreter")
    package = str(Path(__file__).parents[3])
    imported = f"from {__name__} import {function}; {function}()"
    code = f"import sys; sys.path.append({package!r}); {imported}"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code, str(folder.absolute())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


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
    while True:
        with _marked(indexes.folder / LOCK) as acquired:
            if acquired:
                indexes.mend()
                if not indexes.fold():
                    sys.exit(1)
        # whoever has stored more since saw that the lock was held
        if not (acquired and indexes.behind()):
            return indexes


def main() -> None:
    """Folds rows in as ``fold``, then builds the HNSW graphs that are due."""
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
