"""Signatures of rows, ledger entries and embeddings, and the store-wide values signed with them, as
rows of their tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from thalamus.records.kinds import numbered
from thalamus.store.tables import TOGETHER

if TYPE_CHECKING:
    from thalamus.store.tables import Tables


SIGNATURES = "SELECT n, kind, ref, name, tag, digest, chain FROM signature"
NEWEST = "SELECT digest FROM signature WHERE ref = ? AND tag = ? ORDER BY n DESC LIMIT 1"
DELETED = """
SELECT ref, tag FROM signature WHERE digest IS NULL AND name IS NOT NULL GROUP BY ref, tag"""
ENTRIES = """
SELECT seq, at, name, turn, session, data, prev, hash, salt, body, "user", agent, mac
FROM event ORDER BY seq"""
EMBEDDINGS = "SELECT n, space, key, vector, sentences, mac FROM embedding ORDER BY n"


class Signature(NamedTuple):
    """Signature of one version of a row. ``ref`` and ``tag`` identify the row; ``name`` is None
    after it was forgotten; ``digest`` is None for a deletion; ``chain`` covers this signature and
    all before it."""

    n: int
    kind: str
    ref: int
    name: str | None
    tag: bytes
    digest: bytes | None
    chain: bytes


class Signatures:
    """The signatures of a store."""

    def __init__(self, rows: Tables) -> None:
        self._rows = rows

    # -- store-wide values ------------------------------------------------------------------------

    def values(self, names: Sequence[str]) -> dict[str, str]:
        """Store-wide values that are set."""
        values = self._rows.values()
        return {name: values[name] for name in names if name in values}

    def set_value(self, name: str, value: str) -> None:
        self._rows.set_value(name, value)

    def has_records(self) -> bool:
        """True for a store with any record."""
        tables = ("document", *(kind.name for kind in numbered()))
        return any(self._rows.fetch(f"SELECT 1 FROM {table} LIMIT 1") for table in tables)

    # -- rows -------------------------------------------------------------------------------------

    def add(self, signatures: Sequence[Signature]) -> None:
        self._rows.insert("signature", Signature._fields, signatures)

    def clear(self) -> None:
        self._rows.delete("signature", "true")

    def each(self) -> Iterator[Signature]:
        """All signatures in the order of the chain."""
        return map(Signature._make, self._rows.execute(f"{SIGNATURES} ORDER BY n"))

    def at(self, n: int) -> Signature | None:
        found = self._rows.fetch(f"{SIGNATURES} WHERE n = ?", n)
        return Signature(*found[0]) if found else None

    def last(self) -> tuple[int, bytes] | None:
        """Number and chain of the last signature."""
        return self._rows.chain_end("signature")

    def newest_digests(self, rows: Sequence[tuple[int, bytes]]) -> list[bytes | None]:
        """Digest in the newest signature of each row, given its ``ref`` and ``tag``; None when
        there is none, or it was deleted."""
        found: list[bytes | None] = []
        for start in range(0, len(rows), TOGETHER):
            part = rows[start : start + TOGETHER]
            each = self._rows.fetch_each(*((NEWEST, ref, tag) for ref, tag in part))
            found += [newest[0][0] if newest else None for newest in each]
        return found

    def blank_names(self) -> None:
        """Removes the names of deleted rows from their signatures; the chain does not need
        them."""
        for ref, tag in self._rows.fetch(DELETED):
            if self.newest_digests([(ref, tag)]) == [None]:  # not added again since
                self._rows.update("signature", {"name": None}, "ref = ? AND tag = ?", ref, tag)

    # -- ledger entries ---------------------------------------------------------------------------

    def entries(self) -> Iterator[Any]:
        """Ledger entries, oldest first, with their signatures in the column ``mac``."""
        return iter(self._rows.execute(ENTRIES))

    def signed_entries(self) -> list[Any]:
        """Signed columns of ledger entries (number, hash, user, agent), and the signature."""
        return self._rows.fetch('SELECT seq, hash, "user", agent, mac FROM event')

    def entry_hash(self, seq: int) -> str:
        """Hash of a ledger entry; empty when it is missing."""
        found = self._rows.fetch("SELECT hash FROM event WHERE seq = ?", seq)
        return str(found[0][0]) if found else ""

    def last_entry(self) -> tuple[int, str]:
        """Number and hash of the last ledger entry; 0 and empty without one."""
        return self._rows.chain_end("event") or (0, "")

    def sign_entry(self, seq: int, mac: bytes) -> None:
        self._rows.update("event", {"mac": mac}, "seq = ?", seq)

    # -- embeddings -------------------------------------------------------------------------------

    def embeddings(self) -> Iterator[Any]:
        """(n, space, key, vector, sentences, mac) of every embedding, by number."""
        return iter(self._rows.execute(EMBEDDINGS))

    def sign_embeddings(self, macs: Iterable[tuple[int, bytes]]) -> None:
        for n, mac in macs:
            self._rows.update("embedding", {"mac": mac}, "n = ?", n)

    def models(self) -> dict[int, str]:
        """Model of each space."""
        return {row[0]: row[1] for row in self._rows.fetch("SELECT id, model FROM space")}
