"""An HNSW index over the rows of a vector index: made on demand, measured, kept only when good.

Scanning takes time in proportion to the rows; usearch's HNSW index (Malkov and Yashunin 2016) does
not. But it takes long to make, and among vectors without any clusters it misses many of the
nearest. So nothing makes one unasked, and one that finds less than it should is thrown away.

It covers the first so many of the rows that it lies next to. Native code reads damaged bytes
without mercy: they are handed to it only after their checksum was verified by the same process.
A file that was published is never written to again, for others have it mapped; a new HNSW index
is a new file, and the manifest, which is replaced in one step, says which one counts.
"""

from __future__ import annotations

import logging
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.files import replacing
from thalamus.storage.protocol import HnswResult
from thalamus.storage.sqlite import index_files as manifests
from thalamus.storage.sqlite.connection import exclusive
from thalamus.storage.sqlite.fulltext import IndexUnusable
from thalamus.storage.sqlite.index_files import Manifest
from thalamus.storage.sqlite.quantization import rounded

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, Any]

log = logging.getLogger(__name__)

FOLDER = "hnsw"
MINIMUM = 50_000  # rows; fewer are scanned in a few milliseconds
CONNECTIVITY, EXPANSION_ADD = 16, 128
CANDIDATES = 200  # rows that are asked for at least, to be looked at closely
SCANS = 20  # that a process makes before opening an HNSW index, which costs as much as twenty, pays
WIDEST = 500  # results wanted up to which the HNSW index is asked; it gets slower with each
# tried in this order; usearch never looks at fewer than it is asked for
EXPANSIONS = (256, 512)
GOOD = 0.99  # of the nearest BEST that must be found
QUESTIONS, BEST = 100, 10
BLOCK = 2048  # rows added or compared at a time
THREADS = 0  # that add rows: one for every core


class QuantizedRows(Protocol):
    """The vector index that an HNSW index belongs to."""

    folder: Path

    def matrices(self, manifest: Manifest) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Quantized rows, scales, keys and exact rows. Raises ``IndexUnusable``."""
        ...


class OpenHnsw:
    """An HNSW index that may be searched. ``rows``: how many of the index's it covers."""

    def __init__(self, index: Any, rows: int) -> None:
        self._index = index
        self.rows = rows

    def nearest(self, question: Matrix, limit: int) -> Matrix:
        """The numbers of the rows that are probably the nearest, more than ``limit``."""
        count = min(max(CANDIDATES, 2 * limit), self.rows)
        found = self._index.search(rounded(question), count, threads=1)
        rows: Matrix = found.keys.astype("i8")
        return rows


# -- making --------------------------------------------------------------------------------------


def build(
    index: QuantizedRows,
    manifest: Callable[[], Manifest | None],
    lock: Path,
    model: str,
    progress: Callable[[int], None],
) -> HnswResult:
    """Makes the HNSW index over all rows that are there now; what came of it.

    ``manifest`` reads that of the vectors; ``lock`` is held only while it is read and while the
    HNSW index is published, for making it takes minutes. Raises ``OSError`` when it cannot be
    written.
    """
    with exclusive(lock):
        now = manifest()
        count = now.entries if now else 0
        if now is None or count < MINIMUM:
            progress(count)
            note = f"{count:,} vectors: scanning them is faster (below {MINIMUM:,})"
            return HnswResult(model, count, note=note)
        try:
            quantized, scales, keys, exact = index.matrices(now)
        except IndexUnusable as error:
            return HnswResult(model, count, note=f"not built: the vectors are unusable: {error}")
    hnsw = make(quantized, progress)
    expansion, recall = measure(hnsw, quantized, exact)
    done = HnswResult(model, count, recall=recall, expansion=expansion)
    if recall < GOOD:
        done.note = f"not kept: its recall@{BEST} is {recall:.3f}, below {GOOD:.2f}"
        return done
    with exclusive(lock):
        now, came_from = manifest(), origin(keys, scales, count)
        try:
            _, scales, keys, _ = index.matrices(now or Manifest("", 0))
        except IndexUnusable:
            keys = keys[:0]
        if now is None or len(keys) < count or origin(keys, scales, count) != came_from:
            done.note = "not kept: the vectors were rebuilt meanwhile; try again"
            return done
        about = {"model": model, "recall": recall, "expansion": expansion, "origin": came_from}
        _publish(index.folder / FOLDER, hnsw, now, count, about)
    done.kept = True
    return done


def make(quantized: Matrix, progress: Callable[[int], None]) -> Any:
    """A usearch index over the rounded rows, in memory; the keys are the numbers of the rows."""
    import numpy as np
    from usearch.index import Index

    hnsw = Index(
        ndim=quantized.shape[1],
        metric="cos",
        dtype="i8",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
    )
    for start in range(0, len(quantized), BLOCK):
        block = quantized[start : start + BLOCK]
        rows = np.arange(start, start + len(block), dtype=np.uint64)
        hnsw.add(rows, block, threads=THREADS)
        progress(len(block))
    return hnsw


