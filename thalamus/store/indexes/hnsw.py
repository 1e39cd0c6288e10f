"""An HNSW graph over a vector index: built, extended, measured, kept only when good.

A scan takes time in proportion to the rows; usearch's HNSW index (Malkov and Yashunin 2016) does
not. But it is slow to build, and among vectors without clusters it misses many of the nearest. So
it is built in the background (``folding``), from the size at which a scan takes longer than a
person notices, and one with too low a recall is not kept.

It covers the vectors up to a number, and names them by it; later ones are scanned, and when they
are many the graph is extended by them. Native code reads damaged bytes without any check: it gets
them only after the same process has verified their checksum. A published file is never written to
again, because others have it mapped; a new graph is a new file, and the manifest, which is replaced
in one step, names the valid one. Of a graph with too low a recall only the manifest is kept, so
that it is not built again and again.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.errors import IndexUnusable
from thalamus.locks import exclusive
from thalamus.logs import logger
from thalamus.store.indexes import index_files as manifests
from thalamus.store.indexes.index_files import IndexManifest
from thalamus.store.maintenance import HnswResult

if TYPE_CHECKING:
    from thalamus.store.indexes.flat import Flat, Matrix

log = logger(__name__)

FOLDER = "hnsw"
MINIMUM = 250_000  # vectors; fewer are scanned in a few milliseconds
REST = 10  # the graph is extended when more than one row in so many is beyond it
CONNECTIVITY, EXPANSION_ADD = 24, 128
CANDIDATES = 200  # rows that are requested at least
SCANNED = 2_000_000  # rows scanned before a process opens a graph, which costs as much
WIDEST = 1000  # results requested up to which the graph is used; it gets slower with each
# tried in this order; usearch never visits fewer than the number requested
EXPANSIONS = (256, 512, 1024, 2048)
AIM = 0.99  # recall among the nearest BEST at which no larger expansion is tried
GOOD = 0.97  # recall among the nearest BEST that is required
QUESTIONS, BEST = 100, 10
MARGIN = 20  # rows beyond those requested whose cosines are computed without rounding anything
BORN = "born"  # name in ``about`` of vectors and graph: their identity until they are made anew
BLOCK = 2048  # rows added or compared at a time
THREADS = 0  # threads that add rows: one for each core
_REBUILD = "`thalamus store reindex --hnsw` rebuilds it"
REBUILT = "not kept: the vectors were rebuilt meanwhile; try again"


class Discarded(Exception):
    """Raised when the vectors under a graph that is being built were made anew."""


class Graph:
    """A graph ready for searches. ``last``: the largest number that it covers."""

    def __init__(self, index: Any, last: int) -> None:
        self.index = index
        self.last = last

    def nearest(self, question: Matrix, count: int) -> Matrix:
        """Numbers of probably the nearest ``count`` vectors."""
        most = min(max(CANDIDATES, 2 * count), len(self.index))
        found: Matrix = self.index.search(rounded(question), most, threads=1).keys
        return found


class Reader:
    """The published graph of one vector index, mapped once it was verified: the bytes of a large
    file are read in a thread, while searches scan. ``damaged``: it cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.damaged = False
        self._graph: Graph | None = None
        self._stamp: object = None
        self._made: IndexManifest | None = None  # as published
        self._wrong: list[str] = []  # what its verification found: empty until that has ended

    def close(self) -> None:
        self._graph = self._stamp = self._made = None
        self.damaged = False

    def current(self, vectors: IndexManifest, opened: Flat) -> Graph | None:
        """The graph over these vectors; until a new one is verified, the previous one."""
        stamp = manifests.stamp(self._folder / FOLDER)
        if stamp is None:
            self.close()
            return None
        if self._stamp != stamp:
            self._stamp, self._made = stamp, published(self._folder)
            self.damaged = self._made is None
            if self._made is None or not _is_over(self._made, vectors):
                self._graph = None
            self._wrong = self._verify(self._made, vectors) if self._made is not None else []
        if self._made is not None and self._wrong:
            self._graph = self._opened(self._made, self._wrong.pop(), opened.matrix.shape[1])
            self.damaged = self._graph is None and bool(self._made.files)
        if self._graph is not None and self._graph.last > vectors.watermark:
            return None  # it has rows that this search does not know of yet
        return self._graph

    def _verify(self, made: IndexManifest, vectors: IndexManifest) -> list[str]:
        """Begins to verify a graph; the list gets the problem, or an empty text, at the end."""
        wrong: list[str] = []  # of its own: an earlier verification may still be at work

        def verify() -> None:
            # no usearch here: the process may end while this thread runs
            wrong.append(unfit(self._folder, made, vectors))

        if sum(entry[0] for entry in made.files.values()) >= manifests.SMALL:
            with suppress(RuntimeError):  # the thread limit was reached
                threading.Thread(target=verify, name="hnsw", daemon=True).start()
                return wrong
        verify()
        return wrong

    def _opened(self, made: IndexManifest, wrong: str, width: int) -> Graph | None:
        if not wrong:
            try:
                return _mapped(self._folder / FOLDER, made, width)
            except Exception as error:  # any error of usearch on a file that was deleted meanwhile
                wrong = str(error)
        log.info("the HNSW index in %s is not used: %s", self._folder.name, wrong)
        return None


