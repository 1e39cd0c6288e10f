"""Keeping the search indexes level with the tables.

SQLite is the truth and both kinds of index are disposable. After a commit the writer takes the
index lock if it is free and brings the indexes up to the watermark; if not, whoever holds it does,
or the next reader. A search covers rows beyond the watermark by itself, so it is right meanwhile.
An index that is missing, damaged, older or of another store is thrown away and made anew.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from thalamus.storage.protocol import IndexState, Space, Vector
from thalamus.storage.sqlite import manifest as manifests
from thalamus.storage.sqlite.database import exclusive, exclusive_if_free
from thalamus.storage.sqlite.fulltext import FullText, IndexUnusable
from thalamus.storage.sqlite.manifest import Manifest
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
            for space_id, _ in self._spaces():
                self._vector_index(space_id).discard()
            self._catch_up()

    @property
    def _lock(self) -> Path:
        return self.folder / "index.lock"

    def _behind(self) -> bool:
        text = self._manifest(self._text.folder)
        if (
            text is None
            or text.watermark < self._last_key()
            or text.removals < self._last_removal()
        ):
            return self._last_key() > 0
        for space_id, _ in self._spaces():
            vectors = self._manifest(self._vector_index(space_id).folder)
            if vectors is None or vectors.watermark < self._last_embedding(space_id):
                return True
        return False

    def _catch_up(self) -> None:
        """The caller holds the lock. One read transaction gives one state of the tables."""
        self._db.execute("BEGIN")
        try:
            self._catch_up_text()
            for space_id, _ in self._spaces():
                self._catch_up_vectors(space_id)
        finally:
            self._db.execute("COMMIT")

    def _catch_up_text(self) -> None:
        manifest = self._usable(self._text.folder, self._text.discard)
        last_key, last_removal = self._last_key(), self._last_removal()
        if manifest.watermark >= last_key and manifest.removals >= last_removal:
            return
        removed = self._removed_since(manifest.removals)
        adds = self._db.execute(TEXT_ROWS, (manifest.watermark,))
        manifest.watermark, manifest.removals = last_key, last_removal
        self._text.apply(manifest, ((row[0], row[1]) for row in adds), removed)

    def _catch_up_vectors(self, space_id: int) -> None:
        index = self._vector_index(space_id)
        manifest = self._usable(index.folder, index.discard)
        last = self._last_embedding(space_id)
        if manifest.watermark >= last:
            return
        rows = self._db.execute(VECTOR_ROWS, (space_id, manifest.watermark))
        manifest.watermark = last
        index.append(manifest, ((row[0], row[1]) for row in rows))

    def _usable(self, folder: Path, discard: Callable[[], None]) -> Manifest:
        """The manifest of files that can be built on; a new one when they cannot."""
        manifest = self._manifest(folder)
        if manifest is not None and manifests.intact(folder, manifest):
            return manifest
        if folder.exists():
            log.info("%s is not usable and is made anew", folder.name)
            discard()
        return Manifest(store=self._meta("store"), epoch=int(self._meta("epoch")))

    def _manifest(self, folder: Path) -> Manifest | None:
        """The manifest, unless it is of another store, another epoch or ahead of the tables."""
        manifest = manifests.load(folder)
        if manifest is None or manifest.store != self._meta("store"):
            return None
        if manifest.epoch != int(self._meta("epoch")) or manifest.removals > self._last_removal():
            return None
        if folder == self._text.folder:
            ahead = manifest.watermark > self._last_key()
        else:
            ahead = manifest.watermark > self._last_embedding(None)
        return None if ahead else manifest

    # -- searching -----------------------------------------------------------------------------

    def search_text(self, words: Sequence[str], limit: int) -> Found:
        """(key, BM25 score) over all rows, indexed or not."""
        self.follow()
        try:
            return self._search_text(words, limit)
        except IndexUnusable:
            self._mend()
            return self._search_text(words, limit)

    def _search_text(self, words: Sequence[str], limit: int) -> Found:
        manifest = self._manifest(self._text.folder)
        watermark = manifest.watermark if manifest else 0
        found = self._text.search(manifest, words, limit) if manifest else []
        if watermark < self._last_key():
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
        self.follow()
        try:
            return self._search_vector(row[0], vector.data, limit, allowed)
        except IndexUnusable:
            self._mend()
            return self._search_vector(row[0], vector.data, limit, allowed)

    def _search_vector(
        self, space_id: int, query: bytes, limit: int, allowed: Sequence[int] | None
    ) -> Found:
        index = self._vector_index(space_id)
        manifest = self._manifest(index.folder)
        found = index.search(manifest, query, limit, allowed) if manifest else []
        watermark = manifest.watermark if manifest else 0
        if watermark < self._last_embedding(space_id):
            rest = [(r[0], r[1]) for r in self._db.execute(VECTOR_ROWS, (space_id, watermark))]
            if allowed is not None:
                wanted = set(allowed)
                rest = [row for row in rest if row[0] in wanted]
            found += nearest(*matrix_of(rest, index.dimension), query, limit) if rest else []
        return _best(found, limit)

    def _mend(self) -> None:
        """Another process may be in the middle of publishing: wait for the lock, look again, and
        only then take the files for damaged."""
        with exclusive(self._lock):
            self._catch_up()

    # -- health --------------------------------------------------------------------------------

    def states(self) -> list[IndexState]:
        """How each index stands, with every byte of its files checked."""
        text = self._state("fulltext", self._text.folder, self._last_key(), TEXT_ROWS, ())
        states = [text]
        for space_id, space in self._spaces():
            index = self._vector_index(space_id)
            last = self._last_embedding(space_id)
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
        if space_id not in self._vectors:
            dimension = self._number("SELECT dimension FROM space WHERE id = ?", space_id)
            self._vectors[space_id] = Vectors(self.folder / f"vectors-{space_id}", dimension)
        return self._vectors[space_id]

    def _spaces(self) -> Iterator[tuple[int, Space]]:
        for row in self._db.execute("SELECT id, model, dimension FROM space").fetchall():
            yield row[0], Space(row[1], row[2])

    def _meta(self, name: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def _last_key(self) -> int:
        return self._number("SELECT value - 1 FROM meta WHERE name = 'next_key'")

    def _last_removal(self) -> int:
        return self._number("SELECT max(n) FROM removal")

    def _last_embedding(self, space_id: int | None) -> int:
        if space_id is None:
            return self._number("SELECT max(n) FROM embedding")
        return self._number(
            "SELECT n FROM embedding WHERE space = ? ORDER BY n DESC LIMIT 1", space_id
        )

    def _removed_since(self, n: int) -> list[int]:
        return [row[0] for row in self._db.execute("SELECT key FROM removal WHERE n > ?", (n,))]

    def _number(self, query: str, *values: Any) -> int:
        row = self._db.execute(query, values).fetchone()
        return int(row[0] or 0) if row else 0


def _best(found: Found, limit: int) -> Found:
    """The best ``limit``, ties in the order of keys so that answers are the same every time."""
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit]
