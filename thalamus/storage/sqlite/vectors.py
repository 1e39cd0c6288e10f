"""The vector index of one embedding model: an append-only file, searched by usearch's kernels.

The file is a plain matrix of float32 rows beside a file of their keys. An insertion appends a few
bytes whatever the size of the store; nothing is ever rewritten, so a crash can tear only what the
manifest does not cover yet. The search is exact: at 100,000 rows of 256 dimensions it costs some
milliseconds, less than opening an HNSW graph, which would have to be rewritten whole on saving.
"""

from __future__ import annotations

import os
import shutil
import zlib
from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.storage.sqlite import manifest as manifests
from thalamus.storage.sqlite.fulltext import IndexUnusable
from thalamus.storage.sqlite.manifest import Manifest

if TYPE_CHECKING:
    import numpy as np

VECTORS = "vectors.f32"
KEYS = "keys.u64"
BLOCK = 4096  # rows written at a time


class Vectors:
    """One folder with the matrix, the keys and their manifest. ``dimension``: of each row."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self.folder = folder
        self.dimension = dimension
        self._open: tuple[list[Any], Any, Any] | None = None

    def append(self, manifest: Manifest, rows: Iterable[tuple[int, bytes]]) -> None:
        """Appends (key, packed vector) rows, then writes the manifest.

        The caller holds the index lock and has set the watermark. What an interrupted append left
        beyond the manifest is cut off first.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        width = self.dimension * 4
        crcs = [manifest.files.get(name, [0, 0, 0])[2] for name in (VECTORS, KEYS)]
        count = manifest.entries
        paths = [self.folder / VECTORS, self.folder / KEYS]
        with _cut(paths[0], count * width) as vectors, _cut(paths[1], count * 8) as keys:
            rows = iter(rows)
            while block := list(islice(rows, BLOCK)):
                data = b"".join(vector for _, vector in block)
                names = array("Q", (key for key, _ in block)).tobytes()
                vectors.write(data)
                keys.write(names)
                crcs = [zlib.crc32(data, crcs[0]), zlib.crc32(names, crcs[1])]
                count += len(block)
        manifest.entries = count
        for path, size, crc in zip(paths, (count * width, count * 8), crcs, strict=True):
            manifest.files[path.name] = [size, path.stat().st_mtime_ns, crc]
        manifests.save(self.folder, manifest)

    def search(
        self, manifest: Manifest, query: bytes, limit: int, allowed: Sequence[int] | None = None
    ) -> list[tuple[int, float]]:
        """(key, cosine similarity), best first; ``allowed`` restricts the keys.

        Raises ``IndexUnusable`` when the files are not what the manifest says.
        """
        if not manifest.entries:
            return []
        matrix, keys = self._matrix(manifest)
        if allowed is not None:
            import numpy as np

            rows = np.flatnonzero(np.isin(keys, np.asarray(allowed, dtype=np.uint64)))
            matrix, keys = matrix[rows], keys[rows]
        return nearest(matrix, keys, query, limit)

    def discard(self) -> None:
        """Forgets the files; the next ``append`` begins anew."""
        self._open = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def _matrix(self, manifest: Manifest) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        signature = sorted(manifest.files.items())
        if self._open is None or self._open[0] != signature:
            import numpy as np

            expected = {VECTORS: manifest.entries * self.dimension * 4, KEYS: manifest.entries * 8}
            sizes = {name: entry[0] for name, entry in manifest.files.items()}
            if sizes != expected or not manifests.readable(self.folder, manifest):
                raise IndexUnusable("its files do not match their checksums")
            shape = (manifest.entries, self.dimension)
            matrix = np.memmap(self.folder / VECTORS, dtype="<f4", mode="r", shape=shape)
            keys = np.memmap(self.folder / KEYS, dtype="<u8", mode="r", shape=shape[:1])
            self._open = (signature, matrix, keys)
        return self._open[1], self._open[2]


def nearest(matrix: Any, keys: Any, query: bytes, limit: int) -> list[tuple[int, float]]:
    """Exact search by usearch: the ``limit`` rows with the largest inner product."""
    import numpy as np
    from usearch.index import search

    if len(keys) == 0 or limit < 1:
        return []
    vector = np.frombuffer(query, dtype="<f4")
    found = search(matrix, vector, min(limit, len(keys)), "ip", exact=True)
    # usearch's inner-product distance is 1 - similarity
    return [
        (int(keys[row]), 1.0 - float(d)) for row, d in zip(found.keys, found.distances, strict=True)
    ]


def matrix_of(rows: Sequence[tuple[int, bytes]], dimension: int) -> tuple[Any, Any]:
    """The matrix and keys of rows that are not in the file yet."""
    import numpy as np

    data = b"".join(vector for _, vector in rows)
    matrix = np.frombuffer(data, dtype="<f4").reshape(len(rows), dimension)
    return matrix, np.asarray([key for key, _ in rows], dtype=np.uint64)


def _cut(path: Path, size: int) -> Any:
    """Opens for appending at ``size``, cutting off whatever lies beyond."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.ftruncate(descriptor, size)
    file = os.fdopen(descriptor, "r+b")
    file.seek(size)
    return file
