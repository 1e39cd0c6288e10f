"""The store key: 32 random bytes for each tenant, in a file or in the system's keyring.

Beside the key stand the stores that it has signed (a store among them whose head is gone was
tampered with) and, while the key is being changed, the next key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import msgspec

from thalamus.errors import BadKey
from thalamus.key_places import PUT_BACK, FilePlace, KeyringPlace, NoPlace, Place

if TYPE_CHECKING:
    from thalamus.config import Config

SIZE = 32  # bytes


def fingerprint(key: bytes) -> str:
    """A name for a key, from which nothing about it follows."""
    from thalamus.storage.sqlite import signing  # a reader of what is open needs none

    return signing.fingerprint(key)


def new_key() -> bytes:
    """32 random bytes."""
    return os.urandom(SIZE)


def wrap(root: bytes, subject: str, key: bytes) -> str:
    """A subject's key, encrypted under the store key."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    from thalamus.storage.sqlite.signing import derive

    nonce = os.urandom(12)
    sealed = AESGCM(derive(root, "subjects")).encrypt(nonce, key, subject.encode())
    return (nonce + sealed).hex()


def unwrap(root: bytes, subject: str, wrapped: str) -> bytes:
    """The subject's key again. Raises ``BadKey`` when it was wrapped under another store key."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    from thalamus.storage.sqlite.signing import derive

    try:
        box = bytes.fromhex(wrapped)
        return AESGCM(derive(root, "subjects")).decrypt(box[:12], box[12:], subject.encode())
    except (InvalidTag, ValueError):
        raise BadKey(f"the key of {subject} does not open under this store key") from None


class Held(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What is kept: keys in hexadecimal."""

    key: str
    next: str = ""
    former: list[str] = []
    stores: list[str] = []
    folders: dict[str, str] = {}  # where they are
    subjects: dict[str, str] = {}

    @property
    def keys(self) -> list[bytes]:
        """The key, and the one that is about to take its place."""
        return [bytes.fromhex(text) for text in (self.key, self.next) if text]


class StoreKeys:
    """The keys of one tenant. See ``storage.sqlite.sealing.Keys``."""

    def __init__(self, config: Config) -> None:
        places: dict[str, Callable[[Config], Place]] = {"keyring": KeyringPlace, "none": NoPlace}
        self.place = places.get(config.key_store, FilePlace)(config)
        self._held: Held | None = None
        self._stamp: object = None
        self._unwrapped_keys: dict[str, bytes] = {}
        self._missing: set[str] = set()

    def version(self) -> object:
        """What is another value when another process has changed the keys."""
        return self.place.stamp()

    def held(self) -> Held | None:
        """What is kept; None when there is no key. Raises ``BadKey`` when it cannot be read."""
        if (stamp := self.place.stamp()) != self._stamp:  # a key may have been shredded
            self._held, self._stamp = None, stamp
            self._unwrapped_keys.clear()
        if self._held is None and (text := self.place.read()) is not None:
            self._held = _understood(text, self.place.name)
        return self._held

    def key(self, fingerprint_: str | None) -> bytes | None:
        held = self.held()
        if fingerprint_ is None:
            return (held or self.make()).keys[0]
        for again in (False, True):
            for key in held.keys if held else []:
                if fingerprint(key) == fingerprint_:
                    return key
            if not again:  # another process may have changed it
                self._held = None
                held = self.held()
        return None

    def former(self, fingerprint_: str) -> bytes | None:
        """A key that was rotated away, with which an older backup is verified."""
        held = self.held()
        for key in map(bytes.fromhex, held.former if held else []):
            if fingerprint(key) == fingerprint_:
                return key
        return None

    def known(self, store: str) -> bool:
        held = self.held()
        return held is not None and store in held.stores

    def signs_any(self) -> bool:
        held = self.held()
        return held is not None and bool(held.stores)

    def remember(self, store: str, folder: str) -> None:
        with self.changing() as held:
            held.stores = [*held.stores, store] if store not in held.stores else held.stores
            held.folders[store] = folder

    def place_of(self, store: str) -> str | None:
        held = self.held()
        return held.folders.get(store) if held is not None else None

    def places(self) -> list[str]:
        held = self.held()
        return [held.folders.get(store, "") for store in held.stores] if held is not None else []

    # -- the keys of subjects, which encrypt ----------------------------------------------------

    def of_subject(self, subject: str) -> tuple[str, bytes]:
        """The key of a subject with its id; made when there is none."""
        held = self.held() or self.make()
        if subject not in held.subjects:
            with self.changing() as held:
                if subject not in held.subjects:
                    held.subjects[subject] = wrap(held.keys[0], subject, new_key())
        key = self._unwrapped(held, subject)
        return fingerprint(key), key

    def by_id(self, id: str) -> bytes | None:
        for again in (False, True):
            held = self.held()
            for subject in held.subjects if held else ():
                assert held is not None
                with suppress(BadKey):  # one that does not open is as good as none
                    key = self._unwrapped(held, subject)
                    if fingerprint(key) == id:
                        return key
            if not again and id not in self._missing:  # another process may have made it
                self._missing.add(id)
                self._held = None
        return None

    def shred(self, subject: str) -> bool:
        """Forgets the key of a subject; False when there is none."""
        with self.changing() as held:
            self._unwrapped_keys.clear()
            return held.subjects.pop(subject, None) is not None

    def _unwrapped(self, held: Held, subject: str) -> bytes:
        wrapped = held.subjects[subject]
        if wrapped not in self._unwrapped_keys:
            self._unwrapped_keys[wrapped] = unwrap(held.keys[0], subject, wrapped)
        return self._unwrapped_keys[wrapped]

    def make(self) -> Held:
        """Makes a key, unless another process was quicker."""
        with self.place.locked():
            self._held = None
            held = self.held()
            if held is None:
                held = Held(key=new_key().hex())
                self._write(held)
            return held

    @contextmanager
    def changing(self) -> Iterator[Held]:
        """What is kept, to be changed; it is written when the block ends."""
        with self.place.locked():
            self._held = None
            held = self.held()
            if held is None:
                raise BadKey(f"there is none in {self.place.name}")
            yield held
            self._write(held)

    def _write(self, held: Held) -> None:
        self.place.write(msgspec.json.encode(held).decode())
        self._held, self._stamp = held, self.place.stamp()


def _understood(text: str, place: str) -> Held:
    try:
        held = msgspec.json.decode(text, type=Held)
        former = map(bytes.fromhex, held.former)
        if any(len(key) != SIZE for key in (*held.keys, *former)):
            raise ValueError(f"a key has {SIZE} bytes")
    except ValueError as error:
        raise BadKey(f"{place} holds no store key ({error})", fix=PUT_BACK) from None
    return held
