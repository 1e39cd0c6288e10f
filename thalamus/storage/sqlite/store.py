"""The SQLite store: tables, indexes and ledger behind ``storage.protocol.Store``."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.clock import Clock
from thalamus.errors import StoreBusy, StoreFull
from thalamus.records import Event
from thalamus.storage.options import StoreOptions
from thalamus.storage.protocol.values import Filter, Hit, Similarities, Vector
from thalamus.storage.relational.filters import views
from thalamus.storage.relational.store import RelationalStore
from thalamus.storage.relational.tables import COUNTERS
from thalamus.storage.sqlite.connection import (
    FILE,
    MARKER,
    connect,
    empty,
    open_file,
    translated,
    writable,
)
from thalamus.storage.sqlite.locks import exclusive, exclusive_within
from thalamus.storage.sqlite.tables import SqliteTables

if TYPE_CHECKING:
    from thalamus.security.cipher import Cipher
    from thalamus.security.signed_head import Head
    from thalamus.storage.protocol.erasure import Clean, ErasedContent, ResidueReport
    from thalamus.storage.protocol.maintenance import HnswResult, IndexState
    from thalamus.storage.relational.audit import AuditKeys, StoreVerification
    from thalamus.storage.relational.layers import Layers
    from thalamus.storage.relational.unit_of_work import UnitOfWork
    from thalamus.storage.sqlite.hnsw_upkeep import Upkeep
    from thalamus.storage.sqlite.index_sync import BackgroundSync
    from thalamus.storage.sqlite.indexes import Indexes
    from thalamus.storage.sqlite.similarity import StoreSimilarity

# (limit, allowed keys or None for all) -> (key, score), best first
Find = Callable[[int, "list[int] | None"], list[tuple[int, float]]]
FURTHER = 6  # times as many results are read before a filter is applied inside the search
PART = 100  # encrypted hits whose entries are read at once, until enough pass a filter
BACKUPS = "backups"
Progress = Callable[[str], None]


class SqliteStore(RelationalStore):
    """One tenant's store, in ``folder``."""

    def __init__(self, folder: Path, options: StoreOptions = StoreOptions()) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._busy_timeout = options.busy_timeout
        self._clock = options.clock or Clock()
        if empty(self.path):
            from thalamus.storage.sqlite.connection import check_not_lost

            check_not_lost(folder, options.keys)
        self._db = connect(folder, options.tenant, options.busy_timeout, options.create)
        self._tables = SqliteTables(self._db)
        super().__init__(self._tables)
        self._opened = _identity(self.path)
        self._sync: BackgroundSync | None = None
        self._store_keys: Any = options.keys
        self._options = options
        self._wrote = False
        self._hnsw = options.hnsw
        self._upkeep: Upkeep | None = None  # once the indexes were used

    def guard(self) -> AbstractContextManager[None]:
        return translated(self.path, self._busy_timeout)

    # -- writing ----------------------------------------------------------------------------------

    @contextmanager
    def writing(self, more: bool = False, *, wait: bool = True) -> Iterator[UnitOfWork]:
        """One transaction, durable at the end of the block; then the indexes are synced: with
        ``more`` only when they are far behind, else except for the last few rows."""
        if not wait:
            with self._at_once() as writer:
                yield writer
            return
        with self._unit() as writer:
            yield writer
        self._wrote = True
        if more or self._sync is not None:
            self._sync_in_background(more)
        if not more:
            self._indexes.sync()
            self._keep_hnsw()

    @contextmanager
    def _at_once(self) -> Iterator[UnitOfWork]:
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
    def _unit(self, erasing: bool = False) -> Iterator[UnitOfWork]:
        """One transaction, whose rows are signed unless the store is not; with ``erasing`` the
        signatures of deleted rows no longer name them, and the store is marked."""
        with self.guard():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                with self._layers.unit(self._clock, self._around, erasing=erasing) as writer:
                    yield writer
                self._db.execute("COMMIT")
            except BaseException:
                # a full disk may have ended the transaction already
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._layers.committed()

    def _around(self, key: int) -> list[int]:
        """Keys whose indexed text contains words of the row with this key."""
        from thalamus.storage.sqlite.fulltext import dependants

        return dependants(self._db, key)

    def _sync_in_background(self, more: bool) -> None:
        """Syncs the indexes in another process while many records are stored."""
        if self._sync is None:
            from thalamus.storage.sqlite.index_sync import BackgroundSync

            self._sync = BackgroundSync(self._db, self.folder, self._indexes)
        if more:
            self._sync.check()
        else:
            self._sync.finish()
            self._sync = None

    def close(self) -> None:
        if self._sync is not None:
            self._sync_in_background(more=False)
        if self._wrote:
            self._wrote = False
            if self._opened == _identity(self.path):
                self._indexes.sync()
        if self._upkeep is not None and self._opened == _identity(self.path):
            self._upkeep.check(at_once=True)
        self._db.close()

    # -- open resources ---------------------------------------------------------------------------

    @cached_property
    def _layers(self) -> Layers:
        from thalamus.storage.relational.layers import Layers

        return Layers(self._tables, self._options, str(self.folder.resolve()), self._check_schema)

    def _check_schema(self, known_digest: str | None) -> str:
        from thalamus.storage.sqlite.file_checks import check_triggers

        return check_triggers(self._db, known_digest)

    @cached_property
    def _indexes(self) -> Indexes:
        from thalamus.storage.sqlite.indexes import Indexes

        indexes = Indexes(self.folder / "index", self._db, self._hnsw)
        if self._hnsw:
            from thalamus.storage.sqlite.hnsw_upkeep import Upkeep

            self._upkeep = Upkeep(self.folder, indexes)
        return indexes

    @cached_property
    def _similarity(self) -> StoreSimilarity:
        from thalamus.storage.sqlite.similarity import StoreSimilarity

        return StoreSimilarity(self._db)

    def _keep_hnsw(self) -> None:
        """Updates HNSW indexes in a long-running process; others do so when they end."""
        if self._upkeep is not None:
            self._upkeep.check()

    def reading_cipher(self) -> Cipher | None:
        return self._layers.cipher

    def _state(self) -> object:
        keys = self._store_keys.version() if self._store_keys else None
        return self.query("PRAGMA data_version")[0][0], self._db.total_changes, keys

    # -- searching --------------------------------------------------------------------------------

    def search_text(
        self, tokens: Sequence[str], where: Filter, limit: int, *, informative: bool = False
    ) -> list[Hit]:
        if informative:
            with self.guard():
                tokens = self._indexes.informative_words(tokens)
        found = self._search(
            lambda count, keys: self._indexes.search_text(tokens, count, keys), where, limit
        )
        return self._with_encrypted(found, where, limit, tokens=tokens)

    def text_scores(self, tokens: Sequence[str], keys: Sequence[int]) -> dict[int, float]:
        with self.guard():
            return self._indexes.text_scores(tokens, keys) if keys else {}

    def search_vector(self, vector: Vector, where: Filter, limit: int) -> list[Hit]:
        found = self._search(
            lambda count, keys: self._indexes.search_vector(vector, count, keys), where, limit
        )
        self._keep_hnsw()
        return self._with_encrypted(found, where, limit, vector=vector)

    def _with_encrypted(
        self,
        found: list[Hit],
        where: Filter,
        limit: int,
        tokens: Sequence[str] = (),
        vector: Vector | None = None,
    ) -> list[Hit]:
        """Merges the results of the indexes with decrypted rows, best first."""
        if not self._has_encrypted:
            return found
        search = self._encrypted_search()
        encrypted = search.ids()
        plain = [hit for hit in found if (hit.entry.record, hit.entry.id) not in encrypted]
        if vector is not None:
            scores = search.cosines(vector)
        else:  # weighted as if they were indexed, because they share one list with indexed rows
            scores = self._indexes.encrypted_scores(search.texts(), tokens)
        decrypted = self._best_encrypted(scores, where, limit)
        best = sorted([*plain, *decrypted], key=lambda hit: -hit.score)[:limit]
        opened = {entry.key: entry for entry in search.opened([hit.entry for hit in best])}
        return [Hit(opened[hit.entry.key], hit.score) for hit in best if hit.entry.key in opened]

    def _best_encrypted(self, scores: Mapping[int, float], where: Filter, limit: int) -> list[Hit]:
        """The best encrypted rows that pass a filter, not decrypted."""
        found: list[Hit] = []
        keys = sorted(scores, key=lambda key: (-scores[key], key))
        for start in range(0, len(keys), PART):
            part = keys[start : start + PART]
            entries = self._entries_by_key(part, where)
            found += [Hit(entries[key], scores[key]) for key in part if key in entries]
            if len(found) >= limit:
                break
        return found[:limit]

    def similarities(
        self, vector: Vector, keys: Sequence[int], sentences: Sequence[int] = ()
    ) -> Similarities:
        with self.guard():
            found = self._similarity.similarities(vector, keys, sentences)
            if not self._has_encrypted:
                return found
            decrypted = self._encrypted_search().similarities(vector, keys, sentences)
            return Similarities(
                found.cosines | decrypted.cosines,
                found.mean,
                found.sampled,
                found.sentences | decrypted.sentences,
            )

    def _search(self, find: Find, where: Filter, limit: int) -> list[Hit]:
        """Searches, and when too few results pass the filter, reads more of them if that promises
        enough, and otherwise applies the filter inside the search: listing everything that passes
        it may take longer than both."""
        count = limit + len(where.exclude)
        most = count * FURTHER
        if where.ids or self._has_few(where, most):  # which are listed at once
            most = 0
        while count <= most:
            hits, found = self._passing(find, count, None, where)
            if len(hits) >= limit or found < count:
                return hits[:limit]
            if len(hits) * most < limit * count:  # too few at this rate
                break
            # half as many again as needed if the filter passes the next ones at the same rate
            count = max(count + 1, min(most, count * limit * 3 // (2 * len(hits))))
        keys = self._keys(where)
        return self._passing(find, limit, keys, where)[0][:limit] if keys else []

    def _has_few(self, where: Filter, count: int) -> bool:
        """True when the store has fewer than ``count`` rows of the kinds that a filter selects."""
        if not where.kinds:
            return False
        tables = [view.removesuffix("_entry") for view in views(where)]
        rows = " UNION ALL ".join(f"SELECT key FROM {table}" for table in tables)
        query = f"SELECT count(*) FROM (SELECT 1 FROM ({rows}) LIMIT ?)"
        return not tables or self.query(query, (count,))[0][0] < count

    def _passing(
        self, find: Find, count: int, keys: list[int] | None, where: Filter
    ) -> tuple[list[Hit], int]:
        """Hits among the ``count`` best that pass the filter; and the number of results."""
        with self.guard():
            found = find(count, keys)
        entries = self._entries_by_key([key for key, _ in found], where)
        hits = [Hit(entries[key], score) for key, score in found if key in entries]
        return hits, len(found)

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
        self, keys: AuditKeys, against: str | None = None
    ) -> AbstractContextManager[StoreVerification]:
        """A comparison of the store's current state with its signatures by ``keys``; ``against``: a
        head kept elsewhere. Raises ``BadKey``, ``NotSigned``, ``UsageError``."""
        from thalamus.storage.sqlite.audit import verification

        return verification(self.path, self._busy_timeout, keys, against)

    def sign_again(self, key: bytes, event: Event) -> str:
        """Signs all rows as they are with a key, logs ``event`` and returns the store's id. Raises
        ``StoreBusy``, ``StoreFull``."""
        from thalamus.storage.sqlite.audit import sign_again

        return sign_again(self.path, self._busy_timeout, key, event, self._clock)

    def check(self) -> list[str]:
        from thalamus.storage import ledger
        from thalamus.storage.sqlite.backup import quick_check

        with self.guard():
            return quick_check(self._db) or ledger.problems(self._tables) or self._cut_ledger()

    def _cut_ledger(self) -> list[str]:
        """Problem when the last ledger entries are missing."""
        last, _ = self.events.last()
        written = int(self.value(COUNTERS["event"]) or 1) - 1
        if written <= last:
            return []
        return [f"the ledger ends at entry {last}, but {written} were written"]

    def schema_version(self) -> int:
        """Number of migrations applied."""
        return int(self.query("PRAGMA user_version")[0][0])

    def signed_head(self) -> Head | None:
        """See ``storage.relational.layers.Layers``."""
        with self.guard():
            return self._layers.signed_head()

    def sizes(self) -> dict[str, int]:
        """See ``storage.protocol.Counting``."""
        found = {"tables": sum(map(_size, (self.path, self.path.with_name(f"{FILE}-wal"))))}
        for part in sorted((self.folder / "index").glob("*/")):
            found[part.name] = sum(map(_size, part.rglob("*")))
        return found

    def count_encrypted(self) -> tuple[int, int]:
        """(encrypted rows, those of them whose key is missing)."""
        found = self.query("SELECT subject, count(*) FROM encrypted GROUP BY subject")
        cipher = self.reading_cipher()
        closed = sum(count for key, count in found if cipher is None or cipher.key_of(key) is None)
        return sum(count for _, count in found), closed

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
        from thalamus.storage.sqlite.hnsw_upkeep import keep

        with self.guard():
            return keep(self._indexes, progress) if self._hnsw else []

    def backup(self, target: Path) -> None:
        from thalamus.storage.sqlite.backup import copy_verified

        with translated(target, self._busy_timeout):
            copy_verified(self._db, target)
        self.note_backup(target)

    # -- erasing ----------------------------------------------------------------------------------

    def mark(self) -> tuple[int, ...]:
        """A value that changes with every write."""
        counted = "SELECT (SELECT value FROM meta WHERE name = 'next_key'), max(seq) FROM event"
        found = self.query(counted)[0]
        return (self.query("PRAGMA data_version")[0][0], int(found[0] or 0), found[1] or 0)

    @contextmanager
    def forgetting(self) -> Iterator[UnitOfWork]:
        """One transaction, in which rows may be checked again before they are deleted."""
        from thalamus.storage.protocol.erasure import ERASURES  # not needed by readers

        with self.guard():
            self._db.execute("PRAGMA temp_store = MEMORY")  # keeps temporary data off the disk
            try:
                with self._unit(erasing=True) as writer:
                    yield writer
                    self._tables.set_value(MARKER, self._clock.stamp())
                    number = int(writer.value(ERASURES) or 0) + 1
                    self._tables.set_value(ERASURES, str(number))
            finally:
                self._db.execute("PRAGMA temp_store = DEFAULT")

    def unfinished(self) -> bool:
        """True when rows were forgotten and their remains in files were not erased yet."""
        return bool(self.query("SELECT 1 FROM meta WHERE name = ?", (MARKER,)))

    def remind(self) -> None:
        """Logs a warning about an unfinished erasure, if there is one."""
        try:
            unfinished = self.unfinished()
        except sqlite3.OperationalError:  # a table is missing, which `doctor --signatures` reports
            return
        if unfinished:
            import logging

            logging.getLogger(__name__).warning(
                "a forget was interrupted, or is under way: what it deleted may still stand in"
                " files of the store; `thalamus forget --finish` does the rest"
            )

    def erase(self, progress: Progress) -> list[str]:
        from thalamus.storage.sqlite.erase import erase

        return erase(self._db, self._indexes, self._busy_timeout, progress)

    def finished(self) -> None:
        """Removes the marker of an unfinished erasure."""
        from thalamus.storage.sqlite.erase import empty_log

        with self.guard():
            self._tables.set_value(MARKER, None)
            empty_log(self._db, self._busy_timeout)

    def residue(
        self,
        forgotten: ErasedContent,
        copies: Iterable[Path],
        progress: Progress,
        outside: Mapping[Path, Clean] | None = None,
    ) -> ResidueReport:
        from thalamus.storage.sqlite.residue import search

        files = (outside or {}, copies)
        with self.guard():
            return search(self.folder, self._db, self._indexes, forgotten, files, progress)

    def backups(self) -> list[Path]:
        """Known locations of copies of this store."""
        import json

        row = self.query("SELECT value FROM meta WHERE name = ?", (BACKUPS,))
        return [Path(name) for name in json.loads(row[0][0])] if row else []

    def note_backup(self, path: Path) -> None:
        """Records the location of a copy, unless the store is read-only."""
        import json

        name = str(path.absolute())
        if writable(self.path) and path.absolute() not in self.backups():
            text = json.dumps([*map(str, self.backups()), name])
            with self.guard():
                self._tables.set_value(BACKUPS, text)


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
