"""The store key and a store: their state, rotation of the key, and signing a store again."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from thalamus.errors import BadKey, Tampered
from thalamus.records import Event
from thalamus.records.reports import Finding
from thalamus.security.keys import StoreKeys, new_key, unwrap, wrap
from thalamus.store.signing.head import checked_head
from thalamus.store.signing.key_derivation import fingerprint

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.store.base import Store


def finding_line(finding: Finding) -> str:
    """One line about a finding."""
    name = f"{finding.table} {finding.id}".strip()
    return f"{name}: {finding.what}; {finding.detail}"


def key_state(keys: StoreKeys, store: Store | None) -> dict[str, str]:
    """Location of the key, and its relation to the store, if there is one.

    Raises ``BadKey`` when the key cannot be read, ``Tampered`` when the signed head cannot.
    """
    ring = keys.key_ring()
    state = {"place": keys.place.name, "fingerprint": fingerprint(ring.keys[0]) if ring else ""}
    if store is None:
        return {**state, "store": "no store yet"}
    head = store.signed_head()
    if head is None:
        status = "not signed yet; the next write signs it"
    elif ring is not None and keys.key(head.key) is not None:
        status = "signed with this key"
    elif keys.former(head.key) is not None:
        status = "signed with a previous key: run `thalamus key rotate`"
    else:
        status = f"signed with another key, {head.key}: read-only"
    return {**state, "store": status}


def rotate_key(keys: StoreKeys, store: Store, clock: Clock) -> dict[str, str]:
    """Signs the store with a new key, after verifying it; resumes an interrupted rotation.

    Raises ``Tampered`` when the store does not match its signatures, ``NotSigned``, ``BadKey``.
    """
    before = _verified(keys, store)
    ring = keys.key_ring()
    if ring is not None and keys.former(before) is not None:  # an older backup was restored
        new = ring.keys[0]
    else:
        with keys.changing() as ring:
            ring.next = ring.next or new_key().hex()
            new = bytes.fromhex(ring.next)
    if fingerprint(new) != before:
        _sign_again(store, new, "rotated", before, clock)
    with keys.changing() as ring:
        if ring.next:
            old, next_ = ring.keys
            for subject, wrapped in ring.subjects.items():
                with suppress(BadKey):  # one that cannot be unwrapped is not changed
                    ring.subjects[subject] = wrap(next_, subject, unwrap(old, subject, wrapped))
            ring.former = [ring.key, *ring.former]
            ring.key, ring.next = ring.next, ""
    return {"what": "rotated", "key": fingerprint(new), "before": before}


def adopt_store(keys: StoreKeys, store: Store, folder: str, clock: Clock) -> dict[str, str]:
    """Signs the store in ``folder`` with the current key as it is. Raises ``BadKey``."""
    key = keys.key(None)
    assert key is not None
    try:
        head = store.signed_head()
    except Tampered:
        head = None
    before = head.key if head else ""
    id = _sign_again(store, key, "adopted", before, clock)
    keys.remember(id, folder)
    return {"what": "adopted", "key": fingerprint(key), "before": before}


def keys_of_copy(
    values: Mapping[str, str], keys: StoreKeys | None, config: Config
) -> StoreKeys | None:
    """The keys of a store that is copied, given its store-wide values; None when it is not signed.
    A tenant without keys takes those of the store's tenant. Raises ``BadKey``."""
    head = checked_head(values)
    if head is None:
        return None
    if keys is not None and not keys.exists():
        keys.take(StoreKeys(msgspec.structs.replace(config, tenant=values["tenant"])))
    if keys is None or not keys.exists() or not _has(keys, head.key):
        raise BadKey(
            f"the store was signed with key {head.key}, which tenant {config.tenant} does not have",
            fix="Copy the key file to where `thalamus key show` says, or choose another --tenant.",
        )
    return keys


def _has(keys: StoreKeys, name: str) -> bool:
    return keys.key(name) is not None or keys.former(name) is not None


def _verified(keys: StoreKeys, store: Store) -> str:
    """Fingerprint of the key that signed the store, after a successful verification."""
    with store.verification(keys) as verified:
        for finding in verified.of_rows():
            raise Tampered(finding_line(finding))
    head = store.signed_head()
    assert head is not None
    return head.key


def _sign_again(store: Store, key: bytes, action: str, before: str, clock: Clock) -> str:
    """Signs everything and logs it; returns the store's id."""
    data = {"key": fingerprint(key), "before": before}
    return store.sign_again(key, Event(name=f"key_{action}", at=clock.stamp(), data=data))
