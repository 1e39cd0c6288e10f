"""Keyed fingerprints of names: nobody can tell what a fingerprint stands for, or confirm a guess,
without the store key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from thalamus.store.signing.key_derivation import derive, fingerprint

if TYPE_CHECKING:
    from thalamus.security.keys import StoreKeys

_SIZE = 16  # bytes of a fingerprint


class Fingerprints:
    """Makes and compares fingerprints with the keys of a store."""

    def __init__(self, keys: StoreKeys) -> None:
        self._keys = keys

    def make(self, names: Iterable[str]) -> dict[str, Any]:
        """Fingerprints of names, with the fingerprint of the key. Raises ``BadKey``."""
        key = self._keys.key(None)
        assert key is not None  # created if there was none
        digest = _digest(key)
        return {"key": fingerprint(key), "values": sorted({digest(name) for name in names})}

    def matcher(self, fingerprints: Mapping[str, Any]) -> Callable[[str], bool] | None:
        """A test for names with these fingerprints; None when their key is not here."""
        key = self._keys.key(fingerprints["key"]) or self._keys.former(fingerprints["key"])
        if key is None:
            return None
        digest, values = _digest(key), frozenset(fingerprints["values"])
        return lambda name: digest(name) in values


def _digest(key: bytes) -> Callable[[str], str]:
    import hmac

    secret = derive(key, "forgotten")
    return lambda name: hmac.digest(secret, name.encode("utf-8", "replace"), "sha256")[:_SIZE].hex()
