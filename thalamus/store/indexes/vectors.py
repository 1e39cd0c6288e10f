"""The vector index of one embedding model: its vectors in a flat matrix, searched exactly.

The vectors are those of the table, float16, in a matrix file of usearch's format (``.hbin``), and
their keys and numbers in another one (``.ibin``). Both are written anew when rows are folded in; a
reader keeps those that it has mapped. numkong, the kernels of usearch, multiplies them: its scan of
100,000 vectors takes a quarter of the time of usearch's exact search, and no import of usearch.

A process that searches a small index only once reads the table instead, without numpy, whose import
takes longer. If there is a graph (``hnsw``), it is used after a process's first searches: opening
it would not pay off for a few.
"""

from __future__ import annotations

import os
import shutil
import struct
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from heapq import nlargest
from itertools import chain, islice, pairwise
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from thalamus.errors import IndexUnusable
from thalamus.store.indexes import hnsw
from thalamus.store.indexes import index_files as manifests
from thalamus.store.indexes.flat import Flat
from thalamus.text import half_precision

if TYPE_CHECKING:
    from thalamus.store.indexes.flat import Matrix
    from thalamus.store.indexes.index_files import IndexManifest


Part = TypeVar("Part")
Stored = tuple[int, int, bytes]  # number of an embedding, key of its row, stored vector
MATRIX, IDS = ".hbin", ".ibin"  # endings of usearch's matrix files: float16, and int32
HEADER = struct.Struct("<ii")  # of such a file: rows and columns
BLOCK = 4096  # rows written at a time
A_PART = 8 << 20  # bytes of vectors that justify another thread


