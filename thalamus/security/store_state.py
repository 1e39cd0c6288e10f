"""How the store key stands to a store: its state, a new key, and signing a store again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Protocol

from thalamus.errors import BadKey, Tampered
from thalamus.records import Event, Finding
from thalamus.security.key_derivation import fingerprint
from thalamus.security.keys import StoreKeys, new_key, unwrap, wrap

if TYPE_CHECKING:
    from thalamus.clock import Clock


class SignedHead(Protocol):
    """Where the signatures of a store end. ``key``: the fingerprint of the key that made them."""

    key: str


class Verification(Protocol):
    """A store being verified."""

    @property
    def summary(self) -> str: ...

    def findings(self) -> Iterator[Finding]: ...

    def of_rows(self) -> Iterator[Finding]: ...


class SignedStore(Protocol):
    """What a store does about its signatures."""

    def signed_head(self) -> SignedHead | None: ...

    def verification(
        self, keys: StoreKeys, against: str | None = None
    ) -> AbstractContextManager[Verification]: ...

    def sign_again(self, key: bytes, event: Event) -> str: ...


def finding_line(finding: Finding) -> str:
    """A finding as a line."""
    name = f"{finding.table} {finding.id}".strip()
    return f"{name}: {finding.what}; {finding.detail}"


def key_state(keys: StoreKeys, store: SignedStore | None) -> dict[str, str]:
    """Where the key is, and how it stands to the store, if there is one.

    Raises ``BadKey`` when the key cannot be read, ``Tampered`` when the signed head cannot.
    """
    held = keys.held()
    state = {"place": keys.place.name, "fingerprint": fingerprint(held.keys[0]) if held else ""}
    if store is None:
        return {**state, "store": "no store yet"}
    head = store.signed_head()
    if head is None:
        told = "not signed yet; the next write signs it"
    elif held is not None and keys.key(head.key) is not None:
        told = "signed with this key"
    elif keys.former(head.key) is not None:
        told = "signed with a previous key: run `thalamus key rotate`"
    else:
        told = f"signed with another key, {head.key}: read-only"
    return {**state, "store": told}


def rotate_key(keys: StoreKeys, store: SignedStore, clock: Clock) -> dict[str, str]:
    """Signs the store with a new key, once it was verified; goes on where it was interrupted.

    Raises ``Tampered`` when the store is not what was signed, ``NotSigned``, ``BadKey``.
    """
    before = _verified(keys, store)
    held = keys.held()
    if held is not None and keys.former(before) is not None:  # an older backup was restored
        new = held.keys[0]
    else:
        with keys.changing() as held:
            held.next = held.next or new_key().hex()
            new = bytes.fromhex(held.next)
    if fingerprint(new) != before:
        _sign_again(store, new, "rotated", before, clock)
    with keys.changing() as held:
        if held.next:
            old, next_ = held.keys
            for subject, wrapped in held.subjects.items():
                with suppress(BadKey):  # one that does not open stays as it is
                    held.subjects[subject] = wrap(next_, subject, unwrap(old, subject, wrapped))
            held.former = [held.key, *held.former]
            held.key, held.next = held.next, ""
    return {"what": "rotated", "key": fingerprint(new), "before": before}


def adopt_store(keys: StoreKeys, store: SignedStore, folder: str, clock: Clock) -> dict[str, str]:
    """Signs the store in ``folder`` with the present key as it is. Raises ``BadKey``."""
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


def _verified(keys: StoreKeys, store: SignedStore) -> str:
    """The fingerprint of the key that signed the store, which is as it was signed."""
    with store.verification(keys) as verified:
        for finding in verified.of_rows():
            raise Tampered(finding_line(finding))
    head = store.signed_head()
    assert head is not None
    return head.key


def _sign_again(store: SignedStore, key: bytes, what: str, before: str, clock: Clock) -> str:
    """Signs everything and logs it; returns the store's id."""
    data = {"key": fingerprint(key), "before": before}
    return store.sign_again(key, Event(name=f"key_{what}", at=clock.stamp(), data=data))
