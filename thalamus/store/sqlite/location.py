"""The folder of a SQLite store, and what is done to its file as a whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.store.sqlite.connection import FILE, connect, empty, witness_of

if TYPE_CHECKING:
    from thalamus.store.keys import Keys
    from thalamus.store.options import StoreOptions
    from thalamus.store.sqlite.store import SqliteStore


class SqliteLocation(Struct, frozen=True):
    """See ``store.location.FileLocation``."""

    folder: Path
    tenant: str = "default"
    busy_timeout: float = 30.0

    @property
    def database(self) -> str:
        return "SQLite"

    @property
    def file(self) -> Path:
        return self.folder / FILE

    @property
    def place(self) -> str:
        return str(self.file)

    @property
    def key_place(self) -> str:
        return str(self.folder.resolve())

    def exists(self) -> bool:
        return not empty(self.file)

    def identity(self) -> object:
        try:
            found = self.file.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def open(self, options: StoreOptions) -> SqliteStore:
        from thalamus.store.sqlite.store import SqliteStore

        store = SqliteStore(self.folder, options)
        if options.remind:
            store.remind()
        return store

    def lost(self, keys: Keys | None) -> bool:
        return witness_of(self.folder, keys) is not None

    def begin_new(self) -> None:
        connect(self.folder, self.tenant, self.busy_timeout, create=True).close()

    def restore(self, source: Path, stamp: str) -> Path | None:
        from thalamus.store.sqlite.backup import restore

        return restore(
            self.folder,
            source,
            stamp=stamp,
            tenant=self.tenant,
            busy_timeout=self.busy_timeout,
        )

    def empty_out(self, now: str, emptied: Callable[[], None]) -> None:
        from thalamus.store.sqlite.backup import empty_out

        empty_out(
            self.folder,
            tenant=self.tenant,
            busy_timeout=self.busy_timeout,
            now=now,
            emptied=emptied,
        )
