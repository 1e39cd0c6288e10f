"""Message authentication with the store key: signatures of rows, vectors, ledger entries and the
head."""

from __future__ import annotations

import functools
import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import msgspec

from thalamus.store.signing.key_derivation import derive, fingerprint

DIGEST = 16  # bytes of a row's digest and of a tag
GENESIS = bytes(32)  # the chain before its first signature


class Signer:
    """Signs with the keys derived from the store key ``root``."""

    def __init__(self, root: bytes) -> None:
        self.fingerprint = fingerprint(root)
        self._row_key = derive(root, "rows")
        self._ledger = _hmac_sha256(derive(root, "ledger"))
        self._head = _hmac_sha256(derive(root, "head"))
        # keyed BLAKE2b is a MAC too, and faster where each row needs one more
        self._chain = functools.partial(hashlib.blake2b, key=derive(root, "chain"), digest_size=32)
        self._tag = functools.partial(hashlib.blake2b, key=derive(root, "tags"), digest_size=DIGEST)
        self._vector = functools.partial(
            hashlib.blake2b, key=derive(root, "vectors"), digest_size=DIGEST
        )

    def rows(self, kind: str, columns: list[str]) -> Callable[[Any], bytes]:
        """Digest function for rows of this table: over the names and values of its columns."""
        sign = _hmac_sha256(self._row_key, canonical([kind, columns]))
        encode = msgspec.msgpack.Encoder().encode
        return lambda values: sign(encode(values))[:DIGEST]

    def tag(self, kind: str, name: str) -> bytes:
        """Pseudonym of a row in the chain."""
        text = f"{kind}\x00{name}".encode("utf-8", "surrogatepass")
        return self._tag(text).digest()

    def vector(self, space: int, key: int, data: bytes, sentences: bytes | None) -> bytes:
        """Signature of an embedding."""
        return self._vector(canonical([space, key, data, sentences])).digest()

    def place(self, n: int, mac: bytes) -> int:
        """Contribution of an embedding with this number and signature to the sum in the head."""
        return int.from_bytes(self._vector(canonical([n, mac])).digest(), "big")

    def link(
        self, before: bytes, n: int, kind: str, ref: int, tag: bytes, digest: bytes | None
    ) -> bytes:
        """The chain after signature ``n``; ``digest`` is None for a row that was deleted."""
        number = n.to_bytes(8, "big") + ref.to_bytes(8, "big", signed=True)
        marked_digest = b"\x00" if digest is None else b"\x01" + digest
        return self._chain(b"".join((before, number, tag, marked_digest, kind.encode()))).digest()

    def entry(self, seq: int, hash: str, user: str | None, agent: str | None) -> bytes:
        """The signature of a ledger entry; its hash covers the entry, without its owner, and the
        one before it."""
        owner = [] if user is None and agent is None else [user, agent]
        return self._ledger(canonical([seq, hash, *owner]))

    def head(self, values: list[Any]) -> bytes:
        """The signature of the head."""
        return self._head(canonical(values))


def canonical(values: Any) -> bytes:
    """MessagePack: distinguishes texts, bytes, integers, floats and NULL."""
    return msgspec.msgpack.encode(values)


def mac(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.digest(key, data, "sha256")


def _hmac_sha256(key: bytes, begin: bytes = b"") -> Callable[[bytes], bytes]:
    """HMAC-SHA256 function for data that begins with ``begin``. The key and this prefix are hashed
    only once."""
    started = hmac.new(key, begin, "sha256")

    def sign(data: bytes) -> bytes:
        one = started.copy()
        one.update(data)
        return one.digest()

    return sign
