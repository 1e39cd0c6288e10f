"""Comparison of a store with its signatures, and signing all of it again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from thalamus.errors import NotSigned
from thalamus.records import Finding
from thalamus.security import signed_head as heads
from thalamus.security.signature_chain import sign_everything
from thalamus.security.signed_head import Head, signer_for
from thalamus.security.signed_tables import has_rows
from thalamus.security.signer import Keys, Signer
from thalamus.security.verification import Verifier
from thalamus.storage import ledger
from thalamus.storage.sqlite import file_checks
from thalamus.storage.sqlite.connection import open_file, translated
from thalamus.storage.sqlite.tables import SqliteTables

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.records import Event


class AuditKeys(Keys, Protocol):
    """The keys of a store, including those that were rotated away."""

    def former(self, fingerprint: str) -> bytes | None:
        """A key that was rotated away; None for any other."""
        ...

    def exists(self) -> bool:
        """True when there is a key. Raises ``BadKey`` when it cannot be read."""
        ...


class StoreVerification:
    """A verification in progress. ``head``: the signed head in one word, to be kept elsewhere."""

    def __init__(
        self,
        rows: SqliteTables,
        signer: Signer,
        head: Head | None,
        against: Head | None,
        former: bool = False,
    ) -> None:
        self._verifier = Verifier(rows, signer, head, _File(rows.sqlite))
        self._against = against
        self._signer = signer
        self._former = former
        self.head = ""
        if head is not None:
            self.head = heads.to_keep(heads.read_meta(rows.connection), head, signer)

    def findings(self) -> Iterator[Finding]:
        """All changes made outside Thalamus."""
        if self._former:
            detail = (
                "it was signed with a previous key: an older backup, which `thalamus key rotate`"
                " signs again, or the work of someone who has that key"
            )
            yield Finding(table="meta", id=heads.NAME, what="rolled back", detail=detail)
        yield from self.of_rows()

    def of_rows(self) -> Iterator[Finding]:
        """The findings, without the one on the signer."""
        yield from self._verifier.findings(self._against)

    @property
    def counts(self) -> dict[str, int]:
        """Number of items checked; complete when the findings are."""
        found = self._verifier
        return {"rows": found.rows, "signatures": found.signatures, "events": found.events}

    @property
    def summary(self) -> str:
        """One line on the items checked."""
        counts = self.counts
        return (
            f"{counts['rows']} rows and {counts['events']} ledger entries match their signatures"
            f" ({counts['signatures']} signatures, key {self._signer.fingerprint})"
        )


class _File:
    """See ``security.verification.FileChecks``."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def findings(self) -> Iterator[Finding]:
        return file_checks.findings(self._db)


@contextmanager
def verification(
    path: Path, busy_timeout: float, keys: AuditKeys, against: str | None = None
) -> Iterator[StoreVerification]:
    """A verification of one snapshot of the store, whatever is written meanwhile.

    Raises ``BadKey`` without the key, ``NotSigned``, or ``UsageError`` when ``against`` is not a
    head.
    """
    with translated(path, busy_timeout), closing(open_file(path, busy_timeout)) as db:
        db.execute("BEGIN")
        yield verify_connection(db, keys, against)


def verify_connection(
    db: sqlite3.Connection, keys: AuditKeys, against: str | None = None
) -> StoreVerification:
    """A verification of this connection's snapshot. Raises like ``verification``."""
    db.row_factory = sqlite3.Row
    db.text_factory = _text
    signer, head = _signer_of(db, keys)
    kept = heads.kept(heads.read_meta(db), against, signer) if against else None
    former = head is not None and keys.former(head.key) is not None
    return StoreVerification(SqliteTables(db), signer, head, kept, former)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def sign_again(path: Path, busy_timeout: float, key: bytes, event: Event, clock: Clock) -> str:
    """Signs all rows as they are, in one transaction that also logs ``event``; returns the store's
    id. Raises ``StoreBusy``, ``StoreFull``."""
    signer = Signer(key)
    with translated(path, busy_timeout), closing(open_file(path, busy_timeout)) as db:
        db.execute("BEGIN IMMEDIATE")
        rows = SqliteTables(db)
        ledger.append(rows, [event], clock)
        rows.finish()
        sign_everything(rows, signer)
        id = heads.store_id(heads.read_meta(db))
        db.execute("COMMIT")
    return id


def _signer_of(db: sqlite3.Connection, keys: AuditKeys) -> tuple[Signer, Head | None]:
    """Signer of the store according to its head, or, if that was tampered with, the current key."""
    try:
        meta = heads.read_meta(db)
        head, known = heads.parsed(meta), keys.known(heads.store_id(meta))
    except (ValueError, TypeError, sqlite3.OperationalError):
        head, known = None, keys.exists()
    if head is None and not known and not (keys.signs_any() and has_rows(db)):
        raise NotSigned()
    if head is not None and (former := keys.former(head.key)) is not None:
        return Signer(former), head
    if head is None or (known and keys.key(head.key) is None):
        key = keys.key(None)
        assert key is not None
        return Signer(key), head
    return signer_for(keys, head), head
