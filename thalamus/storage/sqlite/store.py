"""The SQLite store: tables, indexes and ledger behind ``storage.protocol.Store``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.clock import Clock
from thalamus.storage.sqlite.ageing import Ageing
from thalamus.storage.sqlite.database import FILE, connect, empty, translated
from thalamus.storage.sqlite.forgetting import Forgetting
from thalamus.storage.sqlite.reading import Reading
from thalamus.storage.sqlite.searching import Searching

if TYPE_CHECKING:
    from thalamus.storage.sqlite.aside import Follower
    from thalamus.storage.sqlite.sealing import Keys, Sealing
    from thalamus.storage.sqlite.writer import SqliteWriter


class SqliteStore(Searching, Reading, Ageing, Forgetting):
    """One tenant's store.

    ``folder``: where its files are; ``create``: make it when it is missing (else ``NoStore``);
    ``busy_timeout``: seconds to wait for another process's write; ``keys``: where the store key
    is, without which a signed store can be read and not written; ``seal_personal``: whether what
    is personal is encrypted.
    """

    def __init__(
        self,
        folder: Path,
        *,
        tenant: str = "default",
        create: bool = False,
        busy_timeout: float = 30.0,
        clock: Clock | None = None,
        keys: Keys | None = None,
        seal_personal: bool = False,
    ) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._busy_timeout = busy_timeout
        self._clock = clock or Clock()
        if empty(self.path):
            from thalamus.storage.sqlite.lost import check_not_lost

            check_not_lost(folder, keys)
        self._db = connect(folder, tenant, busy_timeout, create)
        self._opened = _identity(self.path)
        self._aside: Follower | None = None
        self._store_keys = keys
        self._seal_personal = seal_personal
        self._seals: Sealing | None = None
        self._wrote = False

    # -- writing -------------------------------------------------------------------------------

    @contextmanager
    def writing(self, more: bool = False) -> Iterator[SqliteWriter]:
        """One transaction, durable at the end of the block; then the indexes follow: with
        ``more`` only when they are far behind, else but for the last few rows, which are added
        when the store is closed."""
        from thalamus.storage.sqlite.writer import SqliteWriter

        with self._unit() as seals:
            signer = seals.signer if seals else None
            boxes = self._boxes if seals else None
            writer = SqliteWriter(self._db, self._clock, signer, boxes)
            yield writer
            writer.finish()
        self._wrote = True
        if more or self._aside is not None:
            self._follow_aside(more)
        if not more:
            self._indexes.follow()

    @contextmanager
    def _unit(self, blank: bool = False) -> Iterator[Sealing | None]:
        """One transaction in which all rows that are written are sealed; with ``blank`` the seals
        of deleted rows no longer name them. None in a store that is not signed."""
        from thalamus.storage.sqlite.sealing import blank_names

        with translated(self.path, self._busy_timeout):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                seals = self._sealing()
                yield seals
                if seals is not None:
                    seals.finish()
                if blank:
                    blank_names(self._db)
                self._db.execute("COMMIT")
            except BaseException:
                # a full disk may have ended the transaction already
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            if seals is not None:
                seals.committed()

    def _sealing(self) -> Sealing | None:
        """What seals this unit of work; None in a store that is not signed."""
        from thalamus.storage.sqlite.sealing import Sealing, begin_without

        if self._store_keys is None:
            begin_without(self._db)
            return None
        if self._seals is None:
            self._seals = Sealing(self._db, self._store_keys)
        self._seals.begin()
        return self._seals

    def _follow_aside(self, more: bool) -> None:
        """While many are stored another process keeps the indexes level."""
        if self._aside is None:
            from thalamus.storage.sqlite.aside import Follower

            self._aside = Follower(self._db, self.folder, self._indexes)
        if more:
            self._aside.go_on()
        else:
            self._aside.finish()
            self._aside = None

    def close(self) -> None:
        if self._aside is not None:
            self._follow_aside(more=False)
        if self._wrote:
            self._wrote = False
            if self._opened == _identity(self.path):
                self._indexes.follow(0)
        self._db.close()


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file it is, whatever its name; None when it is gone. Another one in its place has
    indexes of its own, and those of a store that was deleted must not come back."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
