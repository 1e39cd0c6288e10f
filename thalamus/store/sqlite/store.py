"""The SQLite store: tables, indexes and ledger behind ``store.base.Store``."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.clock import Clock
from thalamus.errors import StoreBusy, StoreFull, UnfinishedCopy
from thalamus.locks import exclusive, exclusive_within
from thalamus.records import Event
from thalamus.store.base import Best, Store
from thalamus.store.copy_mark import COPY_OF, check_whole
from thalamus.store.indexes.positions import Positions
from thalamus.store.options import StoreOptions
from thalamus.store.sqlite.connection import (
    FILE,
    begin_writing,
    check_not_migrated,
    connect,
    empty,
    open_file,
    translated,
    writable,
)
from thalamus.store.sqlite.tables import SqliteTables
from thalamus.store.tables import ERASING
from thalamus.store.values import Vector

if TYPE_CHECKING:
    from thalamus.store.erasure import Clean, ErasedContent, ResidueReport
    from thalamus.store.indexes.folding import Upkeep
    from thalamus.store.indexes.indexes import Indexes
    from thalamus.store.keys import Keys
    from thalamus.store.maintenance import HnswResult, IndexState
    from thalamus.store.signing.audit import StoreVerification
    from thalamus.store.writer import Writer

Progress = Callable[[str], None]
LOOK = 200  # changed rows after which a writer looks whether the indexes lack many


class SqliteStore(Store):
    """One tenant's store, in ``folder``."""

    database = "SQLite"

    def __init__(self, folder: Path, options: StoreOptions = StoreOptions()) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._options = options
        self._busy_timeout = options.busy_timeout
        self._clock = options.clock or Clock()
        if empty(self.path):
            from thalamus.store.sqlite.connection import check_not_lost

            check_not_lost(folder, options.keys)
        self._db = connect(folder, options.tenant, options.busy_timeout, options.create)
        self.tables = SqliteTables(self._db)
        self._positions = Positions(self._db)
        super().__init__(self.tables)
        with self.guard():
            self._check_copied()
        self._opened = _identity(self.path)
        self._store_keys: Any = options.keys
        self._closed = False
        self._looked = self._db.total_changes  # when the indexes were looked at
        self._viewing = False  # in ``reading``
        self._hnsw = options.hnsw

    @property
    def place(self) -> str:
        return str(self.path)

    @contextmanager
    def guard(self) -> Iterator[None]:
        with translated(self.path, self._busy_timeout):
            if not self._db.in_transaction:  # it was checked when that began
                check_not_migrated(self._db, self.path)
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One snapshot for several reads, of which each would otherwise check the version of the
        tables and take a lock."""
        if self._db.in_transaction:
            yield
            return
        with translated(self.path, self._busy_timeout):
            self._db.execute("BEGIN")
            try:
                check_not_migrated(self._db, self.path)
                self._viewing = True
                with self._positions.snapshot():
                    yield
            finally:
                self._viewing = False
                if self._db.in_transaction:  # an error of the disk ends it
                    self._db.execute("COMMIT")

    def _check_copied(self) -> None:
        """Raises ``UnfinishedCopy``."""
        found: list[Any] = []
        with suppress(sqlite3.OperationalError):  # `doctor --signatures` reports a missing table
            found = self.tables.fetch("SELECT name, value FROM meta WHERE name = ?", COPY_OF)
        try:
            check_whole(dict(map(tuple, found)), self.path)
        except UnfinishedCopy:
            self._db.close()
            raise

    # -- writing ----------------------------------------------------------------------------------

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Writer]:
        """One transaction, durable at the end of the block. Another process folds rows into the
        indexes when they lack many."""
        if not wait:
            with self._at_once() as writer:
                yield writer
            return
        with self._unit() as writer:
            yield writer
        with suppress(OSError):  # its folder is evidence that there was a store
            self._indexes.folder.mkdir(exist_ok=True, mode=0o700)
        if self._db.total_changes - self._looked > LOOK:
            self._looked = self._db.total_changes
            self._upkeep.check()

    @contextmanager
    def _at_once(self) -> Iterator[Writer]:
        """One transaction that never waits; refused in a store that was not signed yet, because the
        first signing takes long."""
        with self.guard():
            if not writable(self.path):
                raise StoreFull(self.path, "it cannot be written", errno.EACCES)
            if self._store_keys is not None and self.signed_head() is None:
                raise StoreBusy(self.path, "0")
            self._db.execute("PRAGMA busy_timeout = 0")
        try:
            with self._unit() as writer:
                yield writer
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {int(self._busy_timeout * 1000)}")

    @contextmanager
    def _unit(self, erasing: bool = False) -> Iterator[Writer]:
        """One transaction, whose rows are signed unless the store is not; with ``erasing`` the
        signatures of deleted rows no longer name them, and the store is marked."""
        from thalamus.store.indexes.removals import Removals

        with translated(self.path, self._busy_timeout):
            begin_writing(self._db, self.path)
            try:
                index = Removals(self.tables)
                with self._unit_of_work(self._clock, index, erasing=erasing) as writer:
                    yield writer
                self._db.execute("COMMIT")
            except BaseException:
                # a full disk may have ended the transaction already
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self.tables.rolled_back()
                raise
            self._committed(writer, erasing)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._opened == _identity(self.path):
            self._erase_rewritten()
        used = "_indexes" in vars(self) or self._db.total_changes != self._looked
        if used and self._opened == _identity(self.path):
            self._upkeep.check(last=True)
        self._db.close()

    # -- open resources ---------------------------------------------------------------------------

    @property
    def _key_place(self) -> str:
        return str(self.folder.resolve())

    def _check_schema(self, known_digest: str | None) -> str:
        from thalamus.store.sqlite.file_checks import check_triggers

        return check_triggers(self._db, known_digest)

    @cached_property
    def _indexes(self) -> Indexes:
        from thalamus.store.indexes.indexes import Indexes

        return Indexes(self.folder / "index", self._db, self._hnsw, self._positions)

    @cached_property
    def _upkeep(self) -> Upkeep:
        """Starts a process that folds rows into the indexes, where they lack many."""
        from thalamus.store.indexes.folding import Upkeep

        return Upkeep(self.folder, self._indexes)

    def _encrypted_state(self) -> object:
        return self._positions.version(), self._store_keys.version() if self._store_keys else None

    # -- searching --------------------------------------------------------------------------------

    def find_text(
        self, words: Sequence[str], limit: int, keys: Sequence[int] | None = None
    ) -> list[tuple[int, float]]:
        found = self._indexes.search_text(words, limit, keys)
        self._look_after()
        return found

    def find_vector(
        self, vector: Vector, limit: int, keys: Sequence[int] | None = None
    ) -> list[tuple[int, float]]:
        found = self._indexes.search_vector(vector, limit, keys)
        self._look_after()
        return found

    def informative_words(self, words: Sequence[str]) -> list[str]:
        return self._indexes.informative_words(words)

    def encrypted_scores(self, texts: Mapping[int, str], words: Sequence[str]) -> Best:
        return self._indexes.encrypted_scores(texts, words)

    def committed(self) -> bool:
        return self._viewing or not self._db.in_transaction

    def find_and_score(
        self, words: Sequence[str], limit: int, others: Sequence[int]
    ) -> tuple[list[tuple[int, float]], dict[int, float]]:
        found = self._indexes.search_and_score(words, limit, others)
        self._look_after()
        return found

    def _look_after(self) -> None:
        """Has rows folded into the indexes, after a search that found many outside them."""
        if self._indexes.lacking:
            self._indexes.lacking = False
            self._upkeep.check()

    def everything(self) -> Iterator[Any]:
        """All records from one snapshot, on a connection of its own, whatever is written
        meanwhile."""
        with self.guard():
            connection = open_file(self.path, self._busy_timeout)
            try:
                connection.execute("BEGIN")
                yield from self._everything(SqliteTables(connection))
            finally:
                connection.close()

    @contextmanager
    def exclusive(self, task: str, wait: bool = False) -> Iterator[None]:
        timeout, lock = self._busy_timeout, self.folder / f"{task}.lock"
        with self.guard():
            if wait:
                with exclusive(lock):
                    yield
                return
            with exclusive_within(lock, timeout) as acquired:
                if not acquired:
                    raise StoreBusy(self.path, f"{timeout:g}")
                yield

    # -- checks, indexes, backups -----------------------------------------------------------------

    def verification(
        self, keys: Keys, against: str | None = None
    ) -> AbstractContextManager[StoreVerification]:
        """A comparison of the store's current state with its signatures by ``keys``; ``against``: a
        head kept elsewhere. Raises ``BadKey``, ``NotSigned``, ``UsageError``."""
        from thalamus.store.sqlite.audit import verification

        return verification(self.path, self._busy_timeout, keys, against)

    def sign_again(self, key: bytes, event: Event) -> str:
        """Signs all rows as they are with a key, logs ``event`` and returns the store's id. Raises
        ``StoreBusy``, ``StoreFull``."""
        from thalamus.store.sqlite.audit import sign_again

        return sign_again(self.path, self._busy_timeout, key, event, self._clock)

    def check(self) -> list[str]:
        from thalamus.store import ledger
        from thalamus.store.sqlite.backup import quick_check

        with self.guard():
            return quick_check(self._db) or ledger.problems(self.tables) or self._cut_ledger()

    def schema_version(self) -> str:
        return str(self.fetch("PRAGMA user_version")[0][0])

    def sizes(self) -> dict[str, int]:
        found = {"tables": sum(map(_size, (self.path, self.path.with_name(f"{FILE}-wal"))))}
        for part in sorted((self.folder / "index").glob("*/")):
            found[part.name] = sum(map(_size, part.rglob("*")))
        return found

    def index_states(self) -> list[IndexState]:
        with self.guard():
            return self._indexes.states()

    def rebuild_indexes(self) -> list[IndexState]:
        with self.guard():
            return self._indexes.rebuild()

    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        with self.guard():
            return self._indexes.build_hnsw(progress)

    def keep_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        from thalamus.store.indexes.folding import keep_hnsw

        with self.guard():
            return keep_hnsw(self._indexes, progress) if self._hnsw else []

    def backup(self, target: Path) -> None:
        from thalamus.store.sqlite.backup import copy_verified

        with translated(target, self._busy_timeout):
            copy_verified(self._db, target)
        if writable(self.path):
            self.note_backup(target)

    # -- erasing ----------------------------------------------------------------------------------

    def unfinished(self) -> bool:
        with suppress(sqlite3.OperationalError):  # `doctor --signatures` reports a missing table
            return super().unfinished()
        return False

    def mark(self) -> object:
        """A value that changes with every write."""
        counted = "SELECT (SELECT value FROM meta WHERE name = 'next_key'), max(seq) FROM event"
        found = self.fetch(counted)[0]
        return (self.fetch("PRAGMA data_version")[0][0], int(found[0] or 0), found[1] or 0)

    @contextmanager
    def forgetting(self) -> Iterator[Writer]:
        """One transaction, in which rows may be checked again before they are deleted."""
        with self.guard():
            self._db.execute("PRAGMA temp_store = MEMORY")  # keeps temporary data off the disk
            try:
                with self._unit(erasing=True) as writer:
                    yield writer
                    self.note_erasure(writer)
            finally:
                self._db.execute("PRAGMA temp_store = DEFAULT")

    def erase(self, progress: Progress) -> list[str]:
        from thalamus.store.sqlite.erase import erase

        return erase(self._db, self._indexes, self._busy_timeout, progress)

    def limits(self) -> list[str]:
        return []

    def finished(self) -> None:
        """Removes the marker of an unfinished erasure."""
        from thalamus.store.sqlite.erase import empty_log

        with self.guard():
            self.tables.set_value(ERASING, None)
            empty_log(self._db, self._busy_timeout)

    def residue(
        self,
        forgotten: ErasedContent,
        copies: Iterable[Path],
        progress: Progress,
        outside: Mapping[Path, Clean] | None = None,
    ) -> ResidueReport:
        from thalamus.store.sqlite.residue import search

        files = (outside or {}, copies)
        with self.guard():
            return search(self.folder, self._db, self._indexes, forgotten, files, progress)


def _identity(path: Path) -> tuple[int, int] | None:
    """Identity of a file, whatever its name; None when it is missing. Another file in its place has
    indexes of its own, and those of a deleted store must not come back."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _size(path: Path) -> int:
    """Size of a file in bytes; 0 for a folder, or a missing file."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
