"""The vector index of one embedding model: append-only files, searched exactly.

The rows' keys, and their vectors: as float32 in a small index, quantized (see ``quantization``) in
a larger one. An insertion appends a few bytes whatever the size of the store; nothing that a
manifest names is ever rewritten, so a crash can only damage bytes that it does not cover yet.

A small index is scanned; in a process that searches only once without numpy, whose import takes
longer. A search of a larger one scans the quantized vectors, which are mapped
into memory, and compares the vectors of the best from the table: the cosines that it returns are
exact. If there is an HNSW index (``hnsw``), it is used instead after a process's first searches:
opening it would not pay off for a few.
"""

from __future__ import annotations

import mmap
import os
import shutil
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from heapq import nlargest
from itertools import chain, islice
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from thalamus.store.indexes import hnsw
from thalamus.store.indexes import index_files as manifests
from thalamus.store.indexes.fulltext import IndexUnusable
from thalamus.store.indexes.quantization import compared, encode, scan
from thalamus.text import half_precision
from thalamus.text.few_vectors import numpy_pays_off

if TYPE_CHECKING:
    import numpy as np

    from thalamus.store.indexes.index_files import IndexManifest

    Matrix = np.ndarray[Any, Any]


# (key, stored vector) of the rows of the table with these keys; some may have been deleted
StoredVectors = Callable[[Sequence[int]], list[tuple[int, bytes]]]
VECTORS, KEYS, QUANTIZED, SCALES = "vectors.f32", "keys.u64", "quantized.i8", "scales.f32"
BLOCK = 1024  # rows written at a time
ALONE = 400_000  # numbers that OpenBLAS multiplies without another thread
SMALL = 2000  # rows up to which an index is small


class _MappedFiles(Struct):
    """The files of one state of the index, mapped. ``scales``: of quantized vectors."""

    signature: list[Any]
    vectors: Matrix
    scales: Matrix | None
    keys: Matrix
    file: int  # descriptor of the keys
    order: Matrix | None = None  # rows sorted by key; None: they are sorted already
    sorted: Matrix | None = None  # keys in that order, once needed

    def __del__(self) -> None:
        os.close(self.file)


