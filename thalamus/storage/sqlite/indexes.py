"""Keeping the search indexes level with the tables.

SQLite is the truth and both kinds of index are disposable. After a commit the writer takes the
index lock if it is free and brings the indexes up to the watermark; if not, whoever holds it does,
or the next reader. A search covers rows beyond the watermark by itself, so it is right meanwhile.
An index that is missing, damaged, older or of another store is thrown away and made anew.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from thalamus.storage.protocol import IndexState, Vector
from thalamus.storage.sqlite import manifest as manifests
from thalamus.storage.sqlite.database import exclusive, exclusive_if_free
from thalamus.storage.sqlite.fulltext import FullText, IndexUnusable
from thalamus.storage.sqlite.manifest import Manifest
from thalamus.storage.sqlite.positions import Positions
from thalamus.storage.sqlite.vectors import Vectors, matrix_of, nearest

log = logging.getLogger(__name__)

Found = list[tuple[int, float]]
TEXT_ROWS = "SELECT key, search_text FROM entry WHERE live AND key > ? ORDER BY key"
VECTOR_ROWS = "SELECT key, vector FROM embedding WHERE space = ? AND n > ? ORDER BY n"


class Indexes:
    """The full-text index and one vector index per embedding model, in one folder."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._db = connection
        self._at = Positions(connection)
        self._text = FullText(folder / "fulltext")
        self._vectors: dict[int, Vectors] = {}

    # -- following the tables ------------------------------------------------------------------

    def follow(self) -> None:
        """Brings the indexes up to date if no other process is doing so. Never raises: an index
        that could not be written is made good by a later call."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            while self._behind():
                with exclusive_if_free(self._lock) as mine:
                    if not mine:
                        return
                    self._catch_up()
        except (OSError, ValueError, IndexUnusable, sqlite3.Error) as error:
            log.warning("the search indexes could not be brought up to date: %s", error)

    def rebuild(self) -> None:
        """Makes every index anew. Raises ``OSError`` when the folder cannot be written."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(self._lock):
            self._text.discard()
            self._vectors.clear()
            for folder in self.folder.glob("vectors-*"):
                shutil.rmtree(folder, ignore_errors=True)
            self._catch_up()

    @property
    def _lock(self) -> Path:
        return self.folder / "index.lock"

    def _behind(self) -> bool:
        text = self._manifest(self._text.folder) or Manifest("", 0)
        if text.watermark < self._at.last_key() or text.removals < self._at.last_removal():
            return True
        for space_id, _ in self._at.spaces():
            vectors = self._manifest(self._vector_index(space_id).folder) or Manifest("", 0)
            if vectors.watermark < self._at.last_embedding(space_id):
                return True
        return False

    def _catch_up(self) -> None:
        """The caller holds the lock. One read transaction gives one state of the tables."""
        self._db.execute("BEGIN")
        try:
            self._catch_up_text()
            for space_id, _ in self._at.spaces():
                self._catch_up_vectors(space_id)
        finally:
            self._db.execute("COMMIT")

    def _catch_up_text(self) -> None:
        manifest = self._usable(self._text.folder, self._text.discard)
        last_key, last_removal = self._at.last_key(), self._at.last_removal()
        if manifest.watermark >= last_key and manifest.removals >= last_removal:
            return
        try:
            self._apply_text(manifest, last_key, last_removal)
        except IndexUnusable as error:
            # files that tantivy itself refuses would stand in the way for ever
            log.info("the full-text index is made anew: %s", error)
            self._text.discard()
            self._apply_text(self._new_manifest(), last_key, last_removal)

    def _apply_text(self, manifest: Manifest, last_key: int, last_removal: int) -> None:
        removed = self._at.removed_since(manifest.removals) if manifest.files else []
        adds = self._db.execute(TEXT_ROWS, (manifest.watermark,))
        manifest.watermark, manifest.removals = last_key, last_removal
        manifest.anchor = self._at.last_event()
        self._text.apply(manifest, ((row[0], row[1]) for row in adds), removed)

    def _catch_up_vectors(self, space_id: int) -> None:
        index = self._vector_index(space_id)
        manifest = self._usable(index.folder, index.discard)
        last = self._at.last_embedding(space_id)
        if manifest.watermark >= last:
            return
        rows = self._db.execute(VECTOR_ROWS, (space_id, manifest.watermark))
        manifest.watermark, manifest.anchor = last, self._at.last_event()
        index.append(manifest, ((row[0], row[1]) for row in rows))

    def _usable(self, folder: Path, discard: Callable[[], None]) -> Manifest:
        """The manifest of files that can be built on; a new one when they cannot."""
        manifest = self._manifest(folder)
        if manifest is not None and manifests.intact(folder, manifest):
            return manifest
        if folder.exists():
            log.info("%s is not usable and is made anew", folder.name)
            discard()
        return self._new_manifest()

    def _new_manifest(self) -> Manifest:
        return Manifest(store=self._at.meta("store"), epoch=int(self._at.meta("epoch")))

    def _manifest(self, folder: Path) -> Manifest | None:
        """The manifest, unless it is of another store, another epoch or ahead of the tables."""
        manifest = manifests.load(folder)
        if manifest is None or manifest.store != self._at.meta("store"):
            return None
        if (
            manifest.epoch != int(self._at.meta("epoch"))
            or manifest.removals > self._at.last_removal()
        ):
            return None
        if folder == self._text.folder:
            ahead = manifest.watermark > self._at.last_key()
        else:
            ahead = manifest.watermark > self._at.sequence("embedding")
        return None if ahead or not self._at.has_event(manifest.anchor) else manifest

    # -- searching -----------------------------------------------------------------------------

    def search_text(self, words: Sequence[str], limit: int) -> Found:
        """(key, BM25 score) over all rows, indexed or not."""
        return self._mending(
            lambda: self._search_text(words, limit, self._manifest(self._text.folder)),
            lambda: self._search_text(words, limit, None),
            self._text.discard,
        )

    def _search_text(self, words: Sequence[str], limit: int, manifest: Manifest | None) -> Found:
        watermark = manifest.watermark if manifest else 0
        found = self._text.search(manifest, words, limit) if manifest else []
        if watermark < self._at.last_key():
            rest = self._db.execute(TEXT_ROWS, (watermark,))
            found += self._text.search_unindexed(((r[0], r[1]) for r in rest), words, limit)
        return _best(found, limit)

    def search_vector(
        self, vector: Vector, limit: int, allowed: Sequence[int] | None = None
    ) -> Found:
        """(key, cosine) over all rows of the vector's model, indexed or not."""
        row = self._db.execute(
            "SELECT id, dimension FROM space WHERE model = ?", (vector.model,)
        ).fetchone()
        if row is None or row[1] * 4 != len(vector.data):
            return []
        index = self._vector_index(row[0])
        return self._mending(
            lambda: self._search_vector(
                row[0], vector.data, limit, allowed, self._manifest(index.folder)
            ),
            lambda: self._search_vector(row[0], vector.data, limit, allowed, None),
            index.discard,
        )

    def _search_vector(
        self,
        space_id: int,
        query: bytes,
        limit: int,
        allowed: Sequence[int] | None,
        manifest: Manifest | None,
    ) -> Found:
        index = self._vector_index(space_id)
        found = index.search(manifest, query, limit, allowed) if manifest else []
        watermark = manifest.watermark if manifest else 0
        if watermark < self._at.last_embedding(space_id):
            rest = [(r[0], r[1]) for r in self._db.execute(VECTOR_ROWS, (space_id, watermark))]
            if allowed is not None:
                wanted = set(allowed)
                rest = [row for row in rest if row[0] in wanted]
            found += nearest(*matrix_of(rest, index.dimension), query, limit) if rest else []
        return _best(found, limit)

    def _mending(
        self,
        search: Callable[[], Found],
        search_tables: Callable[[], Found],
        discard: Callable[[], None],
    ) -> Found:
        """Searches. Files that are not what they should be may be those that another process is
        just publishing: then we wait for the lock, look again, and only then take them for
        damaged. Where they cannot be made anew the tables themselves are searched."""
        self.follow()
        try:
            return search()
        except IndexUnusable:
            pass
        try:
            with exclusive(self._lock):
                self._catch_up()
                try:
                    return search()
                except IndexUnusable:  # though the checksums are right
                    discard()
                    self._catch_up()
                    return search()
        except (OSError, ValueError, IndexUnusable) as error:
            log.warning("searching without an index, which is slow: %s", error)
            return search_tables()

    # -- health --------------------------------------------------------------------------------

    def states(self) -> list[IndexState]:
        """How each index stands, with every byte of its files checked."""
        text = self._state("fulltext", self._text.folder, self._at.last_key(), TEXT_ROWS, ())
        states = [text]
        for space_id, space in self._at.spaces():
            index = self._vector_index(space_id)
            last = self._at.last_embedding(space_id)
            state = self._state("vectors", index.folder, last, VECTOR_ROWS, (space_id,))
            state.extra = {"model": space.model, "dimension": space.dimension}
            states.append(state)
        return states

    def _state(
        self, name: str, folder: Path, last: int, rows: str, values: tuple[Any, ...]
    ) -> IndexState:
        manifest = self._manifest(folder)
        watermark = manifest.watermark if manifest else 0
        behind = self._db.execute(
            f"SELECT count(*) FROM ({rows})", (*values, watermark)
        ).fetchone()[0]
        if manifest is None:
            note = "not usable; it is made anew at the next search" if folder.exists() else ""
            return IndexState(name, 0, behind, healthy=not folder.exists(), note=note)
        healthy = manifests.intact(folder, manifest, thorough=True)
        note = "" if healthy else "damaged; run `thalamus reindex`"
        return IndexState(name, manifest.entries, behind, healthy, note)

    # -- the tables ----------------------------------------------------------------------------

    def _vector_index(self, space_id: int) -> Vectors:
        # asked each time: after a restore the number may be another model's
        dimension = self._at.dimension(space_id)
        known = self._vectors.get(space_id)
        if known is None or known.dimension != dimension:
            known = Vectors(self.folder / f"vectors-{space_id}", dimension)
            self._vectors[space_id] = known
        return known


def _best(found: Found, limit: int) -> Found:
    """The best ``limit``, ties in the order of keys so that answers are the same every time.

    A row that came into the index while we looked may have been found in both places.
    """
    best: dict[int, float] = {}
    for key, score in found:
        best[key] = max(score, best.get(key, score))
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]
