"""Verification and signing of a SQLite file, on a connection of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.store.signing import audit
from thalamus.store.signing.audit import StoreVerification
from thalamus.store.sqlite import file_checks
from thalamus.store.sqlite.connection import (
    begin_writing,
    check_not_migrated,
    open_file,
    translated,
)
from thalamus.store.sqlite.tables import SqliteTables

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.records import Event
    from thalamus.records.reports import Finding
    from thalamus.store.keys import Keys


class _File:
    """See ``store.signing.verification.FileChecks``."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def findings(self) -> Iterator[Finding]:
        return file_checks.findings(self._db)


@contextmanager
def verification(
    path: Path, busy_timeout: float, keys: Keys, against: str | None = None
) -> Iterator[StoreVerification]:
    """A verification of one snapshot of the store, whatever is written meanwhile. Raises like
    ``store.signing.audit.verify``."""
    with translated(path, busy_timeout), closing(open_file(path, busy_timeout)) as db:
        db.execute("BEGIN")
        check_not_migrated(db, path)
        yield verify_connection(db, keys, against)


def verify_connection(
    db: sqlite3.Connection, keys: Keys, against: str | None = None
) -> StoreVerification:
    """A verification of this connection's snapshot. Raises like ``store.signing.audit.verify``."""
    db.row_factory = sqlite3.Row
    db.text_factory = _text
    return audit.verify(SqliteTables(db), keys, _File(db), against)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def sign_again(path: Path, busy_timeout: float, key: bytes, event: Event, clock: Clock) -> str:
    """Signs all rows as they are, in one transaction that also logs ``event``; returns the store's
    id. Raises ``StoreBusy``, ``StoreFull``."""
    with translated(path, busy_timeout), closing(open_file(path, busy_timeout)) as db:
        begin_writing(db, path)
        id = audit.sign_again(SqliteTables(db), key, event, clock)
        db.execute("COMMIT")
    return id
