"""Opening of files named by users: regular files only, and within a size limit."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from thalamus.errors import DocumentError

_PART = 1 << 20  # bytes read at a time
_KINDS = {
    stat.S_IFIFO: "a pipe, not a file; `-` reads standard input",
    stat.S_IFSOCK: "a socket, not a file",
    stat.S_IFCHR: "a device, not a file",
    stat.S_IFBLK: "a device, not a file",
}


def open_regular(path: Path, look_first: bool = True) -> BinaryIO:
    """A regular file, opened for reading without blocking: a pipe may never be written to.

    Raises ``DocumentError`` of kind ``unreadable`` with what it is instead, and ``OSError``. The
    type is checked before opening, which may already affect a device, and again afterwards, since
    the file may have been replaced (``look_first=False`` skips the first check).
    """
    if look_first:
        _check(path, path.stat().st_mode)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        _check(path, os.fstat(descriptor).st_mode)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def digest(path: Path, most: int, seconds: float) -> str:
    """SHA-256 of a file. Raises the errors of ``read``."""
    found = hashlib.sha256()
    for part in _parts(path, most, seconds):
        found.update(part)
    return found.hexdigest()


def read(path: Path, most: int, seconds: float) -> bytes:
    """The bytes of a file, at most ``most``: it may grow while it is read.

    Raises the errors of ``open_regular``, ``DocumentError`` of kind ``too_large`` or ``too_slow``,
    and ``OSError``.
    """
    return b"".join(_parts(path, most, seconds))


def too_slow(name: object, seconds: float) -> DocumentError:
    """The error for a document that takes too long."""
    reason = f"it took longer than {seconds:g} seconds; raise `ingest_timeout` to wait longer"
    return DocumentError(name, reason, kind="too_slow")


def too_large(name: object, size: int, most: int) -> DocumentError:
    """The error for a document that is too large."""
    reason = f"it is larger than {most >> 20} MB ({size >> 20} MB)"
    return DocumentError(name, reason, kind="too_large")


def _parts(path: Path, most: int, seconds: float) -> Iterator[bytes]:
    end = time.monotonic() + seconds
    size = 0
    with open_regular(path) as file:
        while part := file.read(_PART):
            size += len(part)
            if size > most:
                raise too_large(path, size, most)
            if time.monotonic() > end:
                raise too_slow(path, seconds)
            yield part


def _check(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "not a regular file")
        raise DocumentError(path, f"it is {kind}", kind="unreadable")
