"""Keys: the store key, and the keys of subjects whose entries are encrypted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from thalamus.api.runtime import View
from thalamus.errors import NothingFound, UsageError
from thalamus.names import normal_name
from thalamus.records import Fact, Memory, Turn
from thalamus.store import facts, records
from thalamus.store.encrypted import NOBODY

if TYPE_CHECKING:
    from thalamus.memory.encrypt_stored import EncryptionReport
    from thalamus.store.base import Store


def _spellings(store: Store | None, name: str) -> tuple[str, ...]:
    from unicodedata import normalize

    known = store.spellings.of(name) if store else (normal_name(name),)
    return (*known, normalize("NFD", name))


class KeysView(View):
    """The store key and the keys of subjects."""

    def state(self) -> dict[str, str]:
        """Location of the store key, its fingerprint, and its relation to the store. Raises
        ``BadKey``, ``Tampered``."""
        from thalamus.security.store_state import key_state

        store = self._runtime.open_store()
        signed = store
        return key_state(self._runtime.store_keys, signed)

    def signer(self) -> tuple[str, Literal["here", "former", "missing"]]:
        """Fingerprint of the key that signed the store (empty when it is not signed yet), and which
        key that is: the current one, a former one, or none of this machine. Raises ``NoStore``,
        ``BadKey``, ``Tampered``."""
        head = self._signed().signed_head()
        if head is None:
            return "", "here"
        if (
            self._runtime.store_keys.key_ring() is not None
            and self._runtime.store_keys.key(head.key) is not None
        ):
            return head.key, "here"
        return head.key, "missing" if self._runtime.store_keys.former(
            head.key
        ) is None else "former"

    def count_unreadable(self) -> int:
        """Number of encrypted entries that cannot be decrypted here. Raises ``NoStore``,
        ``BadKey``."""

        return self._database.count_encrypted()[1]

    def rotate(self) -> dict[str, str]:
        """Creates a new key and signs the store with it, after verifying the store. Raises
        ``NoStore``, ``Tampered``, ``NotSigned``, ``BadKey``."""
        from thalamus.security.store_state import rotate_key

        return rotate_key(self._runtime.store_keys, self._signed(), self._clock)

    def _signed(self) -> Store:

        return self._database

    @property
    def store_is_lost(self) -> bool:
        """True if there was a store of which nothing is left."""
        from thalamus.store.location import FileLocation

        keys = self._runtime.store_keys if self._config.key_store != "none" else None
        location = self._runtime.location
        return isinstance(location, FileLocation) and location.lost(keys)

    def adopt(self) -> dict[str, str]:
        """Signs the store as it is with the current key; begins a new store if one was lost. Raises
        ``NoStore``, ``BadKey``."""
        from thalamus.security.store_state import adopt_store
        from thalamus.store.location import FileLocation

        location = self._runtime.location
        if isinstance(location, FileLocation) and self.store_is_lost:
            location.begin_new()
        keys = self._runtime.store_keys
        return adopt_store(keys, self._signed(), location.key_place, self._clock)

    def encrypt(self, progress: Callable[[str], None] = lambda _: None) -> EncryptionReport:
        """Encrypts what is personal and stored in plain text, and the sources of all that is
        personal; then erases the plain words from the store's files. Raises ``NoStore``,
        ``UsageError`` where nothing is encrypted, ``StoreBusy``, ``StoreFull``."""
        from thalamus.memory.encrypt_stored import encrypt_stored

        config = self._config
        if config.key_store == "none" or not config.encrypt_personal:
            setting = "key_store: none" if config.key_store == "none" else "encrypt_personal: false"
            raise UsageError(
                f"Nothing is encrypted in this store (`{setting}`).",
                fix="Change the setting with `thalamus config set`, then run this again.",
            )
        outside = [Path(name).expanduser() for name in (config.cassette, config.log_file) if name]
        return encrypt_stored(self._database, outside, progress)

    def of_subject(self, subject: str) -> list[str]:
        """The names, among those of a subject, that have a key of their own. Raises
        ``NothingFound``, ``BadKey``."""
        from thalamus.memory.facts.entities import names_of

        has_key = self._runtime.store_keys.has_subject
        store = self._runtime.open_store()
        also = names_of(store, subject) if store else []
        given = [subject, *(name.casefold() for name in (subject, *also))]
        # a key that an older version made may have the name in another Unicode form
        spellings = [spelling for name in given for spelling in _spellings(store, name)]
        names = dict.fromkeys([*given, *spellings])
        if not (found := [*filter(has_key, names)]):
            subjects = [*filter(has_key, _subjects(store))]
            fix = f"There are keys of {', '.join(subjects)}." if subjects else "There are no keys."
            raise NothingFound(f"the key of {subject}", fix=fix)
        return found

    def shred(self, names: Sequence[str]) -> None:
        """Destroys keys named by ``of_subject``: content encrypted under them can never be read
        again. Raises ``BadKey``."""
        for name in names:
            self._runtime.store_keys.shred(name)


def _subjects(store: Store | None) -> list[str]:
    """Names under which content may be encrypted: of the users and of the subjects of facts."""
    if store is None:
        return [NOBODY]
    subjects = {found.name.casefold() for found in facts.subjects(store)}
    users = chain(*(records.names(store, kind, "user") for kind in (Turn, Memory, Fact)))
    return sorted({NOBODY, *subjects, *filter(None, users)})
