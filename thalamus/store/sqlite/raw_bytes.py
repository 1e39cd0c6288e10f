"""Reading the bytes of a database that this process may have open.

POSIX locks belong to a process and a file: closing any descriptor of a file releases all locks that
the process holds on it, including SQLite's (sqlite.org, "How To Corrupt An SQLite Database File",
2.2). The next process then believes that it is alone, and deletes the log that this one is still
writing to. So a descriptor of such a file is never closed but reused: one for each file, for the
lifetime of the process.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

_kept: dict[tuple[int, int], int] = {}  # descriptors by device and inode
_making = threading.Lock()


def blocks_of_database(path: Path, size: int) -> Iterator[bytes]:
    """Bytes of a database, of its log or of the log's index, in blocks of at most ``size``. Raises
    ``OSError``."""
    descriptor, offset = _descriptor(path), 0
    while block := os.pread(descriptor, size, offset):
        offset += len(block)
        yield block


def blocks(path: Path, size: int) -> Iterator[bytes]:
    """Bytes of any other file, in blocks of at most ``size``. Raises ``OSError``."""
    with path.open("rb") as file:
        while block := file.read(size):
            yield block


def _descriptor(path: Path) -> int:
    with _making:
        status = path.stat()
        if (status.st_dev, status.st_ino) in _kept:
            return _kept[status.st_dev, status.st_ino]
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        found = os.fstat(descriptor)  # another process may have replaced the file meanwhile
        return _kept.setdefault((found.st_dev, found.st_ino), descriptor)
