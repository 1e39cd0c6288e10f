"""Copies of a store's file: making a backup, and judging one."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from thalamus.errors import StoreDamaged, StoreTooNew
from thalamus.storage.sqlite.database import primary_code
from thalamus.storage.sqlite.migrations import SCHEMA_VERSION

COUNTED = ("turn", "memory", "fact", "document", "plan", "link", "embedding", "event")


def copy_verified(source: sqlite3.Connection, target: Path) -> None:
    """Copies a database to ``target``, which is replaced in one step once the copy is verified.

    The copy is one state of the source, whatever others write meanwhile, and a single file that
    only its owner may read. Raises ``StoreDamaged`` when the copy does not pass the check.
    """
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY, 0o600))
        copy = sqlite3.connect(part, isolation_level=None)
        try:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            problems = quick_check(copy)
        finally:
            copy.close()
        if problems:
            raise StoreDamaged(target, f"the copy is not sound: {problems[0]}", fix=_LEFT)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


_LEFT = "Nothing was written. `thalamus doctor` checks the store."


def quick_check(connection: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the pages of a database."""
    try:
        return [row[0] for row in connection.execute("PRAGMA quick_check") if row[0] != "ok"]
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
        return [str(error)]  # so damaged that the check itself stumbles


def judge(path: Path) -> dict[str, int]:
    """How many rows of each kind a backup holds; the file is only read.

    Raises ``StoreDamaged`` when it is no sound Thalamus store, ``StoreTooNew`` when a newer
    Thalamus wrote it.
    """
    fix = "Give the file that `thalamus backup` wrote."
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            meta = _meta(connection)
            if version > SCHEMA_VERSION and "store" in meta:
                raise StoreTooNew(path, version)
            if version < 1 or "store" not in meta:
                raise StoreDamaged(path, "it is not a Thalamus store", fix=fix)
            problems = quick_check(connection)
            if problems:
                raise StoreDamaged(path, problems[0], fix=fix)
            return {
                table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in COUNTED
            }
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StoreDamaged(path, str(error), fix=fix) from error


def _meta(connection: sqlite3.Connection) -> dict[str, object]:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    if "meta" not in {row[0] for row in tables}:
        return {}
    return {row[0]: row[1] for row in connection.execute("SELECT name, value FROM meta")}
