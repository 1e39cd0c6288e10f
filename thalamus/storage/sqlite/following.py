"""Keeping the search indexes level with the tables.

SQLite is the truth and both kinds of index are disposable. After a commit the writer takes the
index lock if it is free and brings the indexes up to the watermark; if not, whoever holds it does,
or the next reader. A search covers rows beyond the watermark by itself, so it is right meanwhile.
An index that is missing, damaged, older or of another store is thrown away and made anew.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

from thalamus.storage.sqlite import manifest as manifests
from thalamus.storage.sqlite.database import exclusive_if_free
from thalamus.storage.sqlite.fulltext import FullText, IndexUnusable
from thalamus.storage.sqlite.indexed_text import texts_after, texts_of
from thalamus.storage.sqlite.manifest import Manifest
from thalamus.storage.sqlite.positions import Positions
from thalamus.storage.sqlite.vectors import Vectors

log = logging.getLogger(__name__)

Texts = Iterable[tuple[int, str]]
# A commit of the full-text index costs ten times what storing a row does, so the last few rows
# wait for the next ones; a search looks at them itself. In a small index they would shift the
# average length, and with it the scores, by more than a thousandth: there nothing waits.
FEW, SHARE = 24, 1000
KEPT = 40_000  # rows that are read before they are indexed; of more each as it comes
TEXT_ROWS = "SELECT key FROM entry WHERE live AND key > ?"
# +: by n, not by the index over (space, key), all of which would be read and sorted each time
VECTOR_ROWS = "SELECT key, vector FROM embedding WHERE +space = ? AND n > ? ORDER BY n"


class Following:
    """The full-text index and one vector index per embedding model, in one folder."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._db = connection
        self._at = Positions(connection)
        self._text = FullText(folder / "fulltext")
        self._vectors: dict[int, Vectors] = {}
        self._level: object = None  # a lag, tables and indexes when it was last kept
        self._read: dict[Path, tuple[object, Manifest | None]] = {}
        self._told: set[str] = set()  # why there was no index, once each

    # -- following the tables ------------------------------------------------------------------

    def follow(self, lag: int | None = None) -> None:
        """Brings the indexes up to date if they are more than ``lag`` rows behind (without it:
        more than a few, or anything was removed) and no other process is doing so. Never raises:
        an index that could not be written is made good by a later call."""
        try:
            state = self._moment()
            if self._level == (lag, state):
                return
            self.folder.mkdir(exist_ok=True, mode=0o700)
            while self.behind(lag):
                with exclusive_if_free(self._lock) as mine:
                    if not mine:
                        return
                    self._catch_up()
            if state == self._moment():  # nothing was to be done
                self._level = lag, state
        except (OSError, ValueError, IndexUnusable, sqlite3.Error) as error:
            log.warning("the search indexes could not be brought up to date: %s", error)

    def _moment(self) -> object:
        """Tables and indexes as they are: when it is the same again nothing has changed."""
        return self._at.version(), self.state()

    def state(self) -> object:
        """The indexes as they are on the disk: another when one was written."""
        folders = [self._text.folder, *(index.folder for index in self._vectors.values())]
        return [manifests.stamp(folder) for folder in folders]

    @property
    def _lock(self) -> Path:
        return self.folder / "index.lock"

    def behind(self, lag: int | None = None) -> bool:
        """Whether an index is more than ``lag`` rows behind the tables; see ``follow``."""
        text = self._manifest(self._text.folder) or Manifest("", 0)
        if text.watermark + _allowed(lag, text) < self._at.last_key():
            return True
        if text.removals + (lag or 0) < self._at.last_removal():
            return True
        for space_id, _ in self._at.spaces():
            vectors = self._manifest(self._vector_index(space_id).folder) or Manifest("", 0)
            few = _allowed(lag, vectors)
            if vectors.watermark + few < self._at.last_embedding(space_id):
                return True
        return False

    def _catch_up(self) -> None:
        """The caller holds the lock."""
        steps = [self._catch_up_text]
        for space_id, _ in self._at.spaces():
            steps.append(partial(self._catch_up_vectors, space_id))
        for step in steps:
            with self._reading():
                rest = step()
            rest()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """One state of the tables. What was read is written to an index afterwards unless it is
        too much to be kept: while anyone reads, SQLite's log cannot be begun anew."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    def _catch_up_text(self) -> Callable[[], None]:
        """Reads what is new; returns what is left to do."""
        folder, last_key = self._text.folder, self._at.last_key()
        last_removal = self._at.last_removal()
        known = self._manifest(folder)  # level: whoever searches finds out whether it is sound
        if known and known.watermark >= last_key and known.removals >= last_removal:
            return _nothing
        manifest = self._usable(folder, self._text.discard)
        few = last_key - manifest.watermark <= KEPT
        removed = self._at.removed_since(manifest.removals) if manifest.files else []
        # a removed entry's words stood beside those of its neighbours, who are still there
        changed = [key for key in removed if key <= manifest.watermark]
        adds = chain(texts_of(self._db, changed), texts_after(self._db, manifest.watermark))
        manifest.watermark, manifest.removals = last_key, last_removal
        manifest.anchor = self._at.last_event()
        if few:
            kept = list(adds)
            if manifest.files and not kept and not removed:  # plans take keys too
                return partial(manifests.save, folder, manifest)
            return partial(self._write_text, manifest, kept, removed)
        self._write_text(manifest, adds, removed)
        return _nothing

    def _write_text(self, manifest: Manifest, adds: Texts, removed: Sequence[int]) -> None:
        try:
            self._text.apply(manifest, adds, removed)
        except IndexUnusable as error:
            # files that tantivy itself refuses would stand in the way for ever
            log.info("the full-text index is made anew: %s", error)
            self._text.discard()
            with self._reading():
                anew = self._new_manifest()
                anew.watermark, anew.removals = self._at.last_key(), self._at.last_removal()
                anew.anchor = self._at.last_event()
                self._text.apply(anew, texts_after(self._db, 0), [])

    def _catch_up_vectors(self, space_id: int) -> Callable[[], None]:
        index = self._vector_index(space_id)
        known, last = self._manifest(index.folder), self._at.last_embedding(space_id)
        if known and known.watermark >= last:
            return _nothing
        manifest = self._usable(index.folder, index.discard)
        few = last - manifest.watermark <= KEPT
        found = self._db.execute(VECTOR_ROWS, (space_id, manifest.watermark))
        rows = ((row[0], row[1]) for row in found)
        manifest.watermark, manifest.anchor = last, self._at.last_event()
        if few:
            return partial(index.append, manifest, list(rows))
        index.append(manifest, rows)
        return _nothing

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

    def _known(self, folder: Path) -> Manifest | None:
        """``_manifest`` for reading only, kept while neither it nor the tables change."""
        state = self._at.version(), manifests.stamp(folder)
        if folder not in self._read or self._read[folder][0] != state:
            self._read[folder] = state, self._manifest(folder)
        return self._read[folder][1]

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

    # -- the tables ----------------------------------------------------------------------------

    def _vector_index(self, space_id: int) -> Vectors:
        # asked each time: after a restore the number may be another model's
        dimension = self._at.dimension(space_id)
        known = self._vectors.get(space_id)
        if known is None or known.dimension != dimension:
            known = Vectors(self.folder / f"vectors-{space_id}", dimension)
            self._vectors[space_id] = known
        return known


def _allowed(lag: int | None, index: Manifest) -> int:
    """How many rows an index may be behind."""
    return min(FEW, index.entries // SHARE) if lag is None else lag


def _nothing() -> None:
    """What is left to do when an index is level."""