# -- building ------------------------------------------------------------------------------------


def due(folder: Path, rows: int) -> bool:
    """True when a vector index of this size needs a graph, or a longer one."""
    if rows < MINIMUM:
        return False
    manifest = published(folder)
    if manifest is None:
        return True
    if not manifest.files:  # its recall was too low
        return rows >= 2 * manifest.entries
    return rows - manifest.entries > max(MINIMUM // 2, manifest.entries // REST)


def build(
    folder: Path,
    opened: Callable[[IndexManifest], Flat],
    manifest: Callable[[], IndexManifest | None],
    lock: Path,
    model: str,
    progress: Callable[[int], None],
    *,
    from_scratch: bool = True,
) -> HnswResult:
    """Builds the graph over all current rows, or unless ``from_scratch`` extends the existing one;
    returns the result.

    ``opened`` maps the vectors of a manifest, which ``manifest`` reads; ``lock`` is held only for
    that and while the graph is published, because building takes minutes. Raises ``OSError`` when
    it cannot be written.
    """
    with exclusive(lock):
        now = manifest()
        count = now.entries if now else 0
        if now is None or count < MINIMUM:
            progress(count)
            note = f"{count:,} vectors: scanning them is faster (below {MINIMUM:,})"
            return HnswResult(model, count, note=note)
        try:
            rows = opened(now)
        except IndexUnusable as error:
            return HnswResult(model, count, note=f"not built: the vectors are unusable: {error}")
    born = now.about[BORN]

    def check(done: int) -> None:
        progress(done)
        present = manifests.load(folder)
        if present is None or present.about.get(BORN) != born:
            raise Discarded

    try:
        before = None if from_scratch else _extensible(folder, now)
        graph = make(rows, check, before)
        expansion, recall = measure(graph, rows)
    except Discarded:
        return HnswResult(model, count, note=REBUILT)
    kept = recall >= GOOD
    note = "" if kept else f"not kept: its recall@{BEST} is {recall:.3f}, below {GOOD:.2f}"
    with exclusive(lock):
        present = manifest()
        if present is None or present.about.get(BORN) != born:
            return HnswResult(model, count, recall=recall, expansion=expansion, note=REBUILT)
        about = {"model": model, "recall": recall, "expansion": expansion, BORN: born}
        _publish(folder / FOLDER, graph if kept else None, now, about)
    return HnswResult(model, count, kept, recall, expansion, note)


def make(rows: Flat, progress: Callable[[int], None], before: Graph | None = None) -> Any:
    """A usearch index over the rows, in memory, by their numbers. ``before``: one over the first
    of them, which is extended by the others."""
    first = 0
    if before is not None:
        graph, first = before.index, int(rows.numbers.searchsorted(before.last, "right"))
    else:
        from usearch.index import Index

        graph = Index(
            ndim=rows.matrix.shape[1],
            metric="cos",
            dtype="i8",
            connectivity=CONNECTIVITY,
            expansion_add=EXPANSION_ADD,
            enable_key_lookups=False,
        )
    progress(first)
    for start in range(first, len(rows.numbers), BLOCK):
        some = slice(start, start + BLOCK)
        graph.add(rows.numbers[some], rounded(rows.matrix[some]), threads=THREADS)
        progress(len(rows.numbers[some]))
    return graph


def rounded(rows: Matrix) -> Matrix:
    """Vectors as int8, the largest number of each 127: their scale does not affect a cosine."""
    import numpy as np

    wide = rows.astype("<f4")
    most = np.abs(wide).max(axis=-1, keepdims=True)
    found: Matrix = np.rint(wide * (127 / np.maximum(most, 1e-30))).astype(np.int8)
    return found


def _extensible(folder: Path, vectors: IndexManifest) -> Graph | None:
    """The existing graph, in memory; None when there is no usable one, or it was built with other
    parameters."""
    manifest = published(folder)
    if manifest is None or unfit(folder, manifest, vectors):
        return None
    from usearch.index import Index

    with suppress(Exception):  # any error of usearch on a file that was deleted meanwhile
        path = folder / FOLDER / next(iter(manifest.files))
        index: Any = Index.restore(path, enable_key_lookups=False)
        if len(index) == manifest.entries and index.connectivity == CONNECTIVITY:
            index.expansion_add = EXPANSION_ADD
            return Graph(index, manifest.watermark)
    return None


def measure(index: Any, rows: Flat) -> tuple[int, float]:
    """(expansion, recall of the nearest 10): the smallest expansion with the required recall, or
    the largest.

    The queries are rows with added noise, from little (cosine 0.9 with the row) to the distance
    between a question and its answer (0.55): with less noise a graph looks better than it is.
    """
    import numpy as np

    count, width = rows.matrix.shape
    draw = np.random.default_rng(0)
    queries = rows.matrix[np.sort(draw.integers(0, count, QUESTIONS))].astype("<f4")
    noise = draw.standard_normal((QUESTIONS, width)) / np.sqrt(width)
    queries = queries + (noise * np.linspace(0.5, 1.5, QUESTIONS)[:, None]).astype("<f4")
    best = np.full((QUESTIONS, BEST), -np.inf, "<f4")
    for start in range(0, count, BLOCK):
        block = rows.matrix[start : start + BLOCK].astype("<f4")
        scores = np.hstack([best, queries @ block.T])
        best = np.partition(scores, -BEST, axis=1)[:, -BEST:]
    # by cosine: any of several equal rows will do
    least = best.min(axis=1) - 1e-6 * np.linalg.norm(queries, axis=1)
    searched = Graph(index, 0)
    expansion, recall = 0, 0.0
    for expansion in EXPANSIONS:
        index.expansion_search = expansion
        hits = 0
        for question, enough in zip(queries, least, strict=True):
            found = rows.numbered(searched.nearest(question, BEST + MARGIN))
            cosines = rows.matrix[found].astype("<f4") @ question
            hits += min(BEST, int((cosines >= enough).sum()))
        recall = hits / (QUESTIONS * BEST)
        if recall >= AIM:
            break
    return expansion, recall


def _publish(folder: Path, index: Any, vectors: IndexManifest, about: dict[str, Any]) -> None:
    """Replaces the published graph; without one only the manifest's ``about``. The caller holds the
    index lock, also while the file is written, so that nothing forgotten meanwhile remains in an
    unfinished file."""
    folder.mkdir(exist_ok=True)
    for left in folder.glob("*.tmp"):  # left by a killed process
        left.unlink()
    manifest = IndexManifest(
        vectors.store, vectors.epoch, vectors.watermark, entries=vectors.entries, about=about
    )
    if index is not None:
        manifest.entries = len(index)
        path = _save(folder, index)
        manifest.files = {
            path.name: manifests.file_entry(path, path.stat().st_size, int(path.stem, 16))
        }
    manifests.save(folder, manifest)
    for old in folder.glob("*.usearch"):
        if old.name not in manifest.files:
            old.unlink()  # processes that have it mapped keep it


def _save(folder: Path, index: Any) -> Path:
    """Writes the file; its name is its checksum."""
    temporary = folder / f"{os.getpid()}.tmp"
    size = index.serialized_length
    try:
        index.save(temporary)
        # usearch does not report a full disk
        if temporary.stat().st_size != size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(temporary))
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        path = folder / f"{manifests.checksum(temporary, size):08x}.usearch"
        temporary.replace(path)
        return path
    finally:
        temporary.unlink(missing_ok=True)


