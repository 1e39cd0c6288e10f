"""The vector index of one embedding model: append-only files, searched exactly.

A plain matrix of float32 rows, the same quantized (see ``quantization``) and the rows' keys. An
insertion appends a few bytes whatever the size of the store; nothing is ever rewritten, so a crash
can only damage bytes that the manifest does not cover yet.

A search scans the quantized rows, which are mapped into memory, and compares the exact rows of the
best few hundred: the cosines that it returns are exact. Exact rows are mapped too, and pages of a
large matrix are released at once, so that it never fills the memory. A small index is scanned
exactly. If there is an HNSW index (``hnsw``), it is used instead after a process's first searches:
opening it would not pay off for a few.
"""

from __future__ import annotations

import mmap
import os
import shutil
import zlib
from array import array
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.storage.sqlite import hnsw
from thalamus.storage.sqlite import index_files as manifests
from thalamus.storage.sqlite.fulltext import IndexUnusable
from thalamus.storage.sqlite.quantization import encode, scan

if TYPE_CHECKING:
    import numpy as np

    from thalamus.storage.sqlite.index_files import IndexManifest

    Matrix = np.ndarray[Any, Any]

VECTORS, KEYS, QUANTIZED, SCALES = "vectors.f32", "keys.u64", "quantized.i8", "scales.f32"
BLOCK = 1024  # rows written at a time
SMALL = 2000  # rows up to which the exact ones are scanned
# bytes of exact rows that stay mapped: with each row the system also maps its neighbours
MOST_MAPPED = 32 << 20
MARGIN = 200  # rows compared exactly beyond those requested, at least; half as many as those


@dataclass
class _MappedFiles:
    """The files of one state of the index, mapped."""

    signature: list[Any]
    exact: Matrix
    quantized: Matrix
    scales: Matrix
    keys: Matrix
    file: int  # descriptor of the exact rows
    order: Matrix | None = None  # rows sorted by key; None: they are sorted already
    sorted: Matrix | None = None  # keys in that order, once needed

    def __del__(self) -> None:
        os.close(self.file)


