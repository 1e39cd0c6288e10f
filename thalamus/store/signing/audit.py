"""Comparison of a store with its signatures, and signing all of it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.errors import NotSigned
from thalamus.records.reports import Finding
from thalamus.store import ledger
from thalamus.store.keys import Keys
from thalamus.store.signing import head as heads
from thalamus.store.signing.chain import sign_everything
from thalamus.store.signing.head import Head, signer_for
from thalamus.store.signing.signatures import Signatures
from thalamus.store.signing.signer import Signer
from thalamus.store.signing.verification import Verifier

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.records import Event
    from thalamus.store.signing.verification import FileChecks
    from thalamus.store.tables import Tables


class StoreVerification:
    """A verification in progress. ``head``: the signed head in one word, to be kept elsewhere."""

    def __init__(
        self,
        rows: Tables,
        signer: Signer,
        head: Head | None,
        checks: FileChecks,
        against: Head | None,
        former: bool = False,
    ) -> None:
        self._verifier = Verifier(rows, signer, head, checks)
        self._against = against
        self._signer = signer
        self._former = former
        self.head = ""
        if head is not None:
            self.head = heads.to_keep(heads.read_meta(Signatures(rows)), head, signer)

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


def verify(
    rows: Tables, keys: Keys, checks: FileChecks, against: str | None = None
) -> StoreVerification:
    """A verification of the snapshot that ``rows`` reads. ``checks``: the driver's own.

    Raises ``BadKey`` without the key, ``NotSigned``, or ``UsageError`` when ``against`` is not a
    head.
    """
    signer, head = _signer_of(rows, keys)
    kept = None
    if against is not None:
        kept = heads.kept(heads.read_meta(Signatures(rows)), against, signer)
    former = head is not None and keys.former(head.key) is not None
    return StoreVerification(rows, signer, head, checks, kept, former)


def sign_again(rows: Tables, key: bytes, event: Event, clock: Clock) -> str:
    """Signs all rows as they are and logs ``event``, in the current transaction; returns the
    store's id."""
    ledger.append(rows, [event], clock)
    sign_everything(rows, Signer(key))
    return heads.store_id(heads.read_meta(Signatures(rows)))


def _signer_of(rows: Tables, keys: Keys) -> tuple[Signer, Head | None]:
    """Signer of the store according to its head, or, if that was tampered with, the current key."""
    signatures = Signatures(rows)
    try:
        meta = heads.read_meta(signatures) if rows.describe("meta") else {}
        head, known = heads.parsed(meta), keys.known(heads.store_id(meta))
    except (ValueError, TypeError):
        head, known = None, keys.exists()
    if head is None and not known and not (keys.signs_any() and signatures.has_records()):
        raise NotSigned()
    if head is not None and (former := keys.former(head.key)) is not None:
        return Signer(former), head
    if head is None or (known and keys.key(head.key) is None):
        key = keys.key(None)
        assert key is not None
        return Signer(key), head
    return signer_for(keys, head), head
