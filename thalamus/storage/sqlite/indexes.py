"""The search indexes of a store: searching them, making them anew, and how they stand.

A search covers rows beyond the watermark by itself, so it is right while an index lags.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.storage.shapes import Graph, IndexState, Vector
from thalamus.storage.sqlite import graph
from thalamus.storage.sqlite import manifest as manifests
from thalamus.storage.sqlite.database import exclusive
from thalamus.storage.sqlite.following import TEXT_ROWS, VECTOR_ROWS, Following
from thalamus.storage.sqlite.fulltext import IndexUnusable
from thalamus.storage.sqlite.indexed_text import texts_after
from thalamus.storage.sqlite.vectors import best_of, matrix_of, nearest

if TYPE_CHECKING:
    from thalamus.storage.sqlite.manifest import Manifest

log = logging.getLogger(__name__)

Found = list[tuple[int, float]]


class Indexes(Following):
    """The full-text index and one vector index per embedding model, in one folder."""

    def search_text(
        self, words: Sequence[str], limit: int, allowed: Sequence[int] | None = None
    ) -> Found:
        """(key, BM25 score) over all rows, indexed or not; ``allowed`` restricts the keys."""
        return self._mending(
            lambda: self._search_text(words, limit, allowed, self._known(self._text.folder)),
            lambda: self._search_text(words, limit, allowed, None),
            self._text.discard,
        )

    def _search_text(
        self,
        words: Sequence[str],
        limit: int,
        allowed: Sequence[int] | None,
        manifest: Manifest | None,
    ) -> Found:
        watermark, rest = manifest.watermark if manifest else 0, None
        if watermark < self._at.last_key():
            rest = self._text.look_through(texts_after(self._db, watermark), words)
        return best_of(self._text.search(manifest, words, limit, allowed, rest), limit)

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
                row[0], vector.data, limit, allowed, self._known(index.folder)
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
        return best_of(found, limit)

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
        except (OSError, IndexUnusable):
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
            if str(error) not in self._told:  # once is enough
                self._told.add(str(error))
                log.warning("searching without an index, which is slow: %s", error)
            return search_tables()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Every index level with the tables, and nobody publishes another meanwhile."""
        with exclusive(self._lock):
            self._catch_up()
            yield

    def postings(self, word: str, limit: int) -> tuple[int, int]:
        """Of a word: how many rows have it, up to ``limit``; how many the full-text index knows.
        Raises ``IndexUnusable``."""
        manifest = self._manifest(self._text.folder)
        if manifest is None or not manifest.files:
            return 0, 0
        live = len(self._text.search(manifest, [word], limit))
        return live, self._text.term_count(manifest, word)

    def numbers(self) -> Iterator[tuple[Path, set[int]]]:
        """The folder of each vector index, and the numbers of the rows in it."""
        from array import array

        for folder in sorted(self.folder.glob("vectors-*")):
            if self._manifest(folder) is not None:
                data = (folder / "keys.u64").read_bytes()
                yield folder, set(array("Q", data[: len(data) - len(data) % 8]))

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
            if state.healthy and (manifest := self._manifest(index.folder)):
                more, state.note = graph.state(index, manifest)
                state.extra |= more
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

    def rebuild(self) -> list[IndexState]:
        """Makes every index anew. Raises ``OSError`` when the folder cannot be written."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(self._lock):
            had_graph = graph.models(self.folder)
            self._text.discard()
            self._vectors.clear()
            for folder in self.folder.glob("vectors-*"):
                shutil.rmtree(folder, ignore_errors=True)
            self._catch_up()
        states = self.states()
        for state in states:
            if state.extra.get("model") in had_graph and not state.note:
                state.note = "its graph is gone; `thalamus reindex --graph` makes a new one"
        return states

    def build_graphs(self, progress: Callable[[int], None]) -> list[Graph]:
        """See ``graph.build``."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(self._lock):
            self._catch_up()
        made = []
        for space_id, space in self._at.spaces():
            index = self._vector_index(space_id)
            manifest = partial(self._manifest, index.folder)
            made.append(graph.build(index, manifest, self._lock, space.model, progress))
        return made