class Vectors:
    """One folder with the files and their manifest. ``dimension``: of each row.

    ``served``: the source of the last search's results: the exact rows, the quantized ones or the
    HNSW index, which is not used without ``approximate``. ``damaged``: True for an unusable HNSW
    index.
    """

    def __init__(self, folder: Path, dimension: int, approximate: bool = True) -> None:
        self.folder = folder
        self.dimension = dimension
        self._approximate = approximate
        self._open: _MappedFiles | None = None
        self.served = ""
        self.damaged = False
        self._scanned = 0  # rows, by all searches
        self._hnsw: hnsw.OpenHnsw | None = None
        self._hnsw_mark: tuple[int, ...] | None = None
        self._verification: hnsw.HnswVerification | None = None

    def append(self, manifest: IndexManifest, rows: Iterable[tuple[int, bytes]]) -> None:
        """Appends (key, packed vector) rows, then writes the manifest.

        The caller holds the index lock and has set the watermark. Bytes that an interrupted append
        left beyond the manifest are cut off first.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        widths = self._widths()
        crcs = {name: manifest.files.get(name, [0, 0, 0])[2] for name in widths}
        count = manifest.entries
        with ExitStack() as stack:
            files = {
                name: stack.enter_context(_cut(self.folder / name, count * width))
                for name, width in widths.items()
            }
            rows = iter(rows)
            while block := list(islice(rows, BLOCK)):
                vectors = [vector for _, vector in block]
                parts = dict(zip((QUANTIZED, SCALES), encode(vectors), strict=True))
                parts[VECTORS] = b"".join(vectors)
                parts[KEYS] = array("Q", (key for key, _ in block)).tobytes()
                for name, data in parts.items():
                    files[name].write(data)
                    crcs[name] = zlib.crc32(data, crcs[name])
                count += len(block)
        manifest.entries = count
        for name, width in widths.items():
            path = self.folder / name
            manifest.files[name] = manifests.file_entry(path, count * width, crcs[name])
        manifests.save(self.folder, manifest)

    def search(
        self,
        manifest: IndexManifest,
        query: bytes,
        limit: int,
        allowed: Sequence[int] | None = None,
    ) -> list[tuple[int, float]]:
        """(key, cosine similarity), best first; ``allowed`` restricts the keys.

        Raises ``IndexUnusable`` when the files do not match the manifest.
        """
        if not manifest.entries or limit < 1:
            return []
        import numpy as np

        opened = self._opened(manifest)
        query_vector = np.frombuffer(query, "<f4")
        rows = None if allowed is None else _rows_of(opened, allowed)
        small = len(opened.keys) <= SMALL
        self.served = "exact" if small else "quantized"
        if small:
            if rows is None:
                return nearest(opened.exact, opened.keys, query, limit)
            return nearest(opened.exact[rows], opened.keys[rows], query, limit)
        count = limit + max(MARGIN, limit // 2)
        if rows is None:
            rows = self._candidates(manifest, opened, query_vector, limit, count)
        elif len(rows) > count:
            if len(rows) * 4 < len(opened.keys):
                scores = scan(opened.quantized[rows], opened.scales[rows], query_vector)
            else:
                scores = scan(opened.quantized, opened.scales, query_vector)[rows]
            rows = rows[best(scores, count)]
        rows = np.sort(rows)
        return nearest(self._read(opened, rows), opened.keys[rows], query, limit)

    def _candidates(
        self,
        manifest: IndexManifest,
        opened: _MappedFiles,
        query_vector: Matrix,
        limit: int,
        count: int,
    ) -> Matrix:
        """At least ``count`` candidates; rows beyond the HNSW index are scanned."""
        import numpy as np

        numbers = None
        if self._approximate and self._scanned > hnsw.SCANNED:
            numbers = self._current_hnsw(manifest, opened)
        if numbers is None or limit > hnsw.WIDEST:
            self._scanned += len(opened.keys)
            return best(scan(opened.quantized, opened.scales, query_vector), count)
        self.served = "hnsw"
        rows = numbers.nearest(query_vector, limit)
        if numbers.rows == len(opened.keys):
            return rows
        rest = scan(opened.quantized[numbers.rows :], opened.scales[numbers.rows :], query_vector)
        return np.concatenate([rows, numbers.rows + best(rest, count)])

    def _current_hnsw(self, manifest: IndexManifest, opened: _MappedFiles) -> hnsw.OpenHnsw | None:
        """The HNSW index over the first of these rows. A new one is verified before it is mapped,
        and until then the previous one is used."""
        mark = hnsw.mark(self.folder)
        if mark is None:
            self._close_hnsw()
            return None
        now = (*mark, os.fstat(opened.file).st_ino)
        if self._hnsw_mark != now:
            made = hnsw.published(self.folder)
            if made is None or made.entries <= len(opened.keys):
                self._verify_hnsw(made, manifest, opened)
                self._hnsw_mark = now
        verified = self._verification
        if verified is not None and verified.wrong is not None:
            self._hnsw, self._verification = verified.opened(self.dimension), None
            self.damaged = self._hnsw is None and bool(verified.made.files)
            if self._hnsw is not None:
                _release(opened.quantized)
        if self._hnsw is not None and self._hnsw.rows > len(opened.keys):
            return None  # it has rows that this search does not know of yet
        return self._hnsw

    def _verify_hnsw(
        self, made: IndexManifest | None, vectors: IndexManifest, opened: _MappedFiles
    ) -> None:
        """Starts the verification of the HNSW index; closes one that is open over other rows."""
        self.damaged = made is None
        self._verification = None
        if made is not None:
            rows = opened.keys, opened.scales
            self._verification = hnsw.HnswVerification(self.folder, made, vectors, *rows)
        known = self._hnsw
        if known is not None and (
            known.rows > len(opened.keys)
            or hnsw.origin(opened.keys, opened.scales, known.rows) != known.origin
        ):
            self._hnsw = None

    def _close_hnsw(self) -> None:
        self._hnsw = self._hnsw_mark = self._verification = None
        self.damaged = False

    def matrices(self, manifest: IndexManifest) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Quantized rows, scales, keys and exact rows, mapped. Raises ``IndexUnusable``."""
        opened = self._opened(manifest)
        shape = (len(opened.keys), self.dimension)
        try:
            exact = self._map(VECTORS, "<f4", shape)
        except (OSError, ValueError) as error:
            raise IndexUnusable(str(error)) from None
        return opened.quantized, opened.scales, opened.keys, exact

    def discarded(self) -> bool:
        """True when the opened files have been deleted."""
        return self._open is not None and os.fstat(self._open.file).st_nlink == 0

    def discard(self) -> None:
        """Deletes the files; the next ``append`` starts from scratch."""
        self._open = None
        self._close_hnsw()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _widths(self) -> dict[str, int]:
        """Bytes of one row in each file."""
        return {VECTORS: self.dimension * 4, KEYS: 8, QUANTIZED: self.dimension, SCALES: 4}

    def _opened(self, manifest: IndexManifest) -> _MappedFiles:
        signature = sorted(manifest.files.items())
        if self._open is None or self._open.signature != signature:
            count = manifest.entries
            expected = {name: count * width for name, width in self._widths().items()}
            sizes = {name: entry[0] for name, entry in manifest.files.items()}
            if sizes != expected or not manifests.readable(self.folder, manifest):
                raise IndexUnusable("its files do not match their checksums")
            shape = (count, self.dimension)
            try:
                self._open = _MappedFiles(
                    signature,
                    self._map(VECTORS, "<f4", shape),
                    self._map(QUANTIZED, "i1", shape),
                    self._map(SCALES, "<f4", shape[:1]),
                    self._map(KEYS, "<u8", shape[:1]),
                    os.open(self.folder / VECTORS, os.O_RDONLY | os.O_CLOEXEC),
                )
            except (OSError, ValueError) as error:  # another process is rebuilding the index
                raise IndexUnusable(str(error)) from None
        return self._open

    def _map(self, name: str, kind: str, shape: tuple[int, ...]) -> Matrix:
        import numpy as np

        # a plain view: indexing np.memmap itself is slower per call
        return np.asarray(np.memmap(self.folder / name, kind, "r", shape=shape))

    def _read(self, opened: _MappedFiles, rows: Matrix) -> Matrix:
        """Exact rows with these numbers, at a tenth of the cost of reading each from the file."""
        if os.fstat(opened.file).st_size < opened.exact.nbytes:
            raise IndexUnusable("truncated")
        found: Matrix = opened.exact[rows]
        if opened.exact.nbytes > MOST_MAPPED:
            _release(opened.exact)
        return found


