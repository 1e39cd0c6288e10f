"""Erasure of deleted content from the files of a SQLite store: indexes, log and free pages."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from thalamus.errors import ThalamusError
from thalamus.locks import PAUSE, exclusive_within
from thalamus.store.sqlite.connection import primary_code

if TYPE_CHECKING:
    from thalamus.store.indexes.indexes import Indexes

Progress = Callable[[str], None]


def erase(
    db: sqlite3.Connection, indexes: Indexes, busy_timeout: float, progress: Progress
) -> list[str]:
    """Rewrites indexes, log and free pages without the deleted content; returns the failures."""
    left: list[str] = []
    steps: tuple[tuple[str, Callable[[], str]], ...] = (
        ("rebuilding the indexes", lambda: _rebuild(indexes, busy_timeout)),
        ("emptying SQLite's log", lambda: empty_log(db, busy_timeout)),
        ("rewriting the database", lambda: _vacuum(db)),
        ("emptying SQLite's log", lambda: empty_log(db, busy_timeout)),
    )
    for part, step in steps:
        progress(part)
        problem = step()
        if problem and problem not in left:
            left.append(problem)
    return left


def _rebuild(indexes: Indexes, busy_timeout: float) -> str:
    """Deletes the files before new ones are written: even when there is no room for these, the
    words are erased, and another process rebuilds the indexes."""
    try:
        indexes.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive_within(indexes.folder / "index.lock", busy_timeout) as acquired:
            if not acquired:
                return "the indexes: another process is writing to them"
        indexes.rebuild()
    except (OSError, ValueError, sqlite3.Error, ThalamusError) as error:
        return f"the indexes: {error}"
    return ""


def empty_log(db: sqlite3.Connection, busy_timeout: float) -> str:
    """Empties the write-ahead log; returns the problem, if there is one."""
    give_up = time.monotonic() + busy_timeout
    while True:
        try:
            busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error as error:
            if primary_code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                return f"SQLite's log: {error}"
            busy = 1
        if not busy:
            return ""
        if time.monotonic() > give_up:
            return "SQLite's log: another process is reading the store"
        time.sleep(PAUSE)


def _vacuum(db: sqlite3.Connection) -> str:
    try:
        db.execute("VACUUM")
    except sqlite3.Error as error:
        return f"the database's free pages: {error}"
    return ""
