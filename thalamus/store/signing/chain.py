"""The chain of signatures, one for each version of each row, and signing a whole store.

A signature holds a digest of a row under the store key and continues the chain; the signed head
records its end. ``store.signing.writing`` signs the rows written in a unit of work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from thalamus.store.signing import head as signed_head
from thalamus.store.signing.head import Head, Sum
from thalamus.store.signing.signatures import Signature, Signatures
from thalamus.store.signing.signer import Signer
from thalamus.store.signing.tables import SignedTable, Version, tables
from thalamus.store.tables import Tables

AT_ONCE = 1000  # signatures in memory while a whole store is signed


class SignatureChain:
    """Appends signatures to the one at the head."""

    def __init__(self, signatures: Signatures, signer: Signer, head: Head) -> None:
        self._signatures = signatures
        self._signer = signer
        self._head = head

    def add(self, versions: Iterable[Version]) -> None:
        versions = iter(versions)
        while part := list(islice(versions, AT_ONCE)):
            self._signatures.add(self._linked(part))

    def _linked(self, versions: Iterable[Version]) -> list[Signature]:
        """Signatures, each linked to the one before it."""
        n, chain = self._head.n, bytes.fromhex(self._head.chain)
        link = self._signer.link
        signatures = []
        for kind, ref, name, tag, digest in versions:
            n += 1
            chain = link(chain, n, kind, ref, tag, digest)
            signatures.append(Signature(n, kind, ref, name, tag, digest, chain))
        self._head.n, self._head.chain = n, chain.hex()
        return signatures


def versions_of(
    table: SignedTable, signer: Signer, found: Iterable[tuple[Any, ...]]
) -> Iterator[Version]:
    for row in found:
        yield table.version(signer, row)


def sign_everything(
    rows: Tables, signer: Signer, signed: dict[str, SignedTable] | None = None
) -> Head:
    """Signs a whole store as it is, in the current transaction."""
    signed, signatures = signed or tables(rows), Signatures(rows)
    last = signatures.last()
    head = Head(key=signer.fingerprint)
    if last is not None:
        head.first, head.n = last[0] + 1, last[0]
        signatures.clear()
    chain = SignatureChain(signatures, signer, head)
    first = rows.fetch_each(*((f"SELECT 1 FROM {kind} LIMIT 1",) for kind in signed))
    for table, found in zip(signed.values(), first, strict=True):
        if found:
            chain.add(versions_of(table, signer, table.all(rows)))
    for seq, hash, user, agent, _ in signatures.signed_entries():
        signatures.sign_entry(seq, signer.entry(seq, hash, user, agent))
    sign_vectors(signatures, signer)
    signed_head.write_columns(signatures, signed)
    head.seq, head.hash = signatures.last_entry()
    signed_head.write(signatures, head, signer)
    return head


def sign_vectors(signatures: Signatures, signer: Signer) -> None:
    """Signs every embedding as it is."""
    found: dict[int, Sum] = {}
    macs = []
    for n, space, key, data, sentences, _ in signatures.embeddings():
        mac = signer.vector(space, key, data, sentences)
        found.setdefault(space, Sum()).move(1, signer.place(n, mac))
        macs.append((n, mac))
    signatures.sign_embeddings(macs)
    signed_head.put_sums(signatures, found)