class Vectors:
    """One folder with the files and their manifest. ``dimension``: of each row; ``stored``: reads
    exact rows from the table.

    ``served``: the source of the last search's results: the exact rows, the quantized ones or the
    HNSW index, which is not used without ``approximate``. ``damaged``: True for an unusable HNSW
    index.
    """

    def __init__(
        self, folder: Path, dimension: int, stored: StoredVectors, approximate: bool = True
    ) -> None:
        self.folder = folder
        self.dimension = dimension
        self._stored = stored
        self._approximate = approximate
        self._open: _MappedFiles | None = None
        self.served = ""
        self.damaged = False
        self._scanned = 0  # rows, by all searches
        self._hnsw: hnsw.OpenHnsw | None = None
        self._hnsw_mark: tuple[int, ...] | None = None
        self._verification: hnsw.HnswVerification | None = None

    def append(self, manifest: IndexManifest, rows: Iterable[tuple[int, bytes]]) -> None:
        """Appends (key, stored vector) rows, then writes the manifest.

        The caller holds the index lock and has set the watermark. Bytes that an interrupted append
        left beyond the manifest are cut off first. A small index that grows is quantized.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        rows, count = iter(rows), manifest.entries
        exact = not count or VECTORS in manifest.files
        if exact:
            first = list(islice(rows, max(0, SMALL + 1 - count)))
            rows = chain(first, rows)
            exact = count + len(first) <= SMALL
            if count and not exact:
                self._quantize(manifest)
        self._append(manifest, rows, self._widths(exact))
        manifests.save(self.folder, manifest)
        if not exact:
            (self.folder / VECTORS).unlink(missing_ok=True)

    def _quantize(self, manifest: IndexManifest) -> None:
        """Replaces the exact rows of a small index by quantized ones."""
        width = self.dimension * 4
        size, *_ = manifest.files.pop(VECTORS)
        with (self.folder / VECTORS).open("rb") as file:
            vectors = file.read(size // width * width)
        for name, data in zip((QUANTIZED, SCALES), encode(vectors, self.dimension), strict=True):
            path = self.folder / name
            path.write_bytes(data)
            manifest.files[name] = manifests.file_entry(path, len(data), zlib.crc32(data))

    def _append(
        self, manifest: IndexManifest, rows: Iterable[tuple[int, bytes]], widths: dict[str, int]
    ) -> None:
        """Appends rows to the files with these widths."""
        crcs = {name: manifest.files.get(name, [0, 0, 0])[2] for name in widths}
        count = manifest.entries
        with ExitStack() as stack:
            files = {
                name: stack.enter_context(_cut(self.folder / name, count * width))
                for name, width in widths.items()
            }
            rows = iter(rows)
            while block := list(islice(rows, BLOCK)):
                keys, stored = zip(*block, strict=True)
                vectors = half_precision.joined(stored, self.dimension)
                parts = {KEYS: array("Q", keys).tobytes()}
                if VECTORS in widths:
                    parts[VECTORS] = vectors
                else:
                    encoded = encode(vectors, self.dimension)
                    parts |= dict(zip((QUANTIZED, SCALES), encoded, strict=True))
                for name, data in parts.items():
                    files[name].write(data)
                    crcs[name] = zlib.crc32(data, crcs[name])
                count += len(block)
        manifest.entries = count
        for name, width in widths.items():
            path = self.folder / name
            manifest.files[name] = manifests.file_entry(path, count * width, crcs[name])

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
        small = VECTORS in manifest.files
        if small and not numpy_pays_off(manifest.entries * self.dimension):
            self.served = "exact"
            return _nearest_few(self._read(manifest, allowed), query, limit)
        import numpy as np

        opened = self._opened(manifest)
        rows = None if allowed is None else _rows_of(opened, allowed)
        if opened.scales is None:
            self.served = "exact"
            if rows is None:
                return nearest(opened.vectors, opened.keys, query, limit)
            return nearest(opened.vectors[rows], opened.keys[rows], query, limit)
        self.served = "quantized"
        query_vector = np.frombuffer(query, "<f4")
        count = compared(limit)
        among = len(opened.keys) if rows is None else len(rows)
        if rows is None:
            rows = self._candidates(manifest, opened, query_vector, limit)
        elif among > count:
            if len(rows) * 4 < len(opened.keys):
                scores = scan(opened.vectors[rows], opened.scales[rows], query_vector)
            else:
                scores = scan(opened.vectors, opened.scales, query_vector)[rows]
            rows = rows[best(scores, count)]
        found = self._stored(opened.keys[rows].tolist())
        if len(found) < limit and len(rows) < among:  # many were deleted
            return self.search(manifest, query, 4 * limit, allowed)[:limit]
        return nearest(*matrix_of(found, self.dimension), query, limit)

    def search_rows(
        self, rows: Sequence[tuple[int, bytes]], query: bytes, limit: int
    ) -> list[tuple[int, float]]:
        """``search`` of (key, stored vector) rows that are not in the files."""
        if not numpy_pays_off(len(rows) * self.dimension):
            return _nearest_few(rows, query, limit)
        return nearest(*matrix_of(rows, self.dimension), query, limit)

    def _read(
        self, manifest: IndexManifest, allowed: Sequence[int] | None
    ) -> list[tuple[int, bytes]]:
        """Keys and exact vectors of a small index. Raises ``IndexUnusable``."""
        self._verify(manifest)
        count, width = manifest.entries, self.dimension * 4
        keys = (self.folder / KEYS).read_bytes()[: count * 8]
        data = (self.folder / VECTORS).read_bytes()[: count * width]
        if len(keys) + len(data) < count * (8 + width):
            raise IndexUnusable("its files were replaced while they were read")
        rows = [(key, data[n * width : (n + 1) * width]) for n, key in enumerate(array("Q", keys))]
        if allowed is None:
            return rows
        allowed_keys = set(allowed)
        return [row for row in rows if row[0] in allowed_keys]

    def _candidates(
        self,
        manifest: IndexManifest,
        opened: _MappedFiles,
        query_vector: Matrix,
        limit: int,
    ) -> Matrix:
        """Candidates for ``limit`` results; rows beyond the HNSW index are scanned."""
        import numpy as np

        assert opened.scales is not None
        numbers = None
        if self._approximate and self._scanned > hnsw.SCANNED:
            numbers = self._current_hnsw(manifest, opened)
        if numbers is None or limit > hnsw.WIDEST:
            self._scanned += len(opened.keys)
            return best(scan(opened.vectors, opened.scales, query_vector), compared(limit))
        self.served = "hnsw"
        rows = numbers.nearest(query_vector, limit)
        if numbers.rows == len(opened.keys):
            return rows
        rest = scan(opened.vectors[numbers.rows :], opened.scales[numbers.rows :], query_vector)
        return np.concatenate([rows, numbers.rows + best(rest, compared(limit))])

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
                _release(opened.vectors)
        if self._hnsw is not None and self._hnsw.rows > len(opened.keys):
            return None  # it has rows that this search does not know of yet
        return self._hnsw

    def _verify_hnsw(
        self, manifest: IndexManifest | None, vectors: IndexManifest, opened: _MappedFiles
    ) -> None:
        """Starts the verification of the HNSW index; closes one that is open over other rows."""
        self.damaged = manifest is None
        self._verification = None
        if manifest is not None:
            assert opened.scales is not None
            rows = opened.keys, opened.scales
            self._verification = hnsw.HnswVerification(self.folder, manifest, vectors, *rows)
        known = self._hnsw
        if known is not None and (
            known.rows > len(opened.keys)
            or opened.scales is None
            or hnsw.origin(opened.keys, opened.scales, known.rows) != known.origin
        ):
            self._hnsw = None

    def _close_hnsw(self) -> None:
        self._hnsw = self._hnsw_mark = self._verification = None
        self.damaged = False

    def matrices(self, manifest: IndexManifest) -> tuple[Matrix, Matrix, Matrix]:
        """Quantized rows, scales and keys, mapped. Raises ``IndexUnusable``."""
        opened = self._opened(manifest)
        if opened.scales is None:
            raise IndexUnusable("it is small")
        return opened.vectors, opened.scales, opened.keys

    def exact_rows(self, keys: Matrix) -> Matrix:
        """Exact rows with these keys, in this order; zeros for those that were deleted."""

        found = dict(self._stored(keys.tolist()))
        missing = bytes(self.dimension * 2)
        return matrix_of([(key, found.get(key, missing)) for key in keys.tolist()], self.dimension)[
            0
        ]

    def discarded(self) -> bool:
        """True when the opened files have been deleted."""
        return self._open is not None and os.fstat(self._open.file).st_nlink == 0

    def discard(self) -> None:
        """Deletes the files; the next ``append`` starts from scratch."""
        self._open = None
        self._close_hnsw()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _widths(self, exact: bool) -> dict[str, int]:
        """Bytes of one row in each file of a small index, or of a larger one."""
        if exact:
            return {VECTORS: self.dimension * 4, KEYS: 8}
        return {KEYS: 8, QUANTIZED: self.dimension, SCALES: 4}

    def _opened(self, manifest: IndexManifest) -> _MappedFiles:
        signature = sorted(manifest.files.items())
        if self._open is None or self._open.signature != signature:
            self._verify(manifest)
            exact, shape = VECTORS in manifest.files, (manifest.entries, self.dimension)
            try:
                self._open = _MappedFiles(
                    signature,
                    self._map(VECTORS, "<f4", shape)
                    if exact
                    else self._map(QUANTIZED, "i1", shape),
                    None if exact else self._map(SCALES, "<f4", shape[:1]),
                    self._map(KEYS, "<u8", shape[:1]),
                    os.open(self.folder / KEYS, os.O_RDONLY | os.O_CLOEXEC),
                )
            except (OSError, ValueError) as error:  # another process is rebuilding the index
                raise IndexUnusable(str(error)) from None
        return self._open

    def _verify(self, manifest: IndexManifest) -> None:
        """Raises ``IndexUnusable`` when the files do not match the manifest."""
        widths = self._widths(VECTORS in manifest.files)
        expected = {name: manifest.entries * width for name, width in widths.items()}
        sizes = {name: entry[0] for name, entry in manifest.files.items()}
        if sizes != expected or not manifests.readable(self.folder, manifest):
            raise IndexUnusable("its files do not match their checksums")

    def _map(self, name: str, kind: str, shape: tuple[int, ...]) -> Matrix:
        import numpy as np

        # a plain view: indexing np.memmap itself is slower per call
        return np.asarray(np.memmap(self.folder / name, kind, "r", shape=shape))


def _release(matrix: Matrix) -> None:
    """Releases the memory of rows that were scanned; they stay in the system's cache."""
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

    scores = _products(matrix, np.frombuffer(query, "<f4"))
    rows = best(scores, limit)
    rows = rows[np.argsort(-scores[rows], kind="stable")]
    return list(zip(keys[rows].tolist(), scores[rows].tolist(), strict=True))


