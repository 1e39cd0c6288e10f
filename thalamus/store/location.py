"""Places where a tenant's store is kept, whether there is a store or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.keys import Keys
    from thalamus.store.options import StoreOptions


class Location(Protocol):
    """A place for one tenant's store."""

    @property
    def database(self) -> str:
        """The name of the database: SQLite, PostgreSQL."""
        ...

    @property
    def place(self) -> str:
        """The place in words, without a password."""
        ...

    @property
    def key_place(self) -> str:
        """The name under which a key ring remembers a store that is kept here."""
        ...

    def exists(self) -> bool:
        """True if there is a store, sound or not."""
        ...

    def identity(self) -> object:
        """A value that changes when another store takes the place of this one."""
        ...

    def open(self, options: StoreOptions) -> Store:
        """The store. Raises ``NoStore`` when it is missing and is not to be created."""
        ...

    def restore(self, source: Path, stamp: str) -> Path | None:
        """Replaces the store with a backup, perhaps of another database; returns the file in which
        the previous one is kept. Raises ``StoreDamaged``, ``StoreTooNew`` or ``StoreTooOld`` for an
        unusable backup, ``StoreBusy`` or ``StoreFull``; in these cases the store is unchanged."""
        ...

    def empty_out(self, now: str, emptied: Callable[[], None]) -> None:
        """Replaces the store with an empty one whose erasure is unfinished. ``emptied`` is called
        while nobody else can write. Raises ``StoreBusy``, ``StoreFull``, ``StoreDamaged``."""
        ...


@runtime_checkable
class FileLocation(Location, Protocol):
    """A place in the file system: the store is a file, which can be replaced as a whole."""

    @property
    def file(self) -> Path:
        """The file of the store."""
        ...

    @property
    def folder(self) -> Path:
        """The folder of the file, with indexes and copies."""
        ...

    def lost(self, keys: Keys | None) -> bool:
        """True if there was a store of which nothing is left."""
        ...

    def begin_new(self) -> None:
        """Creates an empty store."""
        ...
