"""An HNSW index over the rows of a vector index: built, extended, measured, kept only when good.

Scanning takes time in proportion to the rows; usearch's HNSW index (Malkov and Yashunin 2016) does
not. But it takes long to build, and among vectors without any clusters it misses many of the
nearest. So it is built from a size on where scanning is slower by more than it costs to open one,
in the background (``hnsw_upkeep``), and one that finds less than it should is not kept.

It covers the first so many of the rows that it lies next to; those beyond are scanned, and when
they are many the index is extended by them. Native code reads damaged bytes without mercy: they are
handed to it only after their checksum was verified by the same process. A file that was published
is never written to again, for others have it mapped; a new HNSW index is a new file, and the
manifest, which is replaced in one step, says which one counts. Of one that was not good enough only
the manifest is kept, so that it is not tried again and again.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

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
MINIMUM = 50_000  # rows; fewer are scanned in a millisecond or two
REST = 10  # the index is extended when the rows beyond it are more than one in so many
CONNECTIVITY, EXPANSION_ADD = 24, 128
CANDIDATES = 200  # rows that are asked for at least, to be looked at closely
SCANNED = 2_000_000  # rows, before a process opens an HNSW index: importing usearch costs as much
WIDEST = 1000  # results wanted up to which the HNSW index is asked; it gets slower with each
# tried in this order; usearch never looks at fewer than it is asked for
EXPANSIONS = (256, 512, 1024, 2048)
AIM = 0.99  # of the nearest BEST, at which a larger expansion is not tried
GOOD = 0.97  # of the nearest BEST that must be found
QUESTIONS, BEST = 100, 10
BLOCK = 2048  # rows added or compared at a time
THREADS = 0  # that add rows: one for every core
_REBUILD = "`thalamus store reindex --hnsw` rebuilds it"
REBUILT = "not kept: the vectors were rebuilt meanwhile; try again"


class Discarded(Exception):
    """The rows that an HNSW index is being built over were deleted."""


class QuantizedRows(Protocol):
    """The vector index that an HNSW index belongs to."""

    folder: Path

    def matrices(self, manifest: Manifest) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Quantized rows, scales, keys and exact rows. Raises ``IndexUnusable``."""
        ...

    def discarded(self) -> bool:
        """Whether the files that were opened are deleted by now."""
        ...


class OpenHnsw:
    """An HNSW index that may be searched. ``rows``: how many of the index's it covers;
    ``origin``: which these are."""

    def __init__(self, index: Any, rows: int, origin: int = 0) -> None:
        self._index = index
        self.rows = rows
        self.origin = origin

    def nearest(self, question: Matrix, limit: int) -> Matrix:
        """The numbers of the rows that are probably the nearest, more than ``limit``."""
        count = min(max(CANDIDATES, 2 * limit), self.rows)
        found = self._index.search(rounded(question), count, threads=1)
        rows: Matrix = found.keys.astype("i8")
        return rows


# -- building ------------------------------------------------------------------------------------


