"""The chain of signatures, one for each version of each row, and signing a whole store.

A signature holds a digest of a row under the store key and continues the chain; the signed head
records its end. ``signing_layer`` signs the rows written in a unit of work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from thalamus.security import signed_head
from thalamus.security.signed_head import Head, Sum
from thalamus.security.signed_tables import SignedTable, Version, tables
from thalamus.security.signer import Signer
from thalamus.storage.protocol.rows import Connection, Rows

AT_ONCE = 1000  # signatures in memory while a whole store is signed
_COLUMNS = ("n", "kind", "ref", "name", "tag", "digest", "chain")


class SignatureChain:
    """Appends signatures to the one at the head."""

    def __init__(self, rows: Rows, signer: Signer, head: Head) -> None:
        self._rows = rows
        self._signer = signer
        self._head = head

    def add(self, versions: Iterable[Version]) -> None:
        versions = iter(versions)
        while part := list(islice(versions, AT_ONCE)):
            self._rows.insert("signature", _COLUMNS, self._linked(part))

    def _linked(self, versions: Iterable[Version]) -> list[tuple[Any, ...]]:
        """Rows of signatures, each linked to the one before it."""
        n, chain = self._head.n, bytes.fromhex(self._head.chain)
        link = self._signer.link
        rows = []
        for kind, ref, name, tag, digest in versions:
            n += 1
            chain = link(chain, n, kind, ref, tag, digest)
            rows.append((n, kind, ref, name, tag, digest, chain))
        self._head.n, self._head.chain = n, chain.hex()
        return rows


def versions_of(
    table: SignedTable, signer: Signer, found: Iterable[tuple[Any, ...]]
) -> Iterator[Version]:
    for row in found:
        yield table.version(signer, row)


def sign_everything(
    rows: Rows, signer: Signer, signed: dict[str, SignedTable] | None = None
) -> Head:
    """Signs a whole store as it is, in the current transaction."""
    signed, db = signed or tables(rows), rows.connection
    last = signed_head.last_signature(db)
    head = Head(key=signer.fingerprint)
    if last is not None:
        head.first, head.n = last[0] + 1, last[0]
        db.execute("DELETE FROM signature")
    chain = SignatureChain(rows, signer, head)
    for table in signed.values():
        chain.add(versions_of(table, signer, table.all(rows)))
    for seq, hash in db.execute("SELECT seq, hash FROM event").fetchall():
        db.execute("UPDATE event SET mac = ? WHERE seq = ?", (signer.entry(seq, hash), seq))
    sign_vectors(db, signer)
    signed_head.write_columns(db, signed)
    head.seq, head.hash = signed_head.last_event(db)
    signed_head.write(db, head, signer)
    return head


def sign_vectors(db: Connection, signer: Signer) -> None:
    """Signs every embedding as it is."""
    found: dict[int, Sum] = {}
    query = "SELECT n, space, key, vector, sentences FROM embedding"
    for n, space, key, data, sentences in db.execute(query).fetchall():
        mac = signer.vector(space, key, data, sentences)
        found.setdefault(space, Sum()).move(1, signer.place(n, mac))
        db.execute("UPDATE embedding SET mac = ? WHERE n = ?", (mac, n))
    signed_head.put_sums(db, found)


def blank_names(db: Connection) -> None:
    """Removes the names of deleted rows from their signatures, in the current transaction; the
    chain does not need them."""
    same_row = "ref = signature.ref AND {0}.tag = signature.tag"
    newest = f"SELECT max(n) FROM signature AS any WHERE any.{same_row.format('any')}"
    db.execute(
        "UPDATE signature SET name = NULL WHERE name IS NOT NULL AND EXISTS"
        f" (SELECT 1 FROM signature AS later WHERE later.{same_row.format('later')}"
        f" AND later.digest IS NULL AND later.n = ({newest}))"
    )
