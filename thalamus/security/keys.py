"""The store key: 32 random bytes for each tenant, in a file or in the system's keyring.

Stored with the key are the stores that it has signed (one of them without a head was tampered with)
and, during a rotation, the next key.
"""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from thalamus import files
from thalamus.errors import FULL, BadKey, CannotWrite
from thalamus.extras import install_command
from thalamus.store.signing.key_derivation import derive, fingerprint

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.store.erasure import Clean


SIZE = 32  # bytes of a key
FORMAT = 2  # of the stored keys; in the first one the names of subjects could be read
# its field: a program that only knows the first format quotes it when it refuses the keys
_FORMAT = "format, which a newer Thalamus reads"
SERVICE = "thalamus"  # service name of our keys in the keyring
PUT_BACK = (
    "Restore a copy of it; or move it away and sign the store with a new key: `thalamus key adopt`."
)


class KeyStorage(Protocol):
    """Storage of a key ring."""

    name: str

    def read(self) -> str | None: ...

    def write(self, text: str) -> None: ...

    def remove(self) -> None: ...

    def locked(self) -> Any: ...

    def stamp(self) -> object:
        """A value that changes with every change."""
        ...


class FileStorage:
    """A file that only its owner may read, replaced in one step."""

    def __init__(self, config: Config) -> None:
        given = Path(config.key_file).expanduser() if config.key_file else None
        self.path = given or config.config_dir / "keys" / f"{config.tenant}.key"
        self.name = str(self.path)

    def read(self) -> str | None:
        try:
            if self.path.stat().st_mode & 0o077:
                fix = f"`chmod 600 {self.path}` if nobody has changed or read it."
                raise BadKey(f"others can read {self.path}", fix=fix)
            return self.path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise BadKey(f"cannot read {self.path} ({error})", fix=PUT_BACK) from None

    def write(self, text: str) -> None:
        part = self.path.with_name(f"{self.path.name}.part")  # a fixed name: under the lock
        with self._reported():
            replacing = files.replacing(self.path, sync_folder=True, part=part)
            with replacing as file:
                file.write(f"{text}\n".encode())

    def remove(self) -> None:
        with self._reported():
            self.path.unlink(missing_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        import fcntl

        with self._reported():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = self.path.with_name(f"{self.path.name}.lock").open("a")
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def stamp(self) -> object:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno in FULL:
                raise CannotWrite(self.path, error) from None
            raise BadKey(
                f"cannot write {self.path} ({error.strerror})",
                fix="Set `key_file` to a writable place.",
            ) from None


class NoStorage:
    """Storage for when no key is wanted: nothing is signed or encrypted."""

    name = "nowhere (`key_store: none`)"

    def __init__(self, config: Config) -> None:
        pass

    def read(self) -> str | None:
        return None

    def write(self, text: str) -> None:
        raise BadKey("`key_store` is none", fix="Set it to file or keyring.")

    def remove(self) -> None:
        """Does nothing."""

    def locked(self) -> Any:
        return nullcontext()

    def stamp(self) -> object:
        return None


class KeyringStorage:
    """The system's keyring, through the package ``keyring``."""

    def __init__(self, config: Config) -> None:
        self._tenant = config.tenant
        self._lock = config.state_dir / "keys.lock"
        self.name = f"the system's keyring ({SERVICE}, {config.tenant})"

    def read(self) -> str | None:
        found = self._ask(lambda keyring: keyring.get_password(SERVICE, self._tenant))
        return None if found is None else str(found)

    def write(self, text: str) -> None:
        self._ask(lambda keyring: keyring.set_password(SERVICE, self._tenant, text))

    def remove(self) -> None:
        self._ask(lambda keyring: keyring.delete_password(SERVICE, self._tenant))

    @contextmanager
    def locked(self) -> Iterator[None]:
        import fcntl

        self._lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._lock.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def stamp(self) -> object:
        return int(time.monotonic())  # a keyring reports no changes: it is read again each second

    def _ask(self, question: Any) -> Any:
        try:
            import keyring  # optional
        except ImportError:
            raise BadKey(
                "the package keyring is not installed",
                fix=f"Run `{install_command('keyring')}`, or set `key_store: file`.",
            ) from None
        try:
            return question(keyring)
        except Exception as error:  # every backend has errors of its own
            raise BadKey(f"{self.name} does not answer ({error})") from None


def new_key() -> bytes:
    """32 random bytes."""
    return os.urandom(SIZE)


def wrap(root: bytes, subject: str, key: bytes) -> str:
    """A key, encrypted under the store key for a ``subject``: the tag of its name."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(12)
    encrypted = AESGCM(derive(root, "subjects")).encrypt(nonce, key, subject.encode())
    return (nonce + encrypted).hex()


def unwrap(root: bytes, subject: str, wrapped: str) -> bytes:
    """Decrypts a subject's key. Raises ``BadKey`` when it was wrapped under another store key."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        box = bytes.fromhex(wrapped)
        return AESGCM(derive(root, "subjects")).decrypt(box[:12], box[12:], subject.encode())
    except (InvalidTag, ValueError):
        raise BadKey("the key of a subject cannot be decrypted with this store key") from None


class _Format(msgspec.Struct):
    """The format of stored keys, whatever else they are."""

    format: int = msgspec.field(default=1, name=_FORMAT)


class KeyRing(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Stored keys in hexadecimal. ``subjects``: keys of subjects by the tags of their names, which
    are made with ``names``."""

    format: int = msgspec.field(default=1, name=_FORMAT)
    key: str
    next: str = ""
    former: list[str] = []
    stores: list[str] = []
    folders: dict[str, str] = {}  # their places: folders, or addresses of databases
    copies: dict[str, list[str]] = {}  # further places, of stores that were copied
    names: str = ""
    subjects: dict[str, str] = {}

    def tag(self, subject: str) -> str:
        """A tag of a subject's name, which cannot be guessed without this key ring."""
        import hmac
        from unicodedata import normalize

        secret = bytes.fromhex(self.names)
        return hmac.digest(secret, normalize("NFC", subject).encode(), "sha256")[:16].hex()

    def tags(self, subject: str) -> list[str]:
        """The tags of a subject that has a key: several if the first format had its name in
        several Unicode forms."""
        tag = self.tag(subject)
        return [found for found in self.subjects if found.partition("+")[0] == tag]

    @property
    def keys(self) -> list[bytes]:
        """The key, and during a rotation the next one."""
        return [bytes.fromhex(text) for text in (self.key, self.next) if text]


class StoreKeys:
    """Keys of one tenant. See ``store.keys.Keys``."""

    def __init__(self, config: Config) -> None:
        places: dict[str, Callable[[Config], KeyStorage]] = {
            "keyring": KeyringStorage,
            "none": NoStorage,
        }
        self.place = places.get(config.key_store, FileStorage)(config)
        self._ring: KeyRing | None = None
        self._outdated = False  # they are stored in an earlier format
        self._stamp: object = None
        self._unwrapped_keys: dict[str, tuple[str, bytes]] = {}  # with their fingerprints
        self._missing: set[str] = set()

    def version(self) -> object:
        """A value that changes when another process has changed the keys."""
        return self.place.stamp()

    def key_ring(self) -> KeyRing | None:
        """The stored key ring; None when there is no key. Raises ``BadKey`` when it cannot be
        read."""
        if (stamp := self.place.stamp()) != self._stamp:  # a key may have been shredded
            self._ring, self._stamp = None, stamp
            self._unwrapped_keys.clear()
        if self._ring is None and (text := self.place.read()) is not None:
            ring = _understood(text, self.place.name)
            self._outdated = ring.format < FORMAT
            self._ring = _upgraded(ring) if self._outdated else ring
        return self._ring

    def upgrade(self) -> None:
        """Stores keys of an earlier format in this one, if they can be written."""
        if self.key_ring() is not None and self._outdated:
            with suppress(BadKey), self.changing():
                pass

    def exists(self) -> bool:
        """True when there is a key. Raises ``BadKey`` when it cannot be read."""
        return self.key_ring() is not None

    def key(self, fingerprint_: str | None) -> bytes | None:
        ring = self.key_ring()
        if fingerprint_ is None:
            return (ring or self.make()).keys[0]
        for last_try in (False, True):
            for key in ring.keys if ring else []:
                if fingerprint(key) == fingerprint_:
                    return key
            if not last_try:  # another process may have changed it
                self._ring = None
                ring = self.key_ring()
        return None

    def former(self, fingerprint_: str) -> bytes | None:
        """A key that was rotated away, with which an older backup is verified."""
        ring = self.key_ring()
        for key in map(bytes.fromhex, ring.former if ring else []):
            if fingerprint(key) == fingerprint_:
                return key
        return None

    def known(self, store: str) -> bool:
        ring = self.key_ring()
        return ring is not None and store in ring.stores

    def signs_any(self) -> bool:
        ring = self.key_ring()
        return ring is not None and bool(ring.stores)

    def remember(self, store: str, folder: str) -> None:
        """Records a store after a commit; does nothing if a reset has removed the key since."""
        with self.place.locked():
            self._ring = None
            ring = self.key_ring()
            if ring is None:
                return
            ring.stores = [*ring.stores, store] if store not in ring.stores else ring.stores
            if folder not in ring.copies.get(store, ()):
                ring.folders[store] = folder
            self._write(ring)

    def remember_copy(self, store: str, source: str | None, copy: str) -> None:
        """Records the places of a store that was copied, the ``source`` if it has a name: the keys
        are needed as long as either is there."""
        with self.changing() as ring:
            ring.stores = [*ring.stores, store] if store not in ring.stores else ring.stores
            places = (ring.folders.get(store), *ring.copies.get(store, ()), source, copy)
            first, *others = dict.fromkeys(place for place in places if place)
            ring.folders[store], ring.copies[store] = first, others

    def kept_at(self, store: str, place: str) -> bool:
        ring = self.key_ring()
        if ring is None:
            return False
        return ring.folders.get(store) == place or place in ring.copies.get(store, ())

    def places(self) -> list[str]:
        ring = self.key_ring()
        return _places(ring) if ring is not None else []

    def take(self, other: StoreKeys) -> None:
        """Takes the keys of another tenant, unless there are any here. Raises ``BadKey``."""
        given = other.key_ring()
        with self.place.locked():
            self._ring = None
            if given is not None and self.key_ring() is None:
                self._write(msgspec.structs.replace(given, stores=[], folders={}, copies={}))

    # -- the keys of subjects, which encrypt ----------------------------------------------------

    def of_subject(self, subject: str) -> tuple[str, bytes]:
        """Key of a subject with its id; created when there is none."""
        ring = self.key_ring() or self.make()
        if not ring.tags(subject):
            with self.changing() as ring:
                if not ring.tags(subject):
                    tag = ring.tag(subject)
                    ring.subjects[tag] = wrap(ring.keys[0], tag, new_key())
        return self._unwrapped(ring, ring.tags(subject)[0])

    def has_subject(self, subject: str) -> bool:
        """True when a subject has a key."""
        ring = self.key_ring()
        return ring is not None and bool(ring.tags(subject))

    def by_id(self, id: str) -> bytes | None:
        for last_try in (False, True):
            ring = self.key_ring()
            for tag in ring.subjects if ring else ():
                assert ring is not None
                with suppress(BadKey):  # one that cannot be unwrapped counts as missing
                    name, key = self._unwrapped(ring, tag)
                    if name == id:
                        return key
            if not last_try and id not in self._missing:  # another process may have created it
                self._missing.add(id)
                self._ring = None
        return None

    def shred(self, subject: str) -> bool:
        """Deletes the key of a subject; False when there is none."""
        with self.changing() as ring:
            self._unwrapped_keys.clear()
            tags = ring.tags(subject)
            for tag in tags:
                del ring.subjects[tag]
            return bool(tags)

    def drop(self, ids: Collection[str], place: str) -> str:
        """Deletes the keys of subjects with these ids, which encrypt nothing any more in the store
        at ``place``; returns another place of a store that they may belong to, if there is one,
        and then deletes none. Raises ``BadKey``."""
        ring = self.key_ring()
        if ring is None or not ids:
            return ""
        others = [other for other in _places(ring) if other and _resolved(other) != place]
        if others:
            return others[0]
        with self.changing() as ring:
            for tag in list(ring.subjects):
                with suppress(BadKey):  # one that cannot be unwrapped is not changed
                    if self._unwrapped(ring, tag)[0] in ids:
                        del ring.subjects[tag]
            self._unwrapped_keys.clear()
        return ""

    def searched(self) -> tuple[dict[Path, Clean], list[Path]]:
        """Files that are searched for the names of forgotten subjects: the key file, and copies of
        it next to it."""
        if not isinstance(self.place, FileStorage):
            return {}, []
        path = self.place.path
        others = (other for other in path.parent.glob(f"{glob.escape(path.name)}?*"))
        copies = [other for other in others if other.suffix != ".lock"]
        return {path: lambda _: self._stored_names()}, sorted(copies)

    def _stored_names(self) -> bytes:
        """The names under which keys of subjects are stored; not the places of stores, in which
        names of users may stand, and no names of fields, which are words too."""
        stored = msgspec.json.decode(self.place.read() or "{}")
        return msgspec.json.encode([*stored.get("subjects", {})])

    def _unwrapped(self, ring: KeyRing, tag: str) -> tuple[str, bytes]:
        """Key of the subject with this tag, with its fingerprint."""
        wrapped = ring.subjects[tag]
        if wrapped not in self._unwrapped_keys:
            key = unwrap(ring.keys[0], tag, wrapped)
            self._unwrapped_keys[wrapped] = fingerprint(key), key
        return self._unwrapped_keys[wrapped]

    def make(self) -> KeyRing:
        """Creates a key, unless another process was quicker."""
        with self.place.locked():
            self._ring = None
            ring = self.key_ring()
            if ring is None:
                ring = KeyRing(format=FORMAT, key=new_key().hex(), names=new_key().hex())
                self._write(ring)
            return ring

    def destroy(self, place: str) -> bool:
        """Removes all keys, unless they also belong to a store in another place; True when they
        were removed. Raises ``BadKey``."""
        with self.place.locked():
            self._ring = None
            ring = self.key_ring()
            if ring is None:
                return False
            if any(other and _resolved(other) != place for other in _places(ring)):
                self._leave(ring, place)
                return False
            self.place.remove()
            self._ring = self._stamp = None
            self._unwrapped_keys.clear()
            return True

    @contextmanager
    def kept_on_failure(self) -> Iterator[None]:
        """Restores the keys that the block has destroyed, if it fails."""
        former = self.place.read()
        try:
            yield
        except BaseException:
            with self.place.locked():
                if former is not None and self.place.read() is None:
                    self.place.write(former.rstrip("\n"))
            self._ring = self._stamp = None
            raise

    def _leave(self, ring: KeyRing, place: str) -> None:
        """Removes the place of a store that no longer exists."""
        for store in {**ring.folders, **ring.copies}:
            places = (ring.folders.get(store), *ring.copies.get(store, ()))
            left = [other for other in places if other and _resolved(other) != place]
            if left:
                ring.folders[store], *others = left
                if store in ring.copies:
                    ring.copies[store] = others
            else:
                ring.folders.pop(store, None)
                ring.copies.pop(store, None)
        self._write(ring)

    @contextmanager
    def changing(self) -> Iterator[KeyRing]:
        """The stored key ring for modification; it is written when the block ends."""
        with self.place.locked():
            self._ring = None
            ring = self.key_ring()
            if ring is None:
                raise BadKey(f"no key in {self.place.name}")
            yield ring
            self._write(ring)

    def _write(self, ring: KeyRing) -> None:
        self.place.write(msgspec.json.encode(ring).decode())
        self._ring, self._stamp, self._outdated = ring, self.place.stamp(), False


def _places(ring: KeyRing) -> list[str]:
    """The places of all stores; empty texts for unknown ones."""
    copies = [place for places in ring.copies.values() for place in places]
    return [*(ring.folders.get(store, "") for store in ring.stores), *copies]


def _resolved(place: str) -> str:
    """A folder without symbolic links; an address as it is."""
    return str(Path(place).resolve()) if place.startswith("/") else place


def _upgraded(ring: KeyRing) -> KeyRing:
    """Keys of the first format in the current one. Of one that cannot be unwrapped, at least the
    name is not kept."""
    root = ring.keys[0]
    names = derive(root, "names of subjects").hex()
    new = msgspec.structs.replace(ring, format=FORMAT, names=names, subjects={})
    for subject, wrapped in ring.subjects.items():
        tag = new.tag(subject)
        while tag in new.subjects:  # its name in another Unicode form
            tag += "+"
        new.subjects[tag] = wrapped
        with suppress(BadKey):
            new.subjects[tag] = wrap(root, tag, unwrap(root, subject, wrapped))
    return new


def _understood(text: str, place: str) -> KeyRing:
    try:
        newer = msgspec.json.decode(text, type=_Format).format > FORMAT
    except ValueError:
        newer = False  # which is reported below
    if newer:
        fix = "Upgrade Thalamus on this machine. The keys are intact."
        raise BadKey(f"{place} was written by a newer Thalamus", fix=fix)
    try:
        ring = msgspec.json.decode(text, type=KeyRing)
        former = map(bytes.fromhex, ring.former)
        if any(len(key) != SIZE for key in (*ring.keys, *former)):
            raise ValueError(f"expected {SIZE} bytes")
    except ValueError as error:
        raise BadKey(f"{place} does not contain a store key ({error})", fix=PUT_BACK) from None
    return ring
