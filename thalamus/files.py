"""Atomic file writes: under a temporary name, then renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from thalamus.errors import FULL, CannotWrite
from thalamus.names import normal_name

PRIVATE = 0o600  # mode of a file that only its owner may read: the default


@contextmanager
def replacing(
    path: Path,
    *,
    mode: int = PRIVATE,
    sync: bool = True,
    sync_folder: bool = False,
    part: Path | None = None,
) -> Iterator[BinaryIO]:
    """A file that replaces ``path`` when the block ends, and is removed if the block raises.

    ``sync``: flush its bytes to disk before that, so that a power failure leaves the old or the new
    file; ``sync_folder``: flush its name as well. ``part``: temporary name (default: one of this
    process, next to ``path``). Raises ``OSError``.
    """
    with (
        replacing_path(path, mode=mode, sync_folder=sync_folder, part=part) as written,
        written.open("wb") as file,
    ):
        yield file
        if sync:
            flush(file)


@contextmanager
def replacing_path(
    path: Path, *, mode: int = PRIVATE, sync_folder: bool = False, part: Path | None = None
) -> Iterator[Path]:
    """Like ``replacing``, for content written by name: the path of an empty file. Raises
    ``OSError``."""
    part = part or _part_of(path)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, mode))
        yield part
        move(part, path, sync_folder=sync_folder)
    except OSError as error:
        _name_target(error, part, path)
        raise
    finally:
        part.unlink(missing_ok=True)


def create(path: Path, data: bytes, *, mode: int = PRIVATE) -> bool:
    """Creates a file with these bytes unless it exists; among several processes the first wins.
    Returns True if it was created. Raises ``OSError``."""
    part = _part_of(path)
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, mode), "wb") as file:
            file.write(data)
            flush(file)
        os.link(part, path)
    except FileExistsError:
        return False
    except OSError as error:
        _name_target(error, part, path)
        raise
    finally:
        part.unlink(missing_ok=True)
    return True


def move(part: Path, path: Path, *, sync_folder: bool = False) -> None:
    """Moves a complete file to its final name in one step. Raises ``OSError``."""
    part.replace(path)
    if sync_folder:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def other_spellings(path: Path) -> list[Path]:
    """Other files or folders next to a path whose names are its name in another Unicode form, the
    newest first."""
    try:
        found = [other for other in path.parent.iterdir() if other.name != path.name]
    except OSError:
        return []
    same = [other for other in found if normal_name(other.name) == path.name]
    # a file system that ignores the form finds the same file under both
    same = [other for other in same if not (path.exists() and path.samefile(other))]
    return sorted(same, key=lambda other: -other.stat().st_mtime)


def adopt_spelling(path: Path) -> None:
    """Renames a file or folder that exists only under another Unicode form of its name. Raises
    ``CannotWrite``."""
    if path.name.isascii() or path.exists():
        return
    for other in other_spellings(path)[:1]:
        try:
            other.rename(path)
        except OSError as error:
            raise CannotWrite(other, error) from None


def flush(file: BinaryIO) -> None:
    """Flushes a file to disk. Raises ``OSError``."""
    file.flush()
    os.fsync(file.fileno())


def _name_target(error: OSError, part: Path, path: Path) -> None:
    """Replaces the temporary name in an error by the one that the caller knows. The error of a
    full disk has none."""
    if error.filename in (str(part), part) or (error.filename is None and error.errno in FULL):
        error.filename = str(path)


def _part_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")
