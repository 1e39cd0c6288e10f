"""An HNSW index over the rows of a vector index: built, extended, measured, kept only when good.

A scan takes time in proportion to the rows; usearch's HNSW index (Malkov and Yashunin 2016) does
not. But it is slow to build, and among vectors without clusters it misses many of the nearest. So
it is built in the background (``hnsw_upkeep``), from the size at which a scan takes longer than
opening it, and one with too low a recall is not kept.

It covers the first rows of the vector index next to it; the others are scanned, and when they are
many the index is extended by them. Native code reads damaged bytes without any check: it gets them
only after the same process has verified their checksum. A published file is never written to again,
because others have it mapped; a new HNSW index is a new file, and the manifest, which is replaced
in one step, names the valid one. Of an index with too low a recall only the manifest is kept, so
that it is not built again and again.
"""

from __future__ import annotations

import errno
import os
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.locks import exclusive
from thalamus.logs import logger
from thalamus.store.indexes import index_files as manifests
from thalamus.store.indexes.fulltext import IndexUnusable
from thalamus.store.indexes.index_files import IndexManifest
from thalamus.store.indexes.quantization import compared, rounded
from thalamus.store.maintenance import HnswResult

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, Any]

log = logger(__name__)

FOLDER = "hnsw"
MINIMUM = 50_000  # rows; fewer are scanned in a millisecond or two
REST = 10  # the index is extended when more than one row in so many is beyond it
CONNECTIVITY, EXPANSION_ADD = 24, 128
CANDIDATES = 200  # rows that are requested at least
SCANNED = 2_000_000  # rows scanned before a process opens an HNSW index, which costs as much
WIDEST = 1000  # results requested up to which the HNSW index is used; it gets slower with each
# tried in this order; usearch never visits fewer than the number requested
EXPANSIONS = (256, 512, 1024, 2048)
AIM = 0.99  # recall among the nearest BEST at which no larger expansion is tried
GOOD = 0.97  # recall among the nearest BEST that is required
QUESTIONS, BEST = 100, 10
BLOCK = 2048  # rows added or compared at a time
THREADS = 0  # threads that add rows: one for each core
_REBUILD = "`thalamus store reindex --hnsw` rebuilds it"
REBUILT = "not kept: the vectors were rebuilt meanwhile; try again"


class Discarded(Exception):
    """Raised when the rows under an HNSW index being built were deleted."""


class QuantizedRows(Protocol):
    """The vector index under an HNSW index."""

    folder: Path

    def matrices(self, manifest: IndexManifest) -> tuple[Matrix, Matrix, Matrix]:
        """Quantized rows, scales and keys. Raises ``IndexUnusable``."""
        ...

    def exact_rows(self, keys: Matrix) -> Matrix:
        """Exact rows with these keys, in this order; zeros for those that were deleted."""
        ...

    def discarded(self) -> bool:
        """True when the opened files have been deleted."""
        ...


class OpenHnsw:
    """An HNSW index ready for searches. ``rows``: the number of rows it covers; ``origin``: their
    identity."""

    def __init__(self, index: Any, rows: int, origin: int = 0) -> None:
        self._index = index
        self.rows = rows
        self.origin = origin

    def nearest(self, question: Matrix, limit: int) -> Matrix:
        """Numbers of the rows to be compared exactly: probably the nearest ``limit`` and more."""
        count = min(max(CANDIDATES, 2 * limit), self.rows)
        found = self._index.search(rounded(question), count, threads=1)
        rows: Matrix = found.keys[: compared(limit)].astype("i8")
        return rows


# -- building ------------------------------------------------------------------------------------