def _nearest_few(
    rows: Sequence[tuple[int, bytes]], query: bytes, limit: int
) -> list[tuple[int, float]]:
    """``nearest`` of (key, vector) rows, stored ones or exact ones, without numpy."""
    scores = half_precision.few_products([vector for _, vector in rows], query)
    found = zip((key for key, _ in rows), scores, strict=True)
    return nlargest(limit, found, key=itemgetter(1))


def _products(matrix: Matrix, query: Matrix) -> Matrix:
    """Inner product of each row with a query, in parts for which OpenBLAS starts no threads:
    waiting for one takes a hundred times as long while other processes are busy."""
    import numpy as np

    step = max(1, ALONE // matrix.shape[1])
    starts = range(0, max(1, len(matrix)), step)
    return np.concatenate([matrix[start : start + step] @ query for start in starts])


def best_of(found: list[tuple[int, float]], limit: int) -> list[tuple[int, float]]:
    """The best ``limit``; of equals the newest come first.

    A row that was indexed during the search may have been found in both places.
    """
    best = dict(sorted(found, key=itemgetter(1)))  # the later of two scores is the better one
    least = sorted(best.values())[-limit] if 0 < limit < len(best) else -inf
    # sorting by key and then by score is faster than by both at once
    ordered = sorted([hit for hit in best.items() if hit[1] >= least], key=itemgetter(0))
    ordered.reverse()
    ordered.sort(key=itemgetter(1), reverse=True)
    return ordered[:limit]


def matrix_of(rows: Sequence[tuple[int, bytes]], dimension: int) -> tuple[Matrix, Matrix]:
    """Matrix and keys of rows that are not in the file yet."""
    import numpy as np

    keys = np.asarray([key for key, _ in rows], dtype=np.uint64)
    return half_precision.matrix([vector for _, vector in rows], dimension), keys


def _cut(path: Path, size: int) -> Any:
    """Opens for appending at ``size``, cutting off anything beyond."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.ftruncate(descriptor, size)
    file = os.fdopen(descriptor, "r+b")
    file.seek(size)
    return file