# -- reading -------------------------------------------------------------------------------------


def published(index: Path) -> IndexManifest | None:
    """Manifest of a vector index's graph, or of a rejected one, which has no file; None without a
    usable one."""
    return manifests.load(index / FOLDER)


def _mapped(folder: Path, manifest: IndexManifest, width: int) -> Graph:
    from usearch.index import Index

    # nothing is looked up by key
    index: Any = Index.restore(
        folder / next(iter(manifest.files)), view=True, enable_key_lookups=False
    )
    if index is None or len(index) != manifest.entries or index.ndim != width:
        raise ValueError("its size is wrong")
    index.expansion_search = manifest.about["expansion"]
    return Graph(index, manifest.watermark)


def _is_over(graph: IndexManifest, vectors: IndexManifest) -> bool:
    """True for a graph over these vectors, and not over those before they were made anew."""
    own = (graph.store, graph.epoch, graph.about.get(BORN))
    return own == (vectors.store, vectors.epoch, vectors.about.get(BORN))


def unfit(folder: Path, graph: IndexManifest, vectors: IndexManifest) -> str:
    """Reason why a graph cannot be used with these vectors; empty when it can."""
    if (graph.store, graph.epoch) != (vectors.store, vectors.epoch):
        return "it belongs to another store"
    if len(graph.files) != 1:
        return f"its recall@{BEST} was {graph.about.get('recall', 0):.3f}, below {GOOD:.2f}"
    if not _is_over(graph, vectors):
        return "it was built over other vectors"
    if not manifests.intact(folder / FOLDER, graph, thorough=True):
        return "its file does not match its checksum"
    return ""


def state(
    folder: Path, opened: Callable[[IndexManifest], Flat], vectors: IndexManifest
) -> tuple[dict[str, Any], str]:
    """(description of the graph over these vectors, its file checked; problem). ``opened``: as for
    ``build``."""
    graph = published(folder)
    if graph is None:
        lost = manifests.stamp(folder / FOLDER) is not None
        return {}, f"its HNSW index cannot be used; {_REBUILD}" * lost
    description = {"rows": graph.entries} | {
        name: graph.about.get(name) for name in ("recall", "expansion")
    }
    if not graph.files:
        return {"hnsw": description | {"kept": False}}, ""
    if wrong := unfit(folder, graph, vectors):
        return {}, f"its HNSW index is not used: {wrong}; {_REBUILD}"
    try:
        missing_rows = int((opened(vectors).numbers > graph.watermark).sum())
    except IndexUnusable:
        return {}, ""
    size = next(iter(graph.files.values()))[0]
    return {"hnsw": description | {"kept": True, "behind": missing_rows, "bytes": size}}, ""
