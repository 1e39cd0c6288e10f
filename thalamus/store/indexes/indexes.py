"""The search indexes of a store: searching them, folding rows in, rebuilding and checking them.

A search looks at the rows that an index lacks itself, so it is right whatever the state of the
index. Nobody waits for an index: another process folds rows in (``folding``).
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import partial
from itertools import chain
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from thalamus.errors import IndexUnusable
from thalamus.locks import exclusive, exclusive_if_free, exclusive_within
from thalamus.logs import logger
from thalamus.store.bm25 import EncryptedWords, Weights, rounded, unrounded
from thalamus.store.indexed_text import texts_after, texts_of
from thalamus.store.indexes import hnsw
from thalamus.store.indexes import index_files as manifests
from thalamus.store.indexes.fulltext import SELECTIVE, FullText
from thalamus.store.indexes.index_files import IndexManifest
from thalamus.store.indexes.pending import VECTORS_AFTER, PendingTexts, PendingVectors
from thalamus.store.indexes.positions import Positions, StoredSpace
from thalamus.store.indexes.vectors import Vectors, nearest_rows
from thalamus.store.maintenance import HnswResult, IndexState
from thalamus.store.sqlite.tables import SqliteTables
from thalamus.store.values import Vector
from thalamus.text.few_vectors import numpy_pays_off

log = logger(__name__)

T = TypeVar("T")
Found = list[tuple[int, float]]
# Rows that an index may lack: so many, or one in so many. A search looks at these in the tables.
FEW, SHARE = 200, 100
KEYS_PER_ROW = 8  # keys for each of these, after which rows are counted: stage logs take keys too
PATIENCE = 2.0  # seconds that a search waits for another process that publishes an index
KEPT = 40_000  # rows read before they are indexed; more are indexed as they are read
TEXTS_AFTER = "SELECT key FROM entry WHERE live AND key > ?"


def few(entries: int) -> int:
    """Number of rows that an index of so many entries may lack."""
    return max(FEW, entries // SHARE)


class Indexes:
    """The full-text index and one vector index per embedding model, in one folder. ``approximate``:
    use HNSW graphs."""

    def __init__(
        self,
        folder: Path,
        connection: sqlite3.Connection,
        approximate: bool = True,
        positions: Positions | None = None,
    ) -> None:
        self.folder = folder
        self.approximate = approximate
        self._db = connection
        self._at = positions or Positions(connection)
        self._text = FullText(folder / "fulltext")
        self._rows = SqliteTables(connection)
        self._pending_texts = PendingTexts(self._rows, self._at)
        self._encrypted_words = EncryptedWords()
        self._vectors: dict[int, tuple[Vectors, PendingVectors]] = {}
        self._files: dict[Path, tuple[object, IndexManifest | None]] = {}
        self._read: dict[Path, tuple[object, IndexManifest | None]] = {}
        self._opened: dict[Path, IndexManifest] = {}  # whose files are open
        self.lacking = False  # whether a search found that an index lacks many rows

    # -- searching words --------------------------------------------------------------------------

    def search_text(
        self, words: Sequence[str], limit: int, allowed: Sequence[int] | None = None
    ) -> Found:
        """(key, BM25 score) over all rows, indexed or not; ``allowed`` restricts the keys."""
        search = partial(self._search_text, words, limit, allowed)
        return self._searched(self._text.folder, search)

    def search_and_score(
        self, words: Sequence[str], limit: int, others: Sequence[int]
    ) -> tuple[Found, dict[int, float]]:
        """The result of ``search_text``, and scores as there of the rows ``others``, by key;
        without rows that have none of the words."""
        search = partial(self._search_and_score, words, limit, others)
        return self._searched(self._text.folder, search)

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

    def encrypted_scores(
        self, texts: Mapping[int, str], words: Sequence[str]
    ) -> Callable[[int, float], Found]:
        """See ``store.base.Store``."""
        found = self._encrypted_words.scan(texts, words)

        def weigh(manifest: IndexManifest | None) -> Weights | None:
            rest = self._pending_texts.scan(manifest, words)
            return self._text.weights(manifest, found, rest)

        weights = self._searched(self._text.folder, weigh)
        return lambda limit, least: found.best(limit, weights, least=least)

    def informative_words(self, words: Sequence[str]) -> list[str]:
        """The words without those that very many rows have; all of them while there are few rows,
        or no index is open to count them."""
        manifest = self._known(self._text.folder)
        try:
            return self._text.informative_words(manifest, words) if manifest else list(words)
        except (OSError, IndexUnusable):  # noticed by the search that follows
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
        """The best in the index, followed by the best of the rows that it lacks."""
        self._note(manifest, self._at.marks().last_key)
        rest = self._pending_texts.scan(manifest, words)
        hidden = self._pending_texts.removed
        return self._text.search(manifest, words, limit, allowed, rest, hidden)

    # -- searching vectors ------------------------------------------------------------------------

    def search_vector(
        self, vector: Vector, limit: int, allowed: Sequence[int] | None = None
    ) -> Found:
        """(key, cosine) over all rows of the vector's model, indexed or not."""
        space = self._at.space(vector.model)
        if space is None or space.dimension * 4 != len(vector.data):
            return []
        search = partial(self._search_vector, space, vector.data, limit, allowed)
        return self._searched(self._vector_index(space).folder, search)

    def _search_vector(
        self,
        space: StoredSpace,
        query: bytes,
        limit: int,
        allowed: Sequence[int] | None,
        manifest: IndexManifest | None,
    ) -> Found:
        self._note(manifest, space.last)
        index, pending = self._index_and_pending(space)
        entries, watermark = (manifest.entries, manifest.watermark) if manifest else (0, 0)
        large = numpy_pays_off((entries + space.last - watermark) * space.dimension)
        if not large:
            manifest = None  # so few rows are read from the table, without numpy
        opened = index.opened(manifest) if manifest is not None and manifest.entries else None
        pending.follow(manifest, opened)
        found: Found = []
        if manifest is not None:
            found = index.search(manifest, query, limit, pending.outdated, allowed)
        allowed_keys = None if allowed is None else set(allowed)
        for rows in pending.rows():
            if allowed_keys is not None:
                rows = [row for row in rows if row[0] in allowed_keys]
            if rows:
                found += nearest_rows(rows, query, limit, few=not large)
        return _best_of(found, limit)

    def _searched(self, folder: Path, search: Callable[[IndexManifest | None], T]) -> T:
        """Result of a search by an index, or by the tables alone where its files do not match their
        manifest. They may be in the midst of being published by another process: then it uses those
        that it has open, or waits for that and tries again before it takes them to be damaged."""
        for again in (False, True):
            manifest, stamp = self._known(folder), manifests.stamp(folder)
            if manifest is not None:
                with suppress(OSError, IndexUnusable):
                    found = search(manifest)
                    self._opened[folder] = manifest
                    return found
            former = self._opened.get(folder)
            if former and self._is_ours(former, folder) and self._at.has_event(former.anchor):
                self.lacking = True
                with suppress(OSError, IndexUnusable):
                    return search(former)
            if manifest is None:
                break
            self.lacking = True
            with suppress(OSError), exclusive_within(self._lock, PATIENCE) as acquired:
                if acquired and again and manifests.stamp(folder) == stamp:
                    log.info("the index %s does not match its manifest", folder.name)
                    (folder / manifests.NAME).unlink()
        return search(None)

    def _note(self, manifest: IndexManifest | None, last: int) -> None:
        """Notes whether an index lacks many of the rows up to the number ``last``."""
        entries, watermark = (manifest.entries, manifest.watermark) if manifest else (0, 0)
        self.lacking = self.lacking or last - watermark > few(entries)

    # -- state ------------------------------------------------------------------------------------

    @property
    def _lock(self) -> Path:
        return self.folder / "index.lock"

    def behind(self, complete: bool = False) -> bool:
        """True when an index lacks, or should forget, more rows than it may (``few``), or cannot be
        used; with ``complete`` when it lacks any."""
        at = self._at.marks()
        text = self._known(self._text.folder)
        if self._lacks(self._text.folder, text, at.last_key, complete) and (
            text is None or self._lacks_rows(text, at.last_key, complete)
        ):
            return True
        for space in self._at.spaces():
            folder = self._vector_index(space).folder
            if self._lacks(folder, self._known(folder), space.last, complete):
                return True
        return False

    def _lacks(
        self, folder: Path, manifest: IndexManifest | None, last: int, complete: bool
    ) -> bool:
        """True when an index lacks too many of the rows up to the number ``last``, or should forget
        too many of those that it has."""
        if manifest is None and folder.exists() and not complete:
            return True  # of another store, or damaged
        manifest = manifest or IndexManifest("", 0)
        allowed = 0 if complete else few(manifest.entries)
        removals = self._at.marks().removals - manifest.removals if manifest.files else 0
        return last - manifest.watermark > allowed or removals > allowed

    def _lacks_rows(self, manifest: IndexManifest, last: int, complete: bool) -> bool:
        """False when the keys that an index lacks are mostly those of stage logs and plans."""
        allowed = 0 if complete else few(manifest.entries)
        lacking = last - manifest.watermark
        if lacking <= allowed or lacking > allowed * KEYS_PER_ROW:
            return True
        count = f"SELECT count(*) FROM ({TEXTS_AFTER})"
        return bool(self._db.execute(count, (manifest.watermark,)).fetchone()[0] > allowed)

    def hnsw_due(self) -> bool:
        """True when ``keep_hnsw`` has work to do, by a quick check."""
        if not self.approximate:
            return False
        for space in self._at.spaces():
            index = self._vector_index(space)
            manifest = self._known(index.folder)
            if manifest and (index.damaged or hnsw.due(index.folder, manifest.entries)):
                return True
        return False

    def _known(self, folder: Path) -> IndexManifest | None:
        """``_manifest`` for reading only, cached until it is replaced or another connection writes:
        what this one commits is only further on."""
        state = self._at.version(), self._db.in_transaction, manifests.stamp(folder)
        if folder not in self._read or self._read[folder][0] != state:
            self._read[folder] = state, self._manifest(folder)
        return self._read[folder][1]

    def _manifest(self, folder: Path) -> IndexManifest | None:
        """The manifest on disk, for reading only, if it is of this store."""
        manifest = self._loaded(folder)
        if manifest is None or not self._is_ours(manifest, folder):
            return None
        return manifest if self._at.has_event(manifest.anchor) else None

    def _is_ours(self, manifest: IndexManifest, folder: Path) -> bool:
        """False for a manifest of another store or epoch, or ahead of the tables."""
        at = self._at.marks()
        newest = at.last_key if folder == self._text.folder else at.embeddings
        same = (manifest.store, manifest.epoch) == (at.store, at.epoch)
        return same and manifest.removals <= at.removals and manifest.watermark <= newest

    def _loaded(self, folder: Path) -> IndexManifest | None:
        """The manifest on disk, read again when it is replaced."""
        stamp = manifests.stamp(folder)
        if folder not in self._files or self._files[folder][0] != stamp:
            self._files[folder] = stamp, manifests.load(folder)
        return self._files[folder][1]

    def _vector_index(self, space: StoredSpace) -> Vectors:
        return self._index_and_pending(space)[0]

    def _index_and_pending(self, space: StoredSpace) -> tuple[Vectors, PendingVectors]:
        known = self._vectors.get(space.id)
        if known is None or known[0].dimension != space.dimension:  # after a restore
            folder = self.folder / f"vectors-{space.id}"
            index = Vectors(folder, space.dimension, self.approximate)
            known = index, PendingVectors(self._rows, self._at, space.id)
            self._vectors[space.id] = known
        return known

    # -- folding rows in --------------------------------------------------------------------------

    def fold(self) -> bool:
        """Folds in the rows that an index lacks, unless another process is doing so. Never raises:
        false when an index could not be written, for which a later call makes up."""
        if self._db.in_transaction:  # what others wrote since it began looks damaged
            return True
        try:
            self.folder.mkdir(exist_ok=True, mode=0o700)
            while self.behind(complete=True):
                with exclusive_if_free(self._lock) as acquired:
                    if not acquired:
                        return True
                    self._catch_up()
        except (OSError, ValueError, IndexUnusable, sqlite3.Error) as error:
            log.warning("cannot update the search indexes: %s", error)
            return False
        return True

    def mend(self) -> None:
        """Discards indexes whose files do not match their manifests."""
        with exclusive(self._lock):
            indexes: list[FullText | Vectors] = [self._text]
            indexes += map(self._vector_index, self._at.spaces())
            for index in indexes:
                self._usable(index.folder, index.discard)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps every index complete; no other process publishes one meanwhile."""
        with exclusive(self._lock):
            self._catch_up()
            yield

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

    def _catch_up(self) -> None:
        """Completes all indexes; the caller holds the lock."""
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
        known = self._manifest(folder)
        if known and known.watermark >= at.last_key and known.removals >= at.removals:
            return _nothing
        manifest = self._usable(folder, self._text.discard)
        fits = at.last_key - manifest.watermark <= KEPT
        removed = self._at.removed_since(manifest.removals) if manifest.files else []
        # a removed entry's words were also indexed with its neighbours, which are still there
        changed = [key for key in removed if key <= manifest.watermark]
        adds = chain(texts_of(self._rows, changed), texts_after(self._rows, manifest.watermark))
        manifest.watermark, manifest.removals = at.last_key, at.removals
        manifest.anchor = self._at.last_event()
        if fits:
            kept = list(adds)
            if manifest.files and not kept and not removed:  # plans take keys too
                return partial(manifests.save, folder, manifest)
            return partial(self._write_text, manifest, kept, removed)
        self._write_text(manifest, adds, removed)
        return _nothing

    def _write_text(
        self, manifest: IndexManifest, adds: Iterable[tuple[int, str]], removed: Sequence[int]
    ) -> None:
        try:
            self._text.apply(manifest, adds, removed)
        except IndexUnusable as error:
            # files that tantivy itself refuses would block indexing for ever
            log.info("the full-text index is rebuilt: %s", error)
            self._text.discard()
            with self._reading():
                manifest, at = self._new_manifest(), self._at.marks()
                manifest.watermark, manifest.removals = at.last_key, at.removals
                manifest.anchor = self._at.last_event()
                self._text.apply(manifest, texts_after(self._rows, 0), [])

    def _catch_up_vectors(self, space: StoredSpace) -> Callable[[], None]:
        index, pending = self._index_and_pending(space)
        at, last = self._at.marks(), self._at.last_embedding(space.id)
        known = self._manifest(index.folder)
        if known and known.watermark >= last and known.removals >= at.removals:
            return _nothing
        manifest = self._usable(index.folder, index.discard)
        fits = last - manifest.watermark <= KEPT
        removed = self._at.removed_since(manifest.removals) if manifest.files else []
        kept = pending.numbers(removed)
        rows = self._db.execute(VECTORS_AFTER, (space.id, manifest.watermark))
        manifest.watermark, manifest.removals = last, at.removals
        manifest.anchor = self._at.last_event()
        if fits:
            return partial(index.fold, manifest, removed, kept, list(rows))
        index.fold(manifest, removed, kept, rows)
        return _nothing

    def _usable(self, folder: Path, discard: Callable[[], None]) -> IndexManifest:
        """Manifest of files that can be built on; a new one when they cannot."""
        manifest = self._manifest(folder)
        if manifest is not None and manifests.readable(folder, manifest):
            return deepcopy(manifest)  # it is changed before it is written
        if folder.exists():
            log.info("the index %s is rebuilt", folder.name)
            discard()
        return self._new_manifest()

    def _new_manifest(self) -> IndexManifest:
        at = self._at.marks()
        return IndexManifest(at.store, at.epoch)

    # -- HNSW graphs ------------------------------------------------------------------------------

    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Rebuilds every HNSW graph; see ``hnsw.build``."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(self._lock):
            self._catch_up()
        return [self._build_hnsw(space, progress) for space in self._at.spaces()]

    def keep_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds or extends the HNSW graphs that are due or damaged."""
        results = []
        for space in self._at.spaces():
            index = self._vector_index(space)
            manifest = self._known(index.folder)
            if manifest is None:
                continue
            _, problem = hnsw.state(index.folder, index.opened, manifest)
            if hnsw.due(index.folder, manifest.entries) or problem:
                results.append(self._build_hnsw(space, progress, from_scratch=False))
        return results

    def _build_hnsw(
        self, space: StoredSpace, progress: Callable[[int], None], from_scratch: bool = True
    ) -> HnswResult:
        index = self._vector_index(space)
        manifest = partial(self._manifest, index.folder)
        where = index.folder, index.opened, manifest, self._lock
        return hnsw.build(*where, space.model, progress, from_scratch=from_scratch)

    # -- health -----------------------------------------------------------------------------------

    def postings(self, word: str, limit: int) -> tuple[int, int]:
        """(rows with a word, up to ``limit``; rows with it in the full-text index). Raises
        ``IndexUnusable``."""
        manifest = self._manifest(self._text.folder)
        if manifest is None or not manifest.files:
            return 0, 0
        return self._text.postings(manifest, word, limit)

    def indexed_keys(self) -> Iterator[tuple[Path, set[int]]]:
        """Folder of each vector index, and the keys of the rows in it. Raises ``IndexUnusable``."""
        for space in self._at.spaces():
            index = self._vector_index(space)
            manifest = self._manifest(index.folder)
            if manifest is not None and manifest.entries:
                yield index.folder, set(index.opened(manifest).keys.tolist())

    def states(self) -> list[IndexState]:
        """State of each index, with every byte of its files checked."""
        found = self._states()
        if not all(one.healthy for one in found):  # another process may be publishing it
            with suppress(OSError), exclusive_within(self._lock, PATIENCE):
                return self._states()
        return found

    def _states(self) -> list[IndexState]:
        last_key = self._at.marks().last_key
        text = self._state("fulltext", self._text.folder, last_key, TEXTS_AFTER, ())
        states = [text]
        for space in self._at.spaces():
            index = self._vector_index(space)
            state = self._state("vectors", index.folder, space.last, VECTORS_AFTER, (space.id,))
            state.extra = {"model": space.model, "dimension": space.dimension}
            if state.healthy and (manifest := self._manifest(index.folder)):
                more, state.note = hnsw.state(index.folder, index.opened, manifest)
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
            note = "not usable; it is rebuilt in the background" if folder.exists() else ""
            # without a manifest it was begun by a process that was killed, and is not damaged
            damaged = (folder / manifests.NAME).exists() and manifests.load(folder) is None
            return IndexState(name, 0, missing_rows, healthy=not damaged, note=note)
        healthy = manifests.intact(folder, manifest, thorough=True)
        note = "" if healthy else "damaged; run `thalamus store reindex`"
        return IndexState(name, manifest.entries, missing_rows, healthy, note)


def _best_texts(found: Found, limit: int) -> Found:
    """The best by their rounded scores; far more may have been found, and are not rounded."""
    if 0 < limit < len(found):
        least = unrounded(sorted([score for _, score in found])[-limit])
        found = [hit for hit in found if hit[1] >= least]
    return _best_of([(key, rounded(score)) for key, score in found], limit)


def _best_of(found: Found, limit: int) -> Found:
    """The best ``limit``; of equals the newest come first.

    A row that was indexed during the search may have been found in both places.
    """
    best = dict(sorted(found, key=itemgetter(1)))  # the later of two scores is the better one
    least = sorted(best.values())[-limit] if 0 < limit < len(best) else -inf
    # sorting by key and then by score is faster than by both at once
    ordered = sorted([hit for hit in best.items() if hit[1] >= least], key=itemgetter(0))
    ordered.reverse()
    ordered.sort(key=itemgetter(1), reverse=True)
    return ordered[:limit]


def _nothing() -> None:
    """Remaining work for an index that is complete."""