def due(folder: Path, rows: int) -> bool:
    """True when a vector index of this size needs an HNSW index, or a longer one."""
    if rows < MINIMUM:
        return False
    manifest = published(folder)
    if manifest is None:
        return True
    if not manifest.files:  # its recall was too low
        return rows >= 2 * manifest.entries
    return rows - manifest.entries > max(MINIMUM // 2, manifest.entries // REST)


def build(
    index: QuantizedRows,
    manifest: Callable[[], IndexManifest | None],
    lock: Path,
    model: str,
    progress: Callable[[int], None],
    *,
    from_scratch: bool = True,
) -> HnswResult:
    """Builds the HNSW index over all current rows, or unless ``from_scratch`` extends the existing
    one; returns the result.

    ``manifest`` reads that of the vectors; ``lock`` is held only for that and while the HNSW index
    is published, because building takes minutes. Raises ``OSError`` when it cannot be written.
    """
    with exclusive(lock):
        now = manifest()
        count = now.entries if now else 0
        if now is None or count < MINIMUM:
            progress(count)
            note = f"{count:,} vectors: scanning them is faster (below {MINIMUM:,})"
            return HnswResult(model, count, note=note)
        try:
            quantized, scales, keys = index.matrices(now)
        except IndexUnusable as error:
            return HnswResult(model, count, note=f"not built: the vectors are unusable: {error}")

    def check(rows: int) -> None:
        progress(rows)
        if index.discarded():
            raise Discarded

    try:
        before = None if from_scratch else _extensible(index.folder, now, keys, scales)
        hnsw = make(quantized, check, before)
        expansion, recall = measure(hnsw, lambda rows: index.exact_rows(keys[rows]), count)
    except Discarded:
        return HnswResult(model, count, note=REBUILT)
    kept = recall >= GOOD
    note = "" if kept else f"not kept: its recall@{BEST} is {recall:.3f}, below {GOOD:.2f}"
    came_from = origin(keys, scales, count)
    with exclusive(lock):
        now = manifest()
        if now is None or not _still_there(index, now, count, came_from):
            return HnswResult(model, count, recall=recall, expansion=expansion, note=REBUILT)
        about = {"model": model, "recall": recall, "expansion": expansion, "origin": came_from}
        _publish(index.folder / FOLDER, hnsw if kept else None, now, count, about)
    return HnswResult(model, count, kept, recall, expansion, note)


def _still_there(index: QuantizedRows, vectors: IndexManifest, count: int, came_from: int) -> bool:
    """True when the first ``count`` rows are those that the HNSW index was built over."""
    try:
        _, scales, keys = index.matrices(vectors)
    except IndexUnusable:
        return False
    return len(keys) >= count and origin(keys, scales, count) == came_from


def make(quantized: Matrix, progress: Callable[[int], None], before: Any = None) -> Any:
    """A usearch index over the rounded rows, in memory; its keys are row numbers. ``before``: an
    index over the first rows, which is extended by the others."""
    import numpy as np

    hnsw = before
    if hnsw is None:
        from usearch.index import Index

        hnsw = Index(
            ndim=quantized.shape[1],
            metric="cos",
            dtype="i8",
            connectivity=CONNECTIVITY,
            expansion_add=EXPANSION_ADD,
            enable_key_lookups=False,
        )
    progress(len(hnsw))
    for start in range(len(hnsw), len(quantized), BLOCK):
        block = quantized[start : start + BLOCK]
        rows = np.arange(start, start + len(block), dtype=np.uint64)
        hnsw.add(rows, block, threads=THREADS)
        progress(len(block))
    return hnsw


def _extensible(folder: Path, vectors: IndexManifest, keys: Matrix, scales: Matrix) -> Any:
    """The existing HNSW index, in memory; None when there is no usable one, or it was built with
    other parameters."""
    manifest = published(folder)
    if manifest is None or unfit(folder, manifest, vectors, keys, scales):
        return None
    from usearch.index import Index

    with suppress(Exception):  # any error of usearch on a file that was deleted meanwhile
        path = folder / FOLDER / next(iter(manifest.files))
        hnsw: Any = Index.restore(path, enable_key_lookups=False)
        if len(hnsw) == manifest.entries and hnsw.connectivity == CONNECTIVITY:
            hnsw.expansion_add = EXPANSION_ADD
            return hnsw
    return None


def measure(hnsw: Any, exact: Callable[[Matrix], Matrix], rows: int) -> tuple[int, float]:
    """(expansion, recall of the nearest 10): the smallest expansion with the required recall, or
    the largest. ``exact`` returns exact rows by their numbers, of which there are ``rows``.

    The queries are rows with added noise, from little (cosine 0.9 with the row) to the distance
    between a question and its answer (0.55): with less noise an HNSW index looks better than it is.
    """
    import numpy as np

    draw = np.random.default_rng(0)
    queries = exact(np.sort(draw.integers(0, rows, QUESTIONS)))
    width = queries.shape[1]
    noise = draw.standard_normal((QUESTIONS, width)) / np.sqrt(width)
    queries = queries + (noise * np.linspace(0.5, 1.5, QUESTIONS)[:, None]).astype("<f4")
    best = np.full((QUESTIONS, BEST), -np.inf, "<f4")
    for start in range(0, rows, BLOCK):
        block = exact(np.arange(start, min(start + BLOCK, rows)))
        scores = np.hstack([best, queries @ block.T])
        best = np.partition(scores, -BEST, axis=1)[:, -BEST:]
    # by cosine: any of several equal rows will do
    least = best.min(axis=1) - 1e-6 * np.linalg.norm(queries, axis=1)
    searched = OpenHnsw(hnsw, rows)
    expansion, recall = 0, 0.0
    for expansion in EXPANSIONS:
        hnsw.expansion_search = expansion
        hits = 0
        for question, enough in zip(queries, least, strict=True):
            results = searched.nearest(question, BEST)
            hits += min(BEST, int((exact(results) @ question >= enough).sum()))
        recall = hits / (QUESTIONS * BEST)
        if recall >= AIM:
            break
    return expansion, recall


def origin(keys: Matrix, scales: Matrix, count: int) -> int:
    """Identity of the first ``count`` rows."""
    return zlib.crc32(scales[:count].data, zlib.crc32(keys[:count].data))


def _publish(
    folder: Path, hnsw: Any, vectors: IndexManifest, count: int, about: dict[str, Any]
) -> None:
    """Replaces the published index; without one only the manifest's ``about``. The caller holds the
    index lock, also while the file is written, so that nothing forgotten meanwhile remains in an
    unfinished file."""
    folder.mkdir(exist_ok=True)
    for left in folder.glob("*.tmp"):  # left by a killed process
        left.unlink()
    manifest = IndexManifest(vectors.store, vectors.epoch, entries=count, about=about)
    if hnsw is not None:
        path = _save(folder, hnsw)
        manifest.files = {
            path.name: manifests.file_entry(path, path.stat().st_size, int(path.stem, 16))
        }
    manifests.save(folder, manifest)
    for old in folder.glob("*.usearch"):
        if old.name not in manifest.files:
            old.unlink()  # processes that have it mapped keep it


def _save(folder: Path, hnsw: Any) -> Path:
    """Writes the file; its name is its checksum."""
    temporary = folder / f"{os.getpid()}.tmp"
    size = hnsw.serialized_length
    try:
        hnsw.save(temporary)
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


class HnswVerification:
    """Checks that an HNSW index matches these rows. The bytes of a large file are read in a thread,
    while searches scan; ``wrong`` is None until the result is known, then the problem, if any."""

    def __init__(
        self,
        folder: Path,
        manifest: IndexManifest,
        vectors: IndexManifest,
        keys: Matrix,
        scales: Matrix,
    ) -> None:
        self.folder = folder
        self.made = manifest
        self.wrong: str | None = None
        self._arguments = vectors, keys, scales
        if sum(entry[0] for entry in manifest.files.values()) >= manifests.SMALL:
            with suppress(RuntimeError):  # the thread limit was reached
                threading.Thread(target=self._verify, name="hnsw", daemon=True).start()
                return
        self._verify()

    def _verify(self) -> None:
        # no usearch here: the process may end while this thread runs
        self.wrong = unfit(self.folder, self.made, *self._arguments)

    def opened(self, width: int) -> OpenHnsw | None:
        """The mapped HNSW index; None when it cannot be used. Call it once ``wrong`` is known."""
        wrong = self.wrong
        if not wrong:
            try:
                return _mapped(self.folder / FOLDER, self.made, width)
            except Exception as error:  # any error of usearch on a file that was deleted meanwhile
                wrong = str(error)
        log.info("the HNSW index in %s is not used: %s", self.folder.name, wrong)
        return None


def mark(index: Path) -> tuple[int, int] | None:
    """Changes whenever an HNSW index is published; None when it is missing."""
    return manifests.stamp(index / FOLDER)


def published(index: Path) -> IndexManifest | None:
    """Manifest of a vector index's HNSW index, or of a rejected one, which has no file; None
    without a usable one."""
    return manifests.load(index / FOLDER)


def _mapped(folder: Path, manifest: IndexManifest, width: int) -> OpenHnsw:
    from usearch.index import Index

    # nothing is looked up by key
    hnsw: Any = Index.restore(
        folder / next(iter(manifest.files)), view=True, enable_key_lookups=False
    )
    if hnsw is None or len(hnsw) != manifest.entries or hnsw.ndim != width:
        raise ValueError("its size is wrong")
    hnsw.expansion_search = manifest.about["expansion"]
    return OpenHnsw(hnsw, manifest.entries, manifest.about["origin"])


def unfit(
    index: Path, manifest: IndexManifest, vectors: IndexManifest, keys: Matrix, scales: Matrix
) -> str:
    """Reason why an HNSW index cannot be used with these rows; empty when it can."""
    if (manifest.store, manifest.epoch) != (vectors.store, vectors.epoch):
        return "it belongs to another store"
    if len(manifest.files) != 1:
        return f"its recall@{BEST} was {manifest.about.get('recall', 0):.3f}, below {GOOD:.2f}"
    if manifest.entries > len(keys) or origin(keys, scales, manifest.entries) != manifest.about.get(
        "origin"
    ):
        return "it was built over other vectors"
    if not manifests.intact(index / FOLDER, manifest, thorough=True):
        return "its file does not match its checksum"
    return ""


def state(index: QuantizedRows, vectors: IndexManifest) -> tuple[dict[str, Any], str]:
    """(description of a vector index's HNSW index, its file checked; problem)."""
    manifest = published(index.folder)
    if manifest is None:
        lost = mark(index.folder) is not None
        return (
            {},
            f"its HNSW index cannot be used; {_REBUILD}" * lost,
        )
    description = {"rows": manifest.entries} | {
        name: manifest.about.get(name) for name in ("recall", "expansion")
    }
    if not manifest.files:
        return {"hnsw": description | {"kept": False}}, ""
    try:
        _, scales, keys = index.matrices(vectors)
    except IndexUnusable:
        return {}, ""
    wrong = unfit(index.folder, manifest, vectors, keys, scales)
    if wrong:
        return (
            {},
            f"its HNSW index is not used: {wrong}; {_REBUILD}",
        )
    missing_rows = vectors.entries - manifest.entries
    size = next(iter(manifest.files.values()))[0]
    return {"hnsw": description | {"kept": True, "behind": missing_rows, "bytes": size}}, ""