class Vectors:
    """One folder with the files and their manifest. ``dimension``: of each row.

    ``served``: the source of the last search's results: the flat matrix or the graph, which is not
    used without ``approximate``. ``damaged``: True for an unusable graph.
    """

    def __init__(self, folder: Path, dimension: int, approximate: bool = True) -> None:
        self.folder = folder
        self.dimension = dimension
        self._approximate = approximate
        self._open: Flat | None = None
        self.served = ""
        self._scanned = 0  # rows, by all searches
        self._graph = hnsw.Reader(folder)

    @property
    def damaged(self) -> bool:
        return self._graph.damaged

    # -- writing ----------------------------------------------------------------------------------

    def fold(
        self,
        manifest: IndexManifest,
        removed: Sequence[int],
        kept: Collection[int],
        rows: Iterable[Stored],
    ) -> None:
        """Writes new files with the present rows and ``rows``, then the manifest. Of ``removed``
        keys only the rows whose number is in ``kept`` stay.

        The caller holds the index lock and has set the watermarks. Files that no manifest names are
        left by an interrupted call, and are deleted.
        """
        rows, there = iter(rows), self.opened(manifest) if manifest.entries else None
        outdated: Any = there.outdated(removed, kept) if there is not None and removed else ()
        first = list(islice(rows, 1))
        if there is not None and not first and not len(outdated):
            manifests.save(self.folder, manifest)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{manifest.watermark}-{manifest.removals}"
        paths = [self.folder / f"{name}{ending}" for ending in (MATRIX, IDS)]
        parts = [path.with_suffix(".tmp" + path.suffix) for path in paths]
        with parts[0].open("wb") as vectors, parts[1].open("wb") as ids:
            count = 0
            for file in (vectors, ids):
                file.write(HEADER.pack(0, 0))
            for numbers, keys, matrix in self._blocks(there, outdated, chain(first, rows)):
                vectors.write(matrix)
                ids.write(_interleaved(numbers, keys))
                count += len(numbers)
            for file, columns in ((vectors, self.dimension), (ids, 4)):
                file.seek(0)
                file.write(HEADER.pack(count, columns))
        for part, path in zip(parts, paths, strict=True):
            part.replace(path)
        manifest.entries = count
        manifest.about.setdefault(hnsw.BORN, os.urandom(8).hex())
        manifest.files = {}
        for path in paths:
            size = path.stat().st_size
            crc = manifests.checksum(path, size)
            manifest.files[path.name] = manifests.file_entry(path, size, crc)
        manifests.save(self.folder, manifest)
        for path in self.folder.iterdir():
            if path.suffix in (MATRIX, IDS) and path.name not in manifest.files:
                path.unlink()

    def _blocks(
        self, there: Flat | None, outdated: Sequence[int], rows: Iterator[Stored]
    ) -> Iterator[tuple[Matrix, Matrix, bytes]]:
        """(numbers, keys, vectors) of the rows of the new files, in the order of their numbers."""
        import numpy as np

        if there is not None:
            left = np.delete(np.arange(len(there.keys)), outdated)
            for start in range(0, len(left), BLOCK):
                some = left[start : start + BLOCK]
                yield there.numbers[some], there.keys[some], there.matrix[some].tobytes()
        while block := list(islice(rows, BLOCK)):
            numbers, keys, stored = zip(*block, strict=True)
            half = _halves(stored, self.dimension)
            yield np.asarray(numbers, "<u8"), np.asarray(keys, "<u8"), half.tobytes()

    def discard(self) -> None:
        """Deletes the files; the next ``fold`` starts from scratch."""
        self._open = None
        self._graph.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # -- searching --------------------------------------------------------------------------------

    def search(
        self,
        manifest: IndexManifest,
        query: bytes,
        limit: int,
        hidden: Sequence[int] = (),
        allowed: Sequence[int] | None = None,
    ) -> list[tuple[int, float]]:
        """(key, cosine similarity), best first. ``hidden``: places of rows to be left out;
        ``allowed`` restricts the keys.

        Raises ``IndexUnusable`` when the files do not match the manifest.
        """
        if not manifest.entries or limit < 1:
            return []
        import numpy as np

        opened = self.opened(manifest)
        question = np.frombuffer(query, "<f4")
        if allowed is None:
            rows = self._candidates(manifest, opened, question, limit + hnsw.MARGIN, hidden)
        else:
            self.served = "flat"
            rows = opened.places(allowed)
            if len(hidden):
                rows = rows[~np.isin(rows, hidden)]
            if len(rows) > limit + hnsw.MARGIN:
                rows = rows[scan(opened.matrix[rows], question, limit + hnsw.MARGIN)]
        return nearest(opened.matrix[rows].astype("<f4"), opened.keys[rows], question, limit)

    def _candidates(
        self,
        manifest: IndexManifest,
        opened: Flat,
        question: Matrix,
        count: int,
        hidden: Sequence[int],
    ) -> Matrix:
        """Places of the nearest rows; those that the graph does not cover are scanned."""
        import numpy as np

        self.served, first, found = "flat", 0, np.empty(0, np.int64)
        if self._approximate and self._scanned > hnsw.SCANNED and count <= hnsw.WIDEST:
            graph = self._graph.current(manifest, opened)
            if graph is not None:
                self.served = "hnsw"
                first = int(np.searchsorted(opened.numbers, graph.last, "right"))
                found = opened.numbered(graph.nearest(question, count + len(hidden)))
                found = found[~np.isin(found, hidden)]
        else:
            self._scanned += manifest.entries
        out = np.asarray(hidden, np.int64)
        scanned = first + scan(opened.matrix[first:], question, count + int((out >= first).sum()))
        return np.concatenate([found, scanned[~np.isin(scanned, out)]])

    def opened(self, manifest: IndexManifest) -> Flat:
        """The mapped files of a manifest. Raises ``IndexUnusable``."""
        signature = sorted(manifest.files.items())
        if self._open is None or self._open.signature != signature:
            shapes = {MATRIX: (manifest.entries, self.dimension), IDS: (manifest.entries, 2)}
            sizes = {Path(name).suffix: entry[0] for name, entry in manifest.files.items()}
            widths = {MATRIX: 2 * self.dimension, IDS: 16}
            wanted = {end: HEADER.size + manifest.entries * width for end, width in widths.items()}
            if sizes != wanted or not manifests.readable(self.folder, manifest):
                raise IndexUnusable("its files do not match their checksums")
            names = {Path(name).suffix: name for name in manifest.files}
            try:
                matrix = self._map(names[MATRIX], "<f2", shapes[MATRIX])
                ids = self._map(names[IDS], "<u8", shapes[IDS])
            except (OSError, ValueError) as error:  # another process is rebuilding the index
                raise IndexUnusable(str(error)) from None
            self._open = Flat(signature, matrix, ids[:, 1].copy(), ids[:, 0].copy())
        return self._open

    def _map(self, name: str, kind: str, shape: tuple[int, ...]) -> Matrix:
        import numpy as np

        # a plain view: indexing np.memmap itself is slower per call
        path = self.folder / name
        return np.asarray(np.memmap(path, kind, "r", HEADER.size, shape=shape))