def measure(hnsw: Any, quantized: Matrix, exact: Matrix) -> tuple[int, float]:
    """The smallest expansion that finds enough, or the largest, and its recall of the nearest 10.

    The questions are rows with noise added, from some (cosine 0.9 with the row) to as much as lies
    between a question and what answers it (0.55): with less an HNSW index looks better than it is.
    """
    import numpy as np

    draw = np.random.default_rng(0)
    rows, width = exact.shape
    asked = exact[np.sort(draw.integers(0, rows, QUESTIONS))]
    noise = draw.standard_normal((QUESTIONS, width)) / np.sqrt(width)
    asked = asked + (noise * np.linspace(0.5, 1.5, QUESTIONS)[:, None]).astype("<f4")
    best = np.full((QUESTIONS, BEST), -np.inf, "<f4")
    for start in range(0, rows, BLOCK):
        scores = np.hstack([best, asked @ exact[start : start + BLOCK].T])
        best = np.partition(scores, -BEST, axis=1)[:, -BEST:]
    # by cosine: of rows that are the same any will do
    least = best.min(axis=1) - 1e-6 * np.linalg.norm(asked, axis=1)
    searched = OpenHnsw(hnsw, rows)
    expansion, recall = 0, 0.0
    for expansion in EXPANSIONS:
        hnsw.expansion_search = expansion
        hits = 0
        for question, enough in zip(asked, least, strict=True):
            near = searched.nearest(question, BEST)
            hits += min(BEST, int((exact[np.sort(near)] @ question >= enough).sum()))
        recall = hits / (QUESTIONS * BEST)
        if recall >= GOOD:
            break
    return expansion, recall


def origin(keys: Matrix, scales: Matrix, count: int) -> int:
    """What tells the first ``count`` rows from any others."""
    return zlib.crc32(scales[:count].data, zlib.crc32(keys[:count].data))


def _publish(folder: Path, hnsw: Any, vectors: Manifest, count: int, about: dict[str, Any]) -> None:
    """The caller holds the index lock."""
    folder.mkdir(exist_ok=True)
    for left in folder.glob("*.tmp"):  # by a process that was killed
        left.unlink()
    data = hnsw.save()  # to a file usearch itself would not say that the disk is full
    crc = zlib.crc32(data)
    path, temporary = folder / f"{crc:08x}.usearch", folder / f"{os.getpid()}.tmp"
    with replacing(path, part=temporary) as file:
        file.write(data)
    files = {path.name: manifests.file_entry(path, len(data), crc)}
    made = Manifest(vectors.store, vectors.epoch, entries=count, files=files, about=about)
    manifests.save(folder, made)
    for old in folder.glob("*.usearch"):
        if old != path:
            old.unlink()  # processes that have it mapped keep it


# -- reading -------------------------------------------------------------------------------------


def mark(index: Path) -> tuple[int, int] | None:
    """What changes whenever an HNSW index is published; None when it is missing."""
    try:
        status = (index / FOLDER / manifests.NAME).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def published(index: Path) -> Manifest | None:
    """What is said of a vector index's HNSW index; None without a usable one."""
    return manifests.load(index / FOLDER)


def open_checked(
    index: Path, made: Manifest, vectors: Manifest, keys: Matrix, scales: Matrix, width: int
) -> OpenHnsw | None:
    """The HNSW index over these rows, mapped, every byte checked; None when it cannot be used."""
    folder = index / FOLDER
    wrong = _unfit(folder, made, vectors, keys, scales)
    if not wrong:
        try:
            return _mapped(folder, made, width)
        except Exception as error:  # whatever usearch makes of a file that is gone by now
            wrong = str(error)
    log.info("the HNSW index in %s is not used: %s", index.name, wrong)
    return None


def _mapped(folder: Path, made: Manifest, width: int) -> OpenHnsw:
    from usearch.index import Index

    # by key nothing is ever looked up
    hnsw: Any = Index.restore(folder / next(iter(made.files)), view=True, enable_key_lookups=False)
    if hnsw is None or len(hnsw) != made.entries or hnsw.ndim != width:
        raise ValueError("its size is wrong")
    hnsw.expansion_search = made.about["expansion"]
    return OpenHnsw(hnsw, made.entries)


def _unfit(folder: Path, made: Manifest, vectors: Manifest, keys: Matrix, scales: Matrix) -> str:
    """Why an HNSW index cannot be used with these rows; empty when it can."""
    if (made.store, made.epoch) != (vectors.store, vectors.epoch) or len(made.files) != 1:
        return "it belongs to another store"
    if made.entries > len(keys) or origin(keys, scales, made.entries) != made.about.get("origin"):
        return "it was built over other vectors"
    if not manifests.intact(folder, made, thorough=True):
        return "its file does not match its checksum"
    return ""


def state(index: QuantizedRows, vectors: Manifest) -> tuple[dict[str, Any], str]:
    """What there is to say of a vector index's HNSW index, its file checked; and what is wrong."""
    made = published(index.folder)
    if made is None:
        lost = mark(index.folder) is not None
        return {}, "its HNSW index cannot be used; `thalamus reindex --hnsw` rebuilds it" * lost
    try:
        _, scales, keys, _ = index.matrices(vectors)
    except IndexUnusable:
        return {}, ""
    wrong = _unfit(index.folder / FOLDER, made, vectors, keys, scales)
    if wrong:
        return {}, f"its HNSW index is not used: {wrong}; `thalamus reindex --hnsw` rebuilds it"
    said = {name: made.about.get(name) for name in ("recall", "expansion")}
    behind = vectors.entries - made.entries
    size = next(iter(made.files.values()))[0]
    return {"hnsw": {"rows": made.entries, "behind": behind, "bytes": size} | said}, ""


def models(indexes: Path) -> set[str]:
    """The models of whose vectors there is an HNSW index."""
    made = (manifests.load(folder) for folder in indexes.glob(f"vectors-*/{FOLDER}"))
    return {str(manifest.about.get("model")) for manifest in made if manifest}
