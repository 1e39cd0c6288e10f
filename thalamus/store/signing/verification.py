"""Verification of a store: finds and names changes made outside Thalamus.

Reads one snapshot of the store, row by row; nothing is written. The driver supplies checks of the
database file itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from thalamus.errors import Tampered
from thalamus.records.reports import Finding
from thalamus.store import ledger
from thalamus.store.ledger import GENESIS as LEDGER_GENESIS
from thalamus.store.signing import head as heads
from thalamus.store.signing.head import Head, Sum
from thalamus.store.signing.signatures import Signatures
from thalamus.store.signing.signer import GENESIS, Signer
from thalamus.store.signing.tables import SignedTable, tables
from thalamus.store.tables import Tables

NEEDED = ("meta", "signature", "event")  # required for any verification


class FileChecks(Protocol):
    """A driver's checks of its file."""

    def findings(self) -> Iterator[Finding]: ...


class Verifier:
    """One verification of a store. ``rows``, ``signatures`` and ``events`` count the items
    checked."""

    def __init__(self, rows: Tables, signer: Signer, head: Head | None, file: FileChecks) -> None:
        self._tables = rows
        self._signatures = Signatures(rows)
        self._signer = signer
        self._head = head
        self._meta: heads.Meta = {}
        self._file = file
        self.rows = self.signatures = self.events = 0
        # newest signature of each row, by tag: its number, its digest, and True if it has a name
        self._newest: dict[bytes, tuple[int, bytes | None, bool]] = {}

    def findings(self, against: Head | None = None) -> Iterator[Finding]:
        """All findings. ``against``: a head that was kept elsewhere."""
        yield from self._file.findings()
        if not all(map(self._tables.describe, NEEDED)):
            return
        self._meta = heads.read_meta(self._signatures)
        yield from self._check_head()
        if against is not None:
            yield from self._extends(against)
        yield from self._check_signatures()
        yield from self._check_rows()
        yield from self._check_vectors()
        yield from self._check_ledger()

    def _check_head(self) -> Iterator[Finding]:
        def wrong(record: str, detail: str) -> Finding:
            return Finding(table="meta", id=heads.NAME, what=record, detail=detail)

        if self._head is None:
            yield wrong("removed", "the signed head is missing or malformed")
            return
        if self._head.key != self._signer.fingerprint:
            yield wrong("edited", f"it names another key, {self._head.key}")
        if not _is_valid(lambda: self._head.is_signed(self._signer, self._meta)):  # type: ignore[union-attr]
            subject = (
                f"the head, or one of {', '.join(heads.SIGNED_META)}, does not match its signature"
            )
            yield wrong("edited", subject)

    def _extends(self, kept: Head) -> Iterator[Finding]:
        """Checks that this store is a later state of the one whose head was kept."""
        first = self._head.first if self._head else 1
        chain = GENESIS.hex() if kept.n == first - 1 else None
        if (signature := self._signatures.at(kept.n)) is not None:
            chain = _hex(signature.chain)
        if chain != kept.chain:
            reason = "the store was signed again since" if kept.n < first - 1 else "an older state"
            detail = f"signature {kept.n} is not that of the head that was kept: {reason}"
            yield Finding(table="signature", id=str(kept.n), what="rolled back", detail=detail)
        if self._signatures.entry_hash(kept.seq) != kept.hash:
            detail = "it is not that of the given head"
            yield Finding(table="event", id=str(kept.seq), what="rolled back", detail=detail)

    # -- signatures ----------------------------------------------------------------------------

    def _check_signatures(self) -> Iterator[Finding]:
        """Checks the chain; keeps the newest signature of each row for the check of the rows."""
        last = self._head.first - 1 if self._head else 0
        before: Any = GENESIS
        for n, kind, ref, name, tag, digest, chain in self._signatures.each():
            self.signatures += 1
            if n != last + 1:
                numbers = f"{last + 1}" if n == last + 2 else f"{last + 1} to {n - 1}"
                detail = "not in the chain" if n <= last else "before the next one"
                yield _signature(numbers, "removed", detail)
            elif not _is_valid(
                lambda: chain == self._signer.link(before, n, kind, ref, tag, digest)  # noqa: B023
            ):
                detail = f"it does not follow from signature {last}: {kind} {name}"
                yield _signature(str(n), "edited", detail)
            if not (name is None or _is_valid(lambda: self._signer.tag(kind, name) == tag)):  # noqa: B023
                yield _signature(str(n), "edited", f"it does not belong to {kind} {name}")
            self._newest[_bytes(tag)] = (n, digest, name is not None)
            last, before = n, chain
        if self._head is not None and (self._head.n, self._head.chain) != (last, _hex(before)):
            yield _signature(str(self._head.n), "removed", f"the chain ends at signature {last}")

    # -- rows ----------------------------------------------------------------------------------

    def _check_rows(self) -> Iterator[Finding]:
        try:
            signed = heads.columns(self._meta)
        except (ValueError, TypeError):
            signed = {}
        for kind, table in tables(self._tables).items():
            if kind in signed and not {*table.keys} <= {*signed[kind]} <= {*table.columns}:
                continue  # the table or the head was changed, which was reported
            if kind in signed or not signed:
                yield from self._check_table(table.narrowed(signed.get(kind, table.columns)))
        for n, digest, _ in self._newest.values():
            if digest is not None and (signature := self._signatures.at(n)) is not None:
                kind, id = str(signature.kind), _id(signature.name)
                detail = f"it is not in the table; signature {n} has it"
                yield Finding(table=kind, id=id, what="removed", detail=detail)

    def _check_table(self, table: SignedTable) -> Iterator[Finding]:
        for row in table.all(self._tables):
            self.rows += 1
            name = table.name([_plain(value) for value in table.name_values(row)])
            tag = self._signer.tag(table.kind, name)
            n, digest, has_name = self._newest.pop(tag, (0, None, False))
            if digest is None:
                yield Finding(
                    table=table.kind, id=_id(name), what="inserted", detail="no signature has it"
                )
            elif not _is_valid(lambda: table.digest(self._signer, row) == digest):  # noqa: B023
                detail = f"it does not match signature {n}"
                yield Finding(table=table.kind, id=_id(name), what="edited", detail=detail)
            elif not has_name:
                yield _signature(str(n), "edited", f"its name is missing: {table.kind} {name}")

    def _check_vectors(self) -> Iterator[Finding]:
        if not all(map(self._tables.describe, ("space", "embedding"))):
            return
        sums: dict[Any, Sum] = {}
        models = self._signatures.models()
        for n, space, key, data, sentences, mac in self._signatures.embeddings():
            if _is_valid(lambda: mac == self._signer.vector(space, key, data, sentences)):  # noqa: B023
                sums.setdefault(space, Sum()).move(1, self._signer.place(n, mac))
                continue
            detail = f"the vector by {models.get(space, space)} of the row with key {key}"
            yield Finding(table="embedding", id=str(n), what="edited", detail=detail)
            sums.setdefault(space, Sum()).edited += 1
        try:
            signed = heads.sums(self._meta)
        except (ValueError, TypeError):
            return  # the head does not match, which was reported
        for space in sorted({*sums, *signed}, key=str):
            counted, at_signing = sums.get(space, Sum()), signed.get(space, Sum())
            count = counted.count + counted.edited
            if count != at_signing.count or (
                counted.total != at_signing.total and not counted.edited
            ):
                change = "removed" if count < at_signing.count else "inserted"
                change = "edited" if count == at_signing.count else change
                detail = (
                    f"{count} vectors by {models.get(space, space)}, {at_signing.count} were signed"
                )
                yield Finding(table="embedding", id=str(space), what=change, detail=detail)

    # -- the ledger ----------------------------------------------------------------------------

    def _signs_owners(self) -> bool:
        """True when the owners of ledger entries are signed: not yet right after a migration."""
        try:
            return "event" in heads.columns(self._meta) or heads.COLUMNS not in self._meta
        except (ValueError, TypeError):
            return True

    def _check_ledger(self) -> Iterator[Finding]:
        last, prev = 0, LEDGER_GENESIS
        owned = self._signs_owners()
        emptied = ledger.EmptiedEntries()
        for row in self._signatures.entries():
            seq = row["seq"]
            owner = (row["user"], row["agent"]) if owned else (None, None)
            self.events += 1
            if seq != last + 1:
                numbers = f"{last + 1}" if seq == last + 2 else f"{last + 1} to {seq - 1}"
                yield _event(numbers, "removed", f"entry {seq} comes next")
            elif not _is_valid(lambda: _is_utf8(row) and ledger.follows(prev, row)):  # noqa: B023
                yield _event(str(seq), "edited", f"it does not follow from entry {last}")
            elif not _is_valid(
                lambda: row["mac"] == self._signer.entry(seq, row["hash"], *owner)  # noqa: B023
            ):
                yield _event(str(seq), "edited", "its signature is wrong")
            _is_valid(lambda: emptied.see(row))  # noqa: B023
            last, prev = seq, row["hash"]
        for seq in sorted(emptied.left):
            yield _event(str(seq), "edited", "it was emptied, but no later entry records it")
        if self._head is not None and (self._head.seq, self._head.hash) != (
            last,
            prev if last else "",
        ):
            yield _event(str(self._head.seq), "removed", f"the ledger ends at entry {last}")


def _is_valid(check: Callable[[], bool]) -> bool:
    """Result of a check; False for a value of an impossible type."""
    try:
        return check()
    except (TypeError, ValueError, AttributeError, OverflowError, Tampered):
        return False


def _is_utf8(row: Sequence[Any]) -> bool:
    """True when all texts are valid UTF-8."""
    return all(value.encode() is not None for value in row if isinstance(value, str))


def _plain(value: Any) -> Any:
    """A value of a name in a form that JSON can represent."""
    if isinstance(value, bytes):
        return value.hex()
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else repr(value).encode()


def _hex(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else repr(value)


def _id(name: Any) -> str:
    """Id in a row's name: its last part, all parts for a link."""
    import msgspec

    try:
        parts = msgspec.json.decode(name)
    except (msgspec.DecodeError, TypeError):
        return str(name)
    return " ".join(map(str, parts if len(parts) > 2 else parts[-1:]))


def _signature(n: str, change: str, detail: str) -> Finding:
    return Finding(table="signature", id=n, what=change, detail=detail)


def _event(seq: str, change: str, detail: str) -> Finding:
    return Finding(table="event", id=seq, what=change, detail=detail)