# -- inner products -------------------------------------------------------------------------------


def scan(matrix: Matrix, question: Matrix, count: int) -> Matrix:
    """Places of the rows (float16) with the largest inner products with the question, which is
    rounded to float16: at least ``count``. Large matrices are scanned in several threads, because
    numkong releases the GIL."""
    import numkong
    import numpy as np

    row = question.astype("<f2").reshape(1, -1)

    def products(start: int, end: int) -> tuple[Matrix, Matrix]:
        scores = np.asarray(numkong.cdist(row, matrix[start:end], metric="dot"))[0]
        places = best(scores, count)
        return start + places, scores[places]

    if not len(matrix):
        return np.empty(0, np.int64)
    threads = max(1, min(_cores(), matrix.nbytes // A_PART))
    ends = np.linspace(0, len(matrix), threads + 1, dtype=int).tolist()
    found = _at_once(products, [*pairwise(ends)])
    places, scores = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return places[best(scores, count)]


def _at_once(work: Callable[[int, int], Part], parts: list[tuple[int, int]]) -> list[Part]:
    """Runs ``work`` on every part, each in a thread of its own."""
    results: dict[int, Part] = {}

    def do(number: int) -> None:
        with suppress(Exception):  # it is repeated below, where it can raise
            results[number] = work(*parts[number])

    threads = [threading.Thread(target=do, args=(n,)) for n in range(1, len(parts))]
    started = []
    with suppress(RuntimeError):  # the thread limit was reached: the rest is done below
        for thread in threads:
            thread.start()
            started.append(thread)
    do(0)
    for thread in started:
        thread.join()
    return [results[n] if n in results else work(*parts[n]) for n in range(len(parts))]


def _cores() -> int:
    """Number of processors available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def best(scores: Matrix, count: int) -> Matrix:
    """Positions of the ``count`` largest scores, unordered."""
    import numpy as np

    if len(scores) <= count:
        return np.arange(len(scores))
    return np.argpartition(scores, len(scores) - count)[len(scores) - count :]


def nearest(matrix: Matrix, keys: Matrix, question: Matrix, limit: int) -> list[tuple[int, float]]:
    """The ``limit`` rows (float32) with the largest inner product, best first."""
    import numpy as np

    scores = matrix @ question
    rows = best(scores, limit)
    rows = rows[np.argsort(-scores[rows], kind="stable")]
    return list(zip(keys[rows].tolist(), scores[rows].tolist(), strict=True))


def nearest_rows(
    rows: Sequence[tuple[int, bytes]], query: bytes, limit: int, few: bool
) -> list[tuple[int, float]]:
    """``nearest`` of (key, stored vector) rows that are in no file; of a ``few`` without numpy."""
    dimension = len(query) // 4
    if few:
        scores = half_precision.few_products([vector for _, vector in rows], query)
        found = zip((key for key, _ in rows), scores, strict=True)
        return nlargest(limit, found, key=itemgetter(1))
    import numpy as np

    keys = np.asarray([key for key, _ in rows], dtype=np.uint64)
    matrix = half_precision.matrix([vector for _, vector in rows], dimension)
    return nearest(matrix, keys, np.frombuffer(query, "<f4"), limit)


# -- files ----------------------------------------------------------------------------------------


def _halves(stored: Sequence[bytes], dimension: int) -> Matrix:
    """Stored vectors as rows of float16; one with other numbers, which is stored as float32, at
    length 1."""
    import numpy as np

    rows = half_precision.matrix(stored, dimension)
    with np.errstate(over="ignore"):
        half = rows.astype("<f2")
    large = ~np.isfinite(half).all(axis=1)
    if large.any():
        half[large] = rows[large] / np.linalg.norm(rows[large], axis=1, keepdims=True)
    return half


def _interleaved(numbers: Matrix, keys: Matrix) -> bytes:
    import numpy as np

    return np.stack([numbers, keys], axis=1).astype("<u8").tobytes()