def due(folder: Path, rows: int) -> bool:
    """Whether a vector index with so many rows needs an HNSW index, or a longer one."""
    if rows < MINIMUM:
        return False
    made = published(folder)
    if made is None:
        return True
    if not made.files:  # it found too little
        return rows >= 2 * made.entries
    return rows - made.entries > max(MINIMUM // 2, made.entries // REST)


def build(
    index: QuantizedRows,
    manifest: Callable[[], Manifest | None],
    lock: Path,
    model: str,
    progress: Callable[[int], None],
    *,
    anew: bool = True,
) -> HnswResult:
    """Builds the HNSW index over all rows that are there now, or unless ``anew`` extends the one
    that is there; what came of it.

    ``manifest`` reads that of the vectors; ``lock`` is held only while it is read and while the
    HNSW index is published, for building it takes minutes. Raises ``OSError`` when it cannot be
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

    def check(rows: int) -> None:
        progress(rows)
        if index.discarded():
            raise Discarded

    try:
        before = None if anew else _extensible(index.folder, now, keys, scales)
        hnsw = make(quantized, check, before)
        expansion, recall = measure(hnsw, quantized, exact)
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


def _still_there(index: QuantizedRows, vectors: Manifest, count: int, came_from: int) -> bool:
    """Whether the first ``count`` rows are those that the HNSW index was built over."""
    try:
        _, scales, keys, _ = index.matrices(vectors)
    except IndexUnusable:
        return False
    return len(keys) >= count and origin(keys, scales, count) == came_from


def make(quantized: Matrix, progress: Callable[[int], None], before: Any = None) -> Any:
    """A usearch index over the rounded rows, in memory; the keys are the numbers of the rows.
    ``before``: one over the first of them, to which the others are added."""
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


def _extensible(folder: Path, vectors: Manifest, keys: Matrix, scales: Matrix) -> Any:
    """The HNSW index that is there, in memory; None when there is none that can be used, or it was
    built with other parameters."""
    made = published(folder)
    if made is None or unfit(folder, made, vectors, keys, scales):
        return None
    from usearch.index import Index

    with suppress(Exception):  # whatever usearch makes of a file that is gone by now
        path = folder / FOLDER / next(iter(made.files))
        hnsw: Any = Index.restore(path, enable_key_lookups=False)
        if len(hnsw) == made.entries and hnsw.connectivity == CONNECTIVITY:
            hnsw.expansion_add = EXPANSION_ADD
            return hnsw
    return None


def measure(hnsw: Any, quantized: Matrix, exact: Matrix) -> tuple[int, float]:
    """The smallest expansion that finds as many as it should, or the largest, and its recall of the
    nearest 10.

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
        if recall >= AIM:
            break
    return expansion, recall


def origin(keys: Matrix, scales: Matrix, count: int) -> int:
    """What tells the first ``count`` rows from any others."""
    return zlib.crc32(scales[:count].data, zlib.crc32(keys[:count].data))


def _publish(folder: Path, hnsw: Any, vectors: Manifest, count: int, about: dict[str, Any]) -> None:
    """Replaces what is there; without an index only what is said ``about`` it. The caller holds the
    index lock, also while the file is written: nothing that is forgotten meanwhile stays behind
    under the name of an unfinished one."""
    folder.mkdir(exist_ok=True)
    for left in folder.glob("*.tmp"):  # by a process that was killed
        left.unlink()
    made = Manifest(vectors.store, vectors.epoch, entries=count, about=about)
    if hnsw is not None:
        path = _save(folder, hnsw)
        made.files = {
            path.name: manifests.file_entry(path, path.stat().st_size, int(path.stem, 16))
        }
    manifests.save(folder, made)
    for old in folder.glob("*.usearch"):
        if old.name not in made.files:
            old.unlink()  # processes that have it mapped keep it


def _save(folder: Path, hnsw: Any) -> Path:
    """Writes the file; its name is its checksum."""
    temporary = folder / f"{os.getpid()}.tmp"
    size = hnsw.serialized_length
    try:
        hnsw.save(temporary)
        # usearch does not say that the disk is full
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


class Verification:
    """Whether an HNSW index can be used with these rows. The bytes of a large file are read in a
    thread, and searches scan meanwhile; ``wrong`` is None until it is known, then why not."""

    def __init__(
        self, folder: Path, made: Manifest, vectors: Manifest, keys: Matrix, scales: Matrix
    ) -> None:
        self.folder = folder
        self.made = made
        self.wrong: str | None = None
        self._arguments = vectors, keys, scales
        if sum(entry[0] for entry in made.files.values()) >= manifests.SMALL:
            with suppress(RuntimeError):  # no more threads are allowed here
                threading.Thread(target=self._verify, name="hnsw", daemon=True).start()
                return
        self._verify()

    def _verify(self) -> None:
        # nothing of usearch here: the process may end while this thread is in the midst of it
        self.wrong = unfit(self.folder, self.made, *self._arguments)

    def opened(self, width: int) -> OpenHnsw | None:
        """The HNSW index, mapped; None when it cannot be used. Once ``wrong`` is known."""
        wrong = self.wrong
        if not wrong:
            try:
                return _mapped(self.folder / FOLDER, self.made, width)
            except Exception as error:  # whatever usearch makes of a file that is gone by now
                wrong = str(error)
        log.info("the HNSW index in %s is not used: %s", self.folder.name, wrong)
        return None


def mark(index: Path) -> tuple[int, int] | None:
    """What changes whenever an HNSW index is published; None when it is missing."""
    return manifests.stamp(index / FOLDER)


def published(index: Path) -> Manifest | None:
    """What is said of a vector index's HNSW index, or of one that was not good enough, which has no
    file; None without a usable one."""
    return manifests.load(index / FOLDER)


def _mapped(folder: Path, made: Manifest, width: int) -> OpenHnsw:
    from usearch.index import Index

    # by key nothing is ever looked up
    hnsw: Any = Index.restore(folder / next(iter(made.files)), view=True, enable_key_lookups=False)
    if hnsw is None or len(hnsw) != made.entries or hnsw.ndim != width:
        raise ValueError("its size is wrong")
    hnsw.expansion_search = made.about["expansion"]
    return OpenHnsw(hnsw, made.entries, made.about["origin"])


def unfit(index: Path, made: Manifest, vectors: Manifest, keys: Matrix, scales: Matrix) -> str:
    """Why an HNSW index cannot be used with these rows; empty when it can."""
    if (made.store, made.epoch) != (vectors.store, vectors.epoch):
        return "it belongs to another store"
    if len(made.files) != 1:
        return f"its recall@{BEST} was {made.about.get('recall', 0):.3f}, below {GOOD:.2f}"
    if made.entries > len(keys) or origin(keys, scales, made.entries) != made.about.get("origin"):
        return "it was built over other vectors"
    if not manifests.intact(index / FOLDER, made, thorough=True):
        return "its file does not match its checksum"
    return ""


def state(index: QuantizedRows, vectors: Manifest) -> tuple[dict[str, Any], str]:
    """What there is to say of a vector index's HNSW index, its file checked; and what is wrong."""
    made = published(index.folder)
    if made is None:
        lost = mark(index.folder) is not None
        return (
            {},
            f"its HNSW index cannot be used; {_REBUILD}" * lost,
        )
    said = {"rows": made.entries} | {name: made.about.get(name) for name in ("recall", "expansion")}
    if not made.files:
        return {"hnsw": said | {"kept": False}}, ""
    try:
        _, scales, keys, _ = index.matrices(vectors)
    except IndexUnusable:
        return {}, ""
    wrong = unfit(index.folder, made, vectors, keys, scales)
    if wrong:
        return (
            {},
            f"its HNSW index is not used: {wrong}; {_REBUILD}",
        )
    behind = vectors.entries - made.entries
    size = next(iter(made.files.values()))[0]
    return {"hnsw": said | {"kept": True, "behind": behind, "bytes": size}}, ""
