"""Signatures of rows, ledger entries and embeddings, and the store-wide values signed with them, as
rows of their tables. ``security`` makes and checks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from thalamus.records.kinds import numbered
from thalamus.store import ledger
from thalamus.store.conditions import PRESENT, Clause
from thalamus.store.row_access import Selection
from thalamus.store.tables import AT_ONCE, TOGETHER

if TYPE_CHECKING:
    from thalamus.store.conditions import Where
    from thalamus.store.row_access import Rows


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

    def __init__(self, rows: Rows) -> None:
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
        return any(self._rows.select(table, ("id",), limit=1) for table in tables)

    # -- rows -------------------------------------------------------------------------------------

    def add(self, signatures: Sequence[Signature]) -> None:
        self._rows.insert("signature", Signature._fields, signatures)

    def clear(self) -> None:
        self._rows.delete("signature", {})

    def each(self) -> Iterator[Signature]:
        """All signatures in the order of the chain."""
        return map(Signature._make, self._rows.each("signature", Signature._fields, order=("n",)))

    def at(self, n: int) -> Signature | None:
        found = self._rows.select("signature", Signature._fields, {"n": n})
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
            each = self._rows.select_each(
                [
                    Selection("signature", ("digest",), {"ref": ref, "tag": tag}, ("-n",), 1)
                    for ref, tag in part
                ]
            )
            found += [newest[0][0] if newest else None for newest in each]
        return found

    def blank_names(self) -> None:
        """Removes the names of deleted rows from their signatures; the chain does not need
        them."""
        with_name = {"digest": None, "name": PRESENT}
        found = self._rows.select("signature", ("ref", "tag"), with_name, group=("ref", "tag"))
        for start in range(0, len(found), AT_ONCE):
            part = [tuple(row) for row in found[start : start + AT_ONCE]]
            where = {"ref": [ref for ref, _ in part]}
            versions = self._rows.select("signature", ("tag", "digest"), where, ("n",))
            newest = {row[0]: row[1] for row in versions}
            deleted = [row for row in part if newest[row[1]] is None]  # not added again since
            if deleted:
                refs, tags = zip(*deleted, strict=True)
                self._rows.update("signature", {"name": None}, {"ref": refs, "tag": tags})

    # -- ledger entries ---------------------------------------------------------------------------

    def entries(self) -> Iterator[Any]:
        """Ledger entries, oldest first, with their signatures in the column ``mac``."""
        return self._rows.each("event", (*ledger.COLUMNS, "mac"), order=("seq",))

    def signed_entries(self, where: Where | Clause | None = None) -> list[Any]:
        """Signed columns of ledger entries (number, hash, user, agent), and the signature."""
        return self._rows.select("event", ("seq", "hash", "user", "agent", "mac"), where)

    def entry_hash(self, seq: int) -> str:
        """Hash of a ledger entry; empty when it is missing."""
        found = self._rows.select("event", ("hash",), {"seq": seq})
        return str(found[0][0]) if found else ""

    def last_entry(self) -> tuple[int, str]:
        """Number and hash of the last ledger entry; 0 and empty without one."""
        return self._rows.chain_end("event") or (0, "")

    def sign_entry(self, seq: int, mac: bytes) -> None:
        self._rows.update("event", {"mac": mac}, {"seq": seq})

    # -- embeddings -------------------------------------------------------------------------------

    def embeddings(self) -> Iterator[Any]:
        """(n, space, key, vector, sentences, mac) of every embedding, by number."""
        columns = ("n", "space", "key", "vector", "sentences", "mac")
        return self._rows.each("embedding", columns, order=("n",))

    def sign_embeddings(self, macs: Iterable[tuple[int, bytes]]) -> None:
        for n, mac in macs:
            self._rows.update("embedding", {"mac": mac}, {"n": n})

    def models(self) -> dict[int, str]:
        """Model of each space."""
        return {row[0]: row[1] for row in self._rows.select("space", ("id", "model"))}
