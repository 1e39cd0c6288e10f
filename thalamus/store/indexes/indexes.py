"""The search indexes of a store: searching, rebuilding and checking them.

A search scans rows beyond the watermark itself, so it is right while an index lags. The full-text
index of a large store takes long to build: another process does it, and searches scan meanwhile.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from thalamus.locks import exclusive, exclusive_if_free
from thalamus.logs import logger
from thalamus.store.bm25 import EncryptedWords, UnindexedRows, rounded
from thalamus.store.indexed_text import texts_after, texts_of
from thalamus.store.indexes import hnsw
from thalamus.store.indexes import index_files as manifests
from thalamus.store.indexes.child_process import start
from thalamus.store.indexes.fulltext import SELECTIVE, FullText, IndexUnusable
from thalamus.store.indexes.index_files import IndexManifest
from thalamus.store.indexes.positions import Positions, StoredSpace
from thalamus.store.indexes.unindexed_rows import UnindexedTexts
from thalamus.store.indexes.vectors import Vectors, best_of
from thalamus.store.maintenance import HnswResult, IndexState
from thalamus.store.sqlite.tables import SqliteTables
from thalamus.store.tables import in_parts, placeholders
from thalamus.store.values import Vector

if TYPE_CHECKING:
    import subprocess

log = logger(__name__)

T = TypeVar("T")
Texts = Iterable[tuple[int, str]]
# A commit of the full-text index costs ten times as much as storing a row: the last few rows
# wait for the next ones, and a search scans them itself. It does so with all rows of a small
# store, which has no index at all.
MOST_BEHIND = 60  # rows that an index may be behind
KEYS_PER_ROW = 8  # keys for each of these, after which an index is synced even for few rows
SMALL = 200  # number of the last row up to which there is no index
# Scores depend on the average indexed length. A search that finds it changed by the unindexed
# rows indexes them first; below this share nearly all results are in the same order.
SHIFT = 0.02
MANY = 20_000  # rows from which building the full-text index takes seconds
BUILDER = "thalamus.store.indexes.index_sync"  # the module of the process that builds it then
KEPT = 40_000  # rows read before they are indexed; more are indexed as they are read
TEXT_ROWS = "SELECT key FROM entry WHERE live AND key > ?"
# +: scan by n, not by the index over (space, key), which would be read and sorted as a whole
STORED = "SELECT key, vector FROM embedding WHERE space = ? AND key IN"
VECTOR_ROWS = "SELECT key, vector FROM embedding WHERE +space = ? AND n > ? ORDER BY n"


def _allowed(lag: int | None, index: IndexManifest) -> int:
    """Number of rows that an index may be behind."""
    return max(MOST_BEHIND, SMALL - index.watermark) if lag is None else lag


def _best_texts(found: Found, limit: int) -> Found:
    """The best by their rounded scores; far more may have been found, and are not rounded."""
    if 0 < limit < len(found):
        least = sorted([score for _, score in found])[-limit] * 0.999
        found = [hit for hit in found if hit[1] >= least]
    return best_of([(key, rounded(score)) for key, score in found], limit)


def _nothing() -> None:
    """Remaining work for an index that is up to date."""


Found = list[tuple[int, float]]


class Indexes:
    """The full-text index and one vector index per embedding model, in one folder. ``approximate``:
    use HNSW indexes."""

    # a search that failed in a transaction, and what discards the files
    _failed: tuple[Callable[[], object], Callable[[], None]] | None = None

    def search_text(
        self, words: Sequence[str], limit: int, allowed: Sequence[int] | None = None
    ) -> Found:
        """(key, BM25 score) over all rows, indexed or not; ``allowed`` restricts the keys."""
        return self._with_repair(
            lambda: self._search_text(words, limit, allowed, self._known(self._text.folder)),
            lambda: self._search_text(words, limit, allowed, None),
            self._text.discard,
        )

    def search_and_score(
        self, words: Sequence[str], limit: int, others: Sequence[int]
    ) -> tuple[Found, dict[int, float]]:
        """The result of ``search_text``, and scores as there of the rows ``others``, by key;
        without rows that have none of the words."""
        return self._with_repair(
            lambda: self._search_and_score(words, limit, others, self._known(self._text.folder)),
            lambda: self._search_and_score(words, limit, others, None),
            self._text.discard,
        )

    def _search_and_score(
        self,
        words: Sequence[str],
        limit: int,
        others: Sequence[int],
        manifest: IndexManifest | None,
    ) -> tuple[Found, dict[int, float]]:
        last = self._at.marks().last_key
        if limit and len(others) * SELECTIVE >= last:  # to score these all rows are read
            found = self._found_text(words, max(limit, last), None, manifest)
            scores = dict(found)
            known = {key: rounded(scores[key]) for key in others if key in scores}
            return _best_texts(found, limit), known
        best = self._search_text(words, limit, None, manifest) if limit else []
        known = dict(best)
        rest = [key for key in others if key not in known]
        more = self._found_text(words, len(rest), rest, manifest) if rest else []
        scores = {key: rounded(score) for key, score in more}
        return best, scores | {key: known[key] for key in others if key in known}

    def encrypted_scores(self, texts: Mapping[int, str], words: Sequence[str]) -> dict[int, float]:
        """BM25 scores, comparable with those of ``search_text``, of the decrypted texts of all
        encrypted rows, by key; without rows that have none of the words."""
        found = self._encrypted_words.scan(texts, words)
        return dict(
            self._with_repair(
                lambda: self._text.score(self._known(self._text.folder), found, len(texts)),
                lambda: self._text.score(None, found, len(texts)),
                self._text.discard,
            )
        )

    def informative_words(self, words: Sequence[str]) -> list[str]:
        """The words without those that very many rows have; all of them while there are few rows,
        or no index is open to count them."""
        try:
            manifest = self._known(self._text.folder)
            return self._text.informative_words(manifest, words) if manifest else list(words)
        except (OSError, IndexUnusable):  # handled by the search that follows
            return list(words)

    def _search_text(
        self,
        words: Sequence[str],
        limit: int,
        allowed: Sequence[int] | None,
        manifest: IndexManifest | None,
    ) -> Found:
        return _best_texts(self._found_text(words, limit, allowed, manifest), limit)

    def _found_text(
        self,
        words: Sequence[str],
        limit: int,
        allowed: Sequence[int] | None,
        manifest: IndexManifest | None,
    ) -> Found:
        """The best in the index, followed by the best of the unindexed rows."""
        rest = self._unindexed(words, manifest)
        if rest is not None and self._text.shift(manifest, rest) > SHIFT:
            self.sync(0)
            manifest = self._known(self._text.folder)
            rest = self._unindexed(words, manifest)
        return self._text.search(manifest, words, limit, allowed, rest)

    def _unindexed(
        self, words: Sequence[str], manifest: IndexManifest | None
    ) -> UnindexedRows | None:
        """Rows outside the full-text index; None when it is complete."""
        return self._waiting.scan(manifest.watermark if manifest else 0, words)

    def search_vector(
        self, vector: Vector, limit: int, allowed: Sequence[int] | None = None
    ) -> Found:
        """(key, cosine) over all rows of the vector's model, indexed or not."""
        space = self._at.space(vector.model)
        if space is None or space.dimension * 4 != len(vector.data):
            return []
        index = self._vector_index(space)
        return self._with_repair(
            lambda: self._search_vector(
                space, vector.data, limit, allowed, self._known(index.folder)
            ),
            lambda: self._search_vector(space, vector.data, limit, allowed, None),
            index.discard,
        )

    def _search_vector(
        self,
        space: StoredSpace,
        query: bytes,
        limit: int,
        allowed: Sequence[int] | None,
        manifest: IndexManifest | None,
    ) -> Found:
        index = self._vector_index(space)
        found = index.search(manifest, query, limit, allowed) if manifest else []
        watermark = manifest.watermark if manifest else 0
        if watermark < space.last:
            rest = [(r[0], r[1]) for r in self._db.execute(VECTOR_ROWS, (space.id, watermark))]
            if allowed is not None:
                allowed_keys = set(allowed)
                rest = [row for row in rest if row[0] in allowed_keys]
            found += index.search_rows(rest, query, limit) if rest else []
        return best_of(found, limit)

    def _with_repair(
        self,
        search: Callable[[], T],
        search_tables: Callable[[], T],
        discard: Callable[[], None],
    ) -> T:
        """Searches. Files that do not match may be in the midst of being published by another
        process: so it waits for the lock, checks again, and only then treats them as damaged. If
        they cannot be rebuilt the tables themselves are searched. In a transaction those are
        searched at once, and the files are checked after it: they may be newer than its view."""
        self.sync()
        try:
            return search()
        except (OSError, IndexUnusable):
            pass
        if self._db.in_transaction:
            self._failed = search, discard
            return search_tables()
        return self._repaired(search, search_tables, discard)

    def _repaired(
        self,
        search: Callable[[], T],
        search_tables: Callable[[], T],
        discard: Callable[[], None],
    ) -> T:
        """The result of a search after repairing the files that it failed with."""
        try:
            with exclusive(self._lock):
                self._catch_up()
                try:
                    return search()
                except IndexUnusable:  # although the checksums are right
                    discard()
            self.sync()
            return search()
        except (OSError, ValueError, IndexUnusable) as error:
            if str(error) not in self._reported:  # logged once
                self._reported.add(str(error))
                log.warning("searching without an index, which is slow: %s", error)
            return search_tables()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps every index up to date; no other process publishes one meanwhile."""
        with exclusive(self._lock):
            self._catch_up()
            yield

    def postings(self, word: str, limit: int) -> tuple[int, int]:
        """(rows with a word, up to ``limit``; rows with it in the full-text index). Raises
        ``IndexUnusable``."""
        manifest = self._manifest(self._text.folder)
        if manifest is None or not manifest.files:
            return 0, 0
        return self._text.postings(manifest, word, limit)

    def numbers(self) -> Iterator[tuple[Path, set[int]]]:
        """Folder of each vector index, and the numbers of the rows in it."""
        from array import array

        for folder in sorted(self.folder.glob("vectors-*")):
            if self._manifest(folder) is not None:
                data = (folder / "keys.u64").read_bytes()
                yield folder, set(array("Q", data[: len(data) - len(data) % 8]))

    # -- health -----------------------------------------------------------------------------------

    def states(self) -> list[IndexState]:
        """State of each index, with every byte of its files checked."""
        last_key = self._at.marks().last_key
        text = self._state("fulltext", self._text.folder, last_key, TEXT_ROWS, ())
        states = [text]
        for space in self._at.spaces():
            index = self._vector_index(space)
            state = self._state("vectors", index.folder, space.last, VECTOR_ROWS, (space.id,))
            state.extra = {"model": space.model, "dimension": space.dimension}
            if state.healthy and (manifest := self._manifest(index.folder)):
                more, state.note = hnsw.state(index, manifest)
                state.extra |= more
            states.append(state)
        return states

    def _state(
        self, name: str, folder: Path, last: int, rows: str, values: tuple[Any, ...]
    ) -> IndexState:
        manifest = self._manifest(folder)
        watermark = manifest.watermark if manifest else 0
        missing_rows = self._db.execute(
            f"SELECT count(*) FROM ({rows})", (*values, watermark)
        ).fetchone()[0]
        if manifest is None:
            note = "not usable; it is rebuilt at the next search" if folder.exists() else ""
            # without a manifest it was begun by a process that was killed, and is not damaged
            damaged = (folder / manifests.NAME).exists() and manifests.load(folder) is None
            return IndexState(name, 0, missing_rows, healthy=not damaged, note=note)
        healthy = manifests.intact(folder, manifest, thorough=True)
        note = "" if healthy else "damaged; run `thalamus store reindex`"
        return IndexState(name, manifest.entries, missing_rows, healthy, note)

    def rebuild(self) -> list[IndexState]:
        """Rebuilds every index. Raises ``OSError`` when the folder cannot be written."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(self._lock):
            self._text.discard()
            self._vectors.clear()
            for folder in self.folder.glob("vectors-*"):
                shutil.rmtree(folder, ignore_errors=True)
            self._catch_up()
        return self.states()

    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Rebuilds every HNSW index; see ``hnsw.build``."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(self._lock):
            self._catch_up()
        return [self._build_hnsw(space, progress) for space in self._at.spaces()]

    def keep_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds or extends the HNSW indexes that are due or damaged."""
        results = []
        for space in self._at.spaces():
            index = self._vector_index(space)
            manifest = self._known(index.folder)
            if manifest is None:
                continue
            if hnsw.due(index.folder, manifest.entries) or hnsw.state(index, manifest)[1]:
                results.append(self._build_hnsw(space, progress, from_scratch=False))
        return results

    def hnsw_due(self) -> bool:
        """True when ``keep_hnsw`` has work to do, by a quick check."""
        for space in self._at.spaces():
            index = self._vector_index(space)
            manifest = self._known(index.folder)
            if manifest and (index.damaged or hnsw.due(index.folder, manifest.entries)):
                return True
        return False

    def _build_hnsw(
        self, space: StoredSpace, progress: Callable[[int], None], from_scratch: bool = True
    ) -> HnswResult:
        index = self._vector_index(space)
        manifest = partial(self._manifest, index.folder)
        return hnsw.build(
            index, manifest, self._lock, space.model, progress, from_scratch=from_scratch
        )

    # -- sync with the tables ---------------------------------------------------------------------

    def __init__(
        self,
        folder: Path,
        connection: sqlite3.Connection,
        approximate: bool = True,
        positions: Positions | None = None,
    ) -> None:
        self.folder = folder
        self._approximate = approximate
        self._db = connection
        self._at = positions or Positions(connection)
        self._text = FullText(folder / "fulltext")
        self._rows = SqliteTables(connection)
        self._waiting = UnindexedTexts(self._rows, self._at)
        self._encrypted_words = EncryptedWords()
        self._vectors: dict[int, Vectors] = {}
        self._level: object = None  # lag, tables and indexes at the last sync
        self._files: dict[Path, tuple[object, IndexManifest | None]] = {}
        self._read: dict[Path, tuple[object, IndexManifest | None]] = {}
        self._reported: set[str] = set()  # problems logged, once each
        self._builder: subprocess.Popen[bytes] | None = None  # the process that builds the indexes

    def sync(self, lag: int | None = None) -> None:
        """Brings the indexes up to date if they are more than ``lag`` rows behind (by default: more
        than a few, or anything was removed) and no other process is doing so. What takes long is
        left to a process of its own, without a ``lag``. Does nothing in a transaction. Never
        raises: a later call makes up for an index that could not be written."""
        if self._db.in_transaction:  # what others wrote since it began looks damaged
            return
        if self._failed is not None:
            (search, discard), self._failed = self._failed, None
            self._repaired(search, lambda: None, discard)
        try:
            with self._at.snapshot():
                level = lag, self._at.version(), self.state()
                if self._level == level:  # there was nothing to do
                    return
                behind = self.behind(lag)
            self.folder.mkdir(exist_ok=True, mode=0o700)
            if not behind:
                self._level = level
            while behind:
                if lag is None and self._takes_long() and self._built_elsewhere():
                    return
                with exclusive_if_free(self._lock) as acquired:
                    if not acquired:
                        return
                    self._catch_up()
                behind = self.behind(lag)
        except (OSError, ValueError, IndexUnusable, sqlite3.Error) as error:
            log.warning("cannot update the search indexes: %s", error)

    def _takes_long(self) -> bool:
        """True when so many rows are outside the full-text index that adding them takes seconds."""
        text = self._known(self._text.folder)
        return self._at.marks().last_key - (text.watermark if text else 0) > MANY

    def _built_elsewhere(self) -> bool:
        """True while another process builds the indexes; starts it once. False if it could not be
        started, or ended without success."""
        if self._builder is None:
            try:
                self._builder = start(BUILDER, self.folder.parent)
            except OSError:
                return False
            log.warning("the full-text index is built in the background; until then, searches scan")
        return self._builder.poll() is None

    def state(self) -> object:
        """State of the indexes on disk: changes when one is written."""
        folders = [self._text.folder, *(index.folder for index in self._vectors.values())]
        return [manifests.stamp(folder) for folder in folders]

    @property
    def _lock(self) -> Path:
        return self.folder / "index.lock"

    def behind(self, lag: int | None = None) -> bool:
        """True when an index is more than ``lag`` rows behind the tables; see ``sync``."""
        text, at = self._known(self._text.folder), self._at.marks()
        if text is not None and text.removals + (lag or 0) < at.removals:
            return True
        if self._is_due(self._text.folder, text, at.last_key, lag) and (
            text is None or self._has_rows(text, at.last_key, lag)
        ):
            return True
        for space in self._at.spaces():
            folder = self._vector_index(space).folder
            if self._is_due(folder, self._known(folder), space.last, lag):
                return True
        return False

    def _is_due(
        self, folder: Path, index: IndexManifest | None, last: int, lag: int | None
    ) -> bool:
        """True when an index is too far behind the row with the number ``last``."""
        if index is None and folder.exists() and lag is None:
            return True  # of another store, or damaged
        index = index or IndexManifest("", 0)
        return index.watermark + _allowed(lag, index) < last

    def _has_rows(self, index: IndexManifest, last: int, lag: int | None) -> bool:
        """True when more unindexed rows wait than allowed: stage logs and plans take keys too."""
        allowed = _allowed(lag, index)
        if last - index.watermark > allowed * KEYS_PER_ROW:
            return True
        count = f"SELECT count(*) FROM ({TEXT_ROWS})"
        return bool(self._db.execute(count, (index.watermark,)).fetchone()[0] > allowed)

    def _catch_up(self) -> None:
        """Syncs all indexes; the caller holds the lock."""
        steps = [self._catch_up_text]
        for space in self._at.spaces():
            steps.append(partial(self._catch_up_vectors, space))
        for step in steps:
            with self._reading():
                rest = step()
            rest()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """One snapshot of the tables. Rows are written to an index after reading unless there are
        too many to keep: while anyone reads, SQLite's log cannot be restarted."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    def _catch_up_text(self) -> Callable[[], None]:
        """Reads the new rows; returns a function that indexes them."""
        folder, at = self._text.folder, self._at.marks()
        last_key, last_removal = at.last_key, at.removals
        known = self._manifest(folder)  # up to date: the next search finds out if it is sound
        if known and known.watermark >= last_key and known.removals >= last_removal:
            return _nothing
        manifest = self._usable(folder, self._text.discard)
        fits = last_key - manifest.watermark <= KEPT
        removed = self._at.removed_since(manifest.removals) if manifest.files else []
        # a removed entry's words were also indexed with its neighbours, which are still there
        changed = [key for key in removed if key <= manifest.watermark]
        adds = chain(texts_of(self._rows, changed), texts_after(self._rows, manifest.watermark))
        manifest.watermark, manifest.removals = last_key, last_removal
        manifest.anchor = self._at.last_event()
        if fits:
            kept = list(adds)
            if manifest.files and not kept and not removed:  # plans take keys too
                return partial(manifests.save, folder, manifest)
            return partial(self._write_text, manifest, kept, removed)
        self._write_text(manifest, adds, removed)
        return _nothing

    def _write_text(self, manifest: IndexManifest, adds: Texts, removed: Sequence[int]) -> None:
        try:
            self._text.apply(manifest, adds, removed)
        except IndexUnusable as error:
            # files that tantivy itself refuses would block indexing for ever
            log.info("the full-text index is rebuilt: %s", error)
            self._text.discard()
            with self._reading():
                manifest = self._new_manifest()
                at = self._at.marks()
                manifest.watermark, manifest.removals = at.last_key, at.removals
                manifest.anchor = self._at.last_event()
                self._text.apply(manifest, texts_after(self._rows, 0), [])

    def _catch_up_vectors(self, space: StoredSpace) -> Callable[[], None]:
        index = self._vector_index(space)
        known, last = self._manifest(index.folder), self._at.last_embedding(space.id)
        if known and known.watermark >= last:
            return _nothing
        manifest = self._usable(index.folder, index.discard)
        fits = last - manifest.watermark <= KEPT
        rows = self._db.execute(VECTOR_ROWS, (space.id, manifest.watermark))
        manifest.watermark, manifest.anchor = last, self._at.last_event()
        if fits:
            return partial(index.append, manifest, list(rows))
        index.append(manifest, rows)
        return _nothing

    def _usable(self, folder: Path, discard: Callable[[], None]) -> IndexManifest:
        """Manifest of files that can be built on; a new one when they cannot."""
        manifest = self._manifest(folder)
        if manifest is not None and manifests.intact(folder, manifest):
            return deepcopy(manifest)  # it is changed before it is written
        if folder.exists():
            log.info("the index %s is rebuilt", folder.name)
            discard()
        return self._new_manifest()

    def _new_manifest(self) -> IndexManifest:
        return IndexManifest(store=self._at.meta("store"), epoch=int(self._at.meta("epoch")))

    def _known(self, folder: Path) -> IndexManifest | None:
        """``_manifest`` for reading only, cached until it is replaced or another connection writes:
        what this one commits is only further on."""
        state = self._at.version()[0], self._db.in_transaction, manifests.stamp(folder)
        if folder not in self._read or self._read[folder][0] != state:
            self._read[folder] = state, self._manifest(folder)
        return self._read[folder][1]

    def _manifest(self, folder: Path) -> IndexManifest | None:
        """The manifest, for reading only, unless it is of another store or epoch, or ahead of the
        tables."""
        manifest = self._loaded(folder)
        if manifest is None:
            return None
        at = self._at.marks()
        if (manifest.store, manifest.epoch) != (at.store, at.epoch):
            return None
        newest = at.last_key if folder == self._text.folder else at.embeddings
        if manifest.removals > at.removals or manifest.watermark > newest:
            return None
        return manifest if self._at.has_event(manifest.anchor) else None

    def _loaded(self, folder: Path) -> IndexManifest | None:
        """The manifest on disk, read again when it is replaced."""
        stamp = manifests.stamp(folder)
        if folder not in self._files or self._files[folder][0] != stamp:
            self._files[folder] = stamp, manifests.load(folder)
        return self._files[folder][1]

    def _vector_index(self, space: StoredSpace) -> Vectors:
        known = self._vectors.get(space.id)
        if known is None or known.dimension != space.dimension:  # after a restore
            folder = self.folder / f"vectors-{space.id}"
            stored = partial(self._stored_vectors, space.id)
            known = Vectors(folder, space.dimension, stored, self._approximate)
            self._vectors[space.id] = known
        return known

    def _stored_vectors(self, space: int, keys: Sequence[int]) -> list[tuple[int, bytes]]:
        """(key, stored vector) of the rows of a space with these keys."""
        found: list[tuple[int, bytes]] = []
        for part in in_parts(keys):
            query = f"{STORED} ({placeholders(part)})"
            found += [(row[0], row[1]) for row in self._db.execute(query, (space, *part))]
        return found