def _release(matrix: Matrix) -> None:
    """Releases the memory of rows that were compared; they stay in the system's cache."""
    mapped: Any = matrix
    while mapped is not None and not isinstance(mapped, mmap.mmap):
        mapped = mapped.base
    if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):  # not on every system
        mapped.madvise(mmap.MADV_DONTNEED)


def _rows_of(opened: _MappedFiles, allowed: Sequence[int]) -> Matrix:
    """Rows with these keys."""
    import numpy as np

    if opened.sorted is None:
        keys = np.asarray(opened.keys)
        if len(keys) > 1 and not (keys[1:] > keys[:-1]).all():  # old entries embedded later
            opened.order = np.argsort(keys)
            keys = keys[opened.order]
        opened.sorted = keys
    wanted_keys = np.asarray(allowed, dtype=np.uint64)
    places = np.searchsorted(opened.sorted, wanted_keys)
    in_range = places < len(opened.sorted)
    places, wanted_keys = places[in_range], wanted_keys[in_range]
    places = places[opened.sorted[places] == wanted_keys]
    rows: Matrix = places if opened.order is None else opened.order[places]
    return rows


def best(scores: Matrix, count: int) -> Matrix:
    """Positions of the ``count`` largest scores, unordered."""
    import numpy as np

    if len(scores) <= count:
        return np.arange(len(scores))
    return np.argpartition(scores, len(scores) - count)[len(scores) - count :]


def nearest(matrix: Matrix, keys: Matrix, query: bytes, limit: int) -> list[tuple[int, float]]:
    """The ``limit`` rows with the largest inner product, best first."""
    import numpy as np

    scores = matrix @ np.frombuffer(query, "<f4")
    rows = best(scores, limit)
    rows = rows[np.argsort(-scores[rows], kind="stable")]
    return list(zip(keys[rows].tolist(), scores[rows].tolist(), strict=True))


def best_of(found: list[tuple[int, float]], limit: int) -> list[tuple[int, float]]:
    """The best ``limit``, ties sorted by key so that results are reproducible.

    A row that was indexed during the search may have been found in both places.
    """
    best: dict[int, float] = {}
    for key, score in found:
        best[key] = max(score, best.get(key, score))
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]


def matrix_of(rows: Sequence[tuple[int, bytes]], dimension: int) -> tuple[Matrix, Matrix]:
    """Matrix and keys of rows that are not in the file yet."""
    import numpy as np

    data = b"".join(vector for _, vector in rows)
    matrix = np.frombuffer(data, dtype="<f4").reshape(len(rows), dimension)
    return matrix, np.asarray([key for key, _ in rows], dtype=np.uint64)


def _cut(path: Path, size: int) -> Any:
    """Opens for appending at ``size``, cutting off anything beyond."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.ftruncate(descriptor, size)
    file = os.fdopen(descriptor, "r+b")
    file.seek(size)
    return file
