"""The store: its place, backups, indexes, signatures, export and import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.api.runtime import View
from thalamus.errors import FULL, NoStore, StoreFull, ThalamusError, UsageError
from thalamus.records import Document, Fact, Memory, Turn, WorldChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.memory.draft import Storable
    from thalamus.memory.forget.fingerprints import ForgottenRecords
    from thalamus.memory.join_names import Joined, NameKind
    from thalamus.memory.write import Written
    from thalamus.records import Insight, Link, Plan, Project, Record
    from thalamus.records.reports import Batch, Origin
    from thalamus.records.statistics import Statistics
    from thalamus.store.maintenance import (
        CopyReport,
        HnswResult,
        IndexState,
        Initialization,
    )
    from thalamus.store.signing.audit import StoreVerification
    from thalamus.transfer.export import Selection
    from thalamus.transfer.reset import ResetReport


class StoreView(View):
    """The store as a whole."""

    @property
    def place(self) -> str:
        """The place of the store in words, whether it exists or not: its file, or the address of
        its database (without a password) and the tenant."""
        return self._runtime.location.place

    @property
    def file(self) -> Path | None:
        """The file of the store, whether it exists or not; None for one in a database server."""
        from thalamus.store.location import FileLocation

        location = self._runtime.location
        return location.file if isinstance(location, FileLocation) else None

    def exists(self) -> bool:
        """True if there is a store with any content, sound or not."""
        return self._runtime.location.exists()

    def identity(self) -> object:
        """A value that changes when another store takes the place of this one, because it was
        restored or created. None without a file."""
        return self._runtime.location.identity()

    def is_empty(self) -> bool:
        """True if nothing is remembered yet. Raises ``StoreDamaged``."""
        from thalamus.memory.views.counts import is_empty

        store = self._runtime.open_store(False)
        return store is None or is_empty(store)

    def stats(self) -> Statistics:
        """Figures about the content and use of the store; texts only of the configured user, and
        none that are encrypted. Days are those of ``config.timezone``. Raises ``NoStore``."""
        from thalamus.clock import time_zone
        from thalamus.memory.views.statistics import collect

        user, zone = self._user, time_zone(self._config.timezone)
        return collect(self._database, user, zone, self._clock.stamp())

    def get(
        self, id: str
    ) -> Turn | Memory | Fact | Document | Project | Insight | Plan | WorldChange | None:
        """The record with this id; None when there is none, or it belongs to somebody else. Raises
        ``NoStore``."""
        from thalamus.memory.resolve_id import reachable

        found: Turn | Memory | Fact | Document | Project | Insight | Plan | WorldChange | None
        found = reachable(self._database, id)
        return found

    def find_id(self, prefix: str, *, deleting: bool = False) -> str:
        """The id with this prefix, which must be a long one for ``deleting``. Raises ``NoStore``,
        ``NothingFound``, ``UsageError`` when it is ambiguous."""
        from thalamus.memory.resolve_id import resolve, resolve_to_delete

        return (resolve_to_delete if deleting else resolve)(self._database, prefix)

    def describe(self, id: str) -> Origin:
        """A record by its id, without its origins. Raises ``NoStore``."""
        from thalamus.memory.views.explain import describe

        return describe(self._database, id)

    def join(
        self, kind: NameKind, name: str, into: str | None = None, *, dry_run: bool = False
    ) -> Joined:
        """Gives everything stored under a name of a ``user``, ``agent``, ``session`` or ``project``
        the name ``into``; without it, the normal form of the same name. Raises ``NoStore``,
        ``NothingFound``, ``UsageError``."""
        from thalamus.memory.join_names import join

        return join(kind, name, into or name, self._engine, dry_run=dry_run)

    def write(
        self, records: Sequence[Storable], *, decide: bool = False, dry_run: bool = False
    ) -> Written:
        """As ``Thalamus.remember``, with the verdicts on the records. With ``dry_run`` nothing is
        stored, and ``NoStore`` is raised where nothing ever was."""
        from thalamus.memory.write import WriteOptions, write_all

        kept = records if self._config.memory else [r for r in records if not isinstance(r, Turn)]
        written = write_all(kept, self._new_run(), WriteOptions(decide=decide, dry_run=dry_run))
        if len(kept) == len(records):
            return written
        rest = iter(written.records)
        everything = [r if isinstance(r, Turn) else next(rest) for r in records]
        return structs.replace(written, records=everything)

    def links(self, id: str) -> list[Link]:
        """The provenance links from and to an id. Raises ``NoStore``."""
        from thalamus.memory.views.explain import links

        return links(self._database, id)

    def batches(self, undoable: bool = False) -> list[Batch]:
        """Batches of changes made together, newest first; ``until``: when it can no longer be
        undone. Raises ``NoStore``."""
        from thalamus.memory.undo.undo import batches

        return batches(self._database, self._config.undo_days, undoable)

    def backup(self, path: Path, *, replace: bool = False) -> dict[str, int]:
        """Copies one snapshot of the store to a file, while others may write; returns the number of
        rows of each kind in the verified copy. Raises ``NoStore``, and ``UsageError`` for a folder,
        a file that cannot be written, or an existing one that is not to be replaced."""
        from thalamus.store.opening import inspect_backup

        if path.is_dir():
            raise UsageError(f"{path} is a directory.", fix="Give the name of a file.")
        if path.exists() and not replace:
            raise UsageError(f"{path} exists already.", fix="Choose another file, or give --force.")
        try:
            self._database.backup(path)
        except StoreFull as error:  # of the file, because nothing is written to the store
            if error.cause in FULL:
                raise
            raise UsageError(error.message, fix=error.fix) from None
        return inspect_backup(path)

    def copy(
        self,
        source: str,
        target: str,
        *,
        source_tenant: str = "",
        force: bool = False,
        progress: Callable[[int], None] = lambda _: None,
    ) -> CopyReport:
        """Copies a whole store, with signatures and encrypted entries, to a place that is empty or
        has an unfinished copy of the same store, which is continued; ``force``: also one of another
        store, which is discarded.

        Places are the path of a store's folder or file, or the address of a PostgreSQL database.
        There the tenant is that of the settings, or ``source_tenant``. ``progress`` is called with
        the number of rows added. Raises ``NoStore``, ``UsageError``, ``BadKey`` for a signed store
        whose key is not here, ``StoreBusy``, ``StoreUnreachable``, ``CopyDiffers``.
        """
        from thalamus.config import check_tenant
        from thalamus.security.store_state import keys_of_copy
        from thalamus.store.opening import copy_end, copy_store

        if source_tenant:
            check_tenant(source_tenant)
        tenant, options = self._config.tenant, self._runtime.store_options()
        first, second = copy_end(source, source_tenant or tenant), copy_end(target, tenant)
        if first == second:
            raise UsageError("A store cannot be copied to itself.")
        keys = self._runtime.store_keys if self._config.key_store != "none" else None
        report = copy_store(
            first,
            second,
            options,
            lambda values: keys_of_copy(values, keys, self._config),
            force=force,
            progress=progress,
        )
        if keys is not None and keys.exists() and second.key_place is not None:
            keys.remember_copy(report.store, first.key_place, second.key_place)
        return report

    def initialize(self, url: str, role: str | None = None) -> Initialization:
        """Creates or migrates the tables of a PostgreSQL database. See ``store.opening``."""
        from thalamus.store.opening import initialize

        return initialize(url, role, self._config.busy_timeout)

    def inspect_backup(self, path: Path) -> dict[str, int]:
        """Number of rows of each kind in a backup. Raises ``UsageError`` when there is no such
        file, or it is the store itself; ``StoreDamaged``, ``StoreTooNew``."""
        from thalamus.store.opening import inspect_backup

        if not path.is_file():
            raise UsageError(f"There is no file {path}.")
        if self.file is not None and self.file.exists() and self.file.samefile(path):
            raise UsageError(f"{path} is the store itself, not a backup.")
        return inspect_backup(path)

    def restore(self, path: Path) -> Path | None:
        """Replaces the store with a backup; returns where the previous store is kept. Raises as
        ``inspect_backup``; then the store is unchanged."""
        self.inspect_backup(path)
        copies = [*self._backups(), path]
        self._runtime.close()
        kept = self._runtime.location.restore(path, self._clock.stamp())
        if kept is not None and self.file is None:  # a file's neighbours are searched anyway
            copies.append(kept)
        self._note_backups(copies)
        return kept

    def _backups(self) -> list[Path]:
        """Known copies of the store; none when it cannot be read."""
        with suppress(ThalamusError):
            store = self._runtime.open_store(remind=False)
            return store.backups() if store is not None else []
        return []

    def _note_backups(self, copies: list[Path]) -> None:
        """Records the locations of copies of a restored store, for ``forget`` to search: a backup
        does not know of itself."""

        with suppress(ThalamusError):  # a store restored without its key is read later
            store = self._runtime.open_store(remind=False)
            if store is not None:
                for path in copies:
                    store.note_backup(path)

    def erase(self, progress: Callable[[str], None] = lambda step: None) -> ResetReport:
        """Erases everything in the tenant's store, and the keys that nothing else needs: encrypted
        content in backups then becomes unreadable. Other processes may keep working, and see an
        empty store.

        Raises ``NoStore``, ``StoreBusy``, ``StoreFull``, ``BadKey``.
        """
        location = self._runtime.location
        report = self.inspect_erasure()

        def destroy() -> None:
            report.key_removed = self._runtime.store_keys.destroy(location.key_place)

        self._runtime.close()
        # rows that are still there, because they could not be committed as deleted, stay readable
        with self._runtime.store_keys.kept_on_failure():
            location.empty_out(self._clock.stamp(), destroy)
        # without the reminder that an erasure is not finished: this finishes it
        opened = self._runtime.open_store(remind=False)
        if opened is None:
            raise NoStore(location.place)
        report.left, report.limits = opened.erase(progress), opened.limits()
        if not report.left:
            opened.finished()
        return report

    def inspect_erasure(self) -> ResetReport:
        """Report of what ``erase`` would erase, and which other files contain it. Raises
        ``NoStore``."""
        from thalamus.transfer.reset import inspect

        return inspect(self._database, self._config)

    @contextmanager
    def verify(self, against: str | None = None) -> Iterator[StoreVerification]:
        """A comparison of every row and ledger entry with its signature; ``against``: a head that
        was kept elsewhere. Raises ``NoStore``, ``BadKey``, ``NotSigned``, ``UsageError`` for an
        invalid head."""
        with (
            self._runtime.stores.lent(),
            self._database.verification(self._runtime.store_keys, against) as found,
        ):
            yield found

    def index_states(self) -> list[IndexState]:
        """State of each index, its files verified byte by byte. Raises ``NoStore``."""
        return self._database.index_states()

    def rebuild_indexes(self) -> list[IndexState]:
        """Rebuilds every search index from the tables. Raises ``NoStore``."""
        return self._database.rebuild_indexes()

    def build_hnsw(self, progress: Callable[[int], None] = lambda _: None) -> list[HnswResult]:
        """Builds an HNSW index over the vectors of each model that has many; ``progress`` is called
        with the number of rows added. Raises ``NoStore``, or ``UsageError`` when the setting
        ``hnsw`` is false."""
        if not self._config.hnsw:
            raise UsageError(
                "HNSW indexes are switched off by `hnsw: false`.",
                fix="Set `hnsw: true` to build and use them.",
            )
        return self._database.build_hnsw(progress)

    def keep_hnsw(self, progress: Callable[[int], None] = lambda _: None) -> list[HnswResult]:
        """Builds or extends the HNSW indexes that are due, unless a background process is doing so;
        returns the attempts. Raises ``NoStore``."""
        return self._database.keep_hnsw(progress)

    def count_missing_embeddings(self) -> tuple[str, int]:
        """The embedder's name, and the number of entries it has not embedded yet. Raises
        ``NoStore``, ``ModelMissing``, ``UsageError``."""
        from thalamus.memory.embeddings import count_missing

        return count_missing(self._engine)

    def embed_missing(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Computes the embeddings that the embedder has not computed yet; returns how many. 0
        without a store. Raises what the embedder raises; embeddings computed until then are
        kept."""
        from thalamus.memory.embeddings import reembed

        store = self._runtime.open_store(False)
        return reembed(self._new_run(), progress) if store is not None else 0

    def export(self, selection: Selection | None = None) -> Iterator[Record]:
        """All records of the store in ``selection``, in an order that ``import_memory`` accepts.
        Raises ``NoStore``."""
        from thalamus.transfer.export import Selection, select

        yield from select(self._database.everything(), selection or Selection())

    def forgotten(self) -> ForgottenRecords | None:
        """A test for records that were forgotten here; None when there is no store or no key.
        Raises ``BadKey``."""
        from thalamus.memory.forget.fingerprints import ForgottenRecords

        store, fingerprints = self._runtime.open_store(False), self._runtime.fingerprints
        return ForgottenRecords(store, fingerprints) if store and fingerprints else None

    def import_memory(
        self, records: Iterable[Any], *, include_forgotten: bool = False
    ) -> dict[str, int]:
        """Stores exported records unchanged; existing ones are skipped, and forgotten ones unless
        ``include_forgotten``. Returns

        how many of each kind were added. Missing embeddings are computed. Raises ``RecordProblem``
        for a record that cannot be stored (batches before it are kept), and what the embedder
        raises.
        """
        from itertools import islice

        from thalamus.transfer.importer import Importer

        importer = Importer(self._engine, None if include_forgotten else self.forgotten())
        rest = iter(records)
        while batch := list(islice(rest, self._config.batch_size)):
            importer.add([importer.check(record) for record in batch])
        importer.finish()
        self.embed_missing()
        return dict(importer.added)
