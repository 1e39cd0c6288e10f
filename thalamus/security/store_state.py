"""Verifying a store, and signing it anew: what `verify`, `key` and `doctor` do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from thalamus.errors import BadKey, Tampered, ThalamusError
from thalamus.records import Finding
from thalamus.security.keys import StoreKeys, new_key, unwrap, wrap
from thalamus.storage.sqlite import signatures as heads
from thalamus.storage.sqlite.connection import connect, open_file, translated, witness_of
from thalamus.storage.sqlite.signer import Signer, fingerprint

if TYPE_CHECKING:
    import sqlite3

    from thalamus.api import Thalamus
    from thalamus.storage.sqlite.signatures import Head


class NotSigned(ThalamusError):
    """The store is not signed yet."""

    code = 1
    name = "not_signed"
    fix = "The next write signs it as it is then found; `thalamus key adopt` does so at once."


class Verification:
    """A store being verified."""

    def __init__(
        self,
        db: sqlite3.Connection,
        signer: Signer,
        head: Head | None,
        against: Head | None,
        former: bool = False,
    ) -> None:
        from thalamus.storage.sqlite.verification import Verifier

        self._verifier = Verifier(db, signer, head)
        self._against = against
        self._signer = signer
        self._former = former
        self.head = heads.to_keep(db, head, signer) if head else ""

    def findings(self) -> Iterator[Finding]:
        """Everything that was changed."""
        if self._former:
            detail = (
                "it was signed with a former key: an older backup, which `thalamus key rotate`"
                " signs anew, or the work of somebody who has that key"
            )
            yield Finding(table="meta", id=heads.NAME, what="rolled back", detail=detail)
        yield from self.of_rows()

    def of_rows(self) -> Iterator[Finding]:
        """The same without whose signature it is."""
        yield from self._verifier.findings(self._against)

    @property
    def counts(self) -> dict[str, int]:
        """How much was looked at; complete when the findings are."""
        found = self._verifier
        return {"rows": found.rows, "signatures": found.signatures, "events": found.events}

    @property
    def summary(self) -> str:
        """What was looked at, in a line."""
        counts = self.counts
        return (
            f"{counts['rows']} rows and {counts['events']} ledger entries are as they were signed"
            f" ({counts['signatures']} signatures, key {self._signer.fingerprint})"
        )

    @staticmethod
    def in_words(finding: Finding) -> str:
        """A finding as a line."""
        name = f"{finding.table} {finding.id}".strip()
        return f"{name}: {finding.what}; {finding.detail}"


@contextmanager
def verify(thalamus: Thalamus, against: str | None = None) -> Iterator[Verification]:
    """A verification of one state of the store, whatever is written meanwhile.

    Raises ``BadKey`` without the key, ``NotSigned``, or ``UsageError`` for a head that is none.
    """
    store = thalamus.store
    timeout = thalamus.config.busy_timeout
    with translated(store.path, timeout), closing(open_file(store.path, timeout)) as db:
        db.execute("BEGIN")
        yield verify_connection(db, StoreKeys(thalamus.config), against)


def verify_connection(
    db: sqlite3.Connection, keys: StoreKeys, against: str | None = None
) -> Verification:
    """A verification of what this connection sees. Raises like ``verification``."""
    db.row_factory = None
    signer, head = _who_signed(db, keys)
    kept = heads.kept(db, against, signer) if against else None
    former = head is not None and keys.former(head.key) is not None
    return Verification(db, signer, head, kept, former)


def _who_signed(db: sqlite3.Connection, keys: StoreKeys) -> tuple[Signer, Head | None]:
    """Who signed the store: as its head says, or, where that was tampered with, our key."""
    from sqlite3 import OperationalError

    from thalamus.storage.sqlite.signatures import has_rows, signer_for

    try:
        head, known = heads.read(db), keys.known(heads.store_id(db))
    except (ValueError, TypeError, OperationalError):
        head, known = None, keys.held() is not None
    if head is None and not known and not (keys.signs_any() and has_rows(db)):
        raise NotSigned()
    if head is not None and (former := keys.former(head.key)) is not None:
        return Signer(former), head
    if head is None or (known and keys.key(head.key) is None):
        key = keys.key(None)
        assert key is not None
        return Signer(key), head
    return signer_for(db, keys, head), head


def key_state(thalamus: Thalamus) -> dict[str, str]:
    """Where the key is, and how it stands to the store."""
    keys = StoreKeys(thalamus.config)
    held = keys.held()
    state = {"place": keys.place.name, "fingerprint": fingerprint(held.keys[0]) if held else ""}
    if thalamus.open_store() is None:
        return {**state, "store": "there is none yet"}
    head = thalamus.store.signed_head()
    if head is None:
        told = "not signed yet: the next write does it"
    elif held is not None and keys.key(head.key) is not None:
        told = "signed with this key"
    elif keys.former(head.key) is not None:
        told = "signed with a former key: run `thalamus key rotate`"
    else:
        told = f"signed with another key, {head.key}: it can be read, and not written"
    return {**state, "store": told}


def rotate_key(thalamus: Thalamus) -> dict[str, str]:
    """Signs the store with a new key, once it was verified; goes on where it was interrupted.

    Raises ``Tampered`` when the store is not what was signed.
    """
    keys = StoreKeys(thalamus.config)
    before = _verified(thalamus)
    held = keys.held()
    if held is not None and keys.former(before) is not None:  # an older backup was restored
        new = held.keys[0]
    else:
        with keys.changing() as held:
            held.next = held.next or new_key().hex()
            new = bytes.fromhex(held.next)
    if fingerprint(new) != before:
        _sign_anew(thalamus, new, "rotated", before)
    with keys.changing() as held:
        if held.next:
            old, next_ = held.keys
            for subject, wrapped in held.subjects.items():
                with suppress(BadKey):  # one that does not open stays as it is
                    held.subjects[subject] = wrap(next_, subject, unwrap(old, subject, wrapped))
            held.former = [held.key, *held.former]
            held.key, held.next = held.next, ""
    return {"what": "rotated", "key": fingerprint(new), "before": before}


def is_lost(thalamus: Thalamus) -> bool:
    """Whether there was a store of which nothing is left to be signed."""
    config = thalamus.config
    keys = StoreKeys(config) if config.key_store != "none" else None
    return witness_of(config.store_dir, keys) is not None


def sign_again(thalamus: Thalamus) -> dict[str, str]:
    """Signs the store with the present key as it is; begins a new one where one was lost."""
    keys = StoreKeys(thalamus.config)
    key = keys.key(None)
    assert key is not None
    if is_lost(thalamus):
        config = thalamus.config
        connect(config.store_dir, config.tenant, config.busy_timeout, create=True).close()
    try:
        head = thalamus.store.signed_head()
    except Tampered:
        head = None
    before = head.key if head else ""
    id = _sign_anew(thalamus, key, "adopted", before)
    keys.remember(id, str(thalamus.config.store_dir.resolve()))
    return {"what": "adopted", "key": fingerprint(key), "before": before}


def _verified(thalamus: Thalamus) -> str:
    """The fingerprint of the key that signed the store, which is as it was signed."""
    with verify(thalamus) as verified:
        for finding in verified.of_rows():
            raise Tampered(verified.in_words(finding))
    head = thalamus.store.signed_head()
    assert head is not None
    return head.key


def _sign_anew(thalamus: Thalamus, key: bytes, what: str, before: str) -> str:
    """Signs everything in one transaction, and tells the ledger; returns the store's id."""
    from thalamus.records import Event
    from thalamus.storage.sqlite import ledger
    from thalamus.storage.sqlite.signatures import sign_everything

    store, timeout = thalamus.store, thalamus.config.busy_timeout
    signer = Signer(key)
    data = {"key": signer.fingerprint, "before": before}
    with translated(store.path, timeout), closing(open_file(store.path, timeout)) as db:
        db.execute("BEGIN IMMEDIATE")
        event = Event(name=f"key_{what}", at=thalamus.clock.stamp(), data=data)
        ledger.append(db, event, thalamus.clock, signer)
        sign_everything(db, signer)
        id = heads.store_id(db)
        db.execute("COMMIT")
    return id
