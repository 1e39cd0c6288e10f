"""Locks between processes: files that one process at a time holds."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

PAUSE = 0.05  # seconds between two attempts to get a lock


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Holds a lock that the kernel releases when the process ends for any reason."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def exclusive_within(path: Path, seconds: float) -> Iterator[bool]:
    """Like ``exclusive``, but yields False when another process holds the lock for so long."""
    give_up = time.monotonic() + seconds
    with path.open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= give_up:
                    yield False
                    return
                time.sleep(PAUSE)
            else:
                yield True
                return


def exclusive_if_free(path: Path) -> AbstractContextManager[bool]:
    """Like ``exclusive``, but yields False at once when another process holds the lock."""
    return exclusive_within(path, 0.0)
