"""Vectors as bytes: little-endian float32, of length 1."""

from __future__ import annotations

import math
import struct
import sys
from array import array
from collections.abc import Iterable, Sequence

MANY = 32  # vectors from which importing numpy pays off
BLOCK = 256  # vectors normalised at a time: they stay in the processor's cache
EXACT = 2**-20  # difference from length 1 that float32 causes
ROUNDED = 2**-11 + 2**-19  # and float16: a vector that was stored so comes back as it was


def pack(values: Iterable[float]) -> bytes:
    """Normalises to length 1, unless only rounding made it differ, and packs as little-endian
    float32.

    Raises ``ValueError`` if the vector is empty, not finite, or all zero (without a direction).
    """
    vector = array("f", values)
    length = math.hypot(*vector)
    if not vector or not math.isfinite(length) or length == 0:
        raise ValueError("a vector must be non-empty, finite and not all zero")
    difference = abs(length - 1)
    if difference > ROUNDED or (difference > EXACT and not _is_float16(vector)):
        vector = array("f", (x / length for x in vector))
    if sys.byteorder == "big":
        vector.byteswap()
    return vector.tobytes()


def pack_many(vectors: Sequence[Sequence[float]]) -> list[bytes | ValueError]:
    """``pack`` for each vector; a ``ValueError`` in place of one that cannot be packed."""
    size = len(vectors[0]) if vectors else 0
    if len(vectors) < MANY or not size or any(len(vector) != size for vector in vectors):
        return [_packed(vector) for vector in vectors]
    import numpy as np

    packed: list[bytes | ValueError] = []
    width = 4 * size
    for start in range(0, len(vectors), BLOCK):
        block = vectors[start : start + BLOCK]
        data = b"".join([_floats(vector) for vector in block])
        matrix = np.frombuffer(data, np.float32).reshape(len(block), size).astype(np.float64)
        with np.errstate(all="ignore"):
            lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
            differences = np.abs(lengths - 1)
            others = differences > ROUNDED
            if (close := ~others & (differences > EXACT)).any():
                rows = matrix[close]
                others[close] = (rows.astype(np.float16) != rows).any(axis=1)
            if others.any():
                matrix /= np.where(others, lengths, 1)[:, None]
            data = matrix.astype("<f4").tobytes()
        good = np.isfinite(lengths) & (lengths > 0)
        packed += [
            data[n * width : (n + 1) * width] if fine else _packed(block[n])
            for n, fine in enumerate(good.tolist())
        ]
    return packed


def _is_float16(vector: array[float]) -> bool:
    form = f"{len(vector)}e"
    return struct.unpack(form, struct.pack(form, *vector)) == tuple(vector)


def _floats(vector: Sequence[float]) -> array[float]:
    return vector if isinstance(vector, array) and vector.typecode == "f" else array("f", vector)


def _packed(vector: Sequence[float]) -> bytes | ValueError:
    try:
        return pack(vector)
    except ValueError as error:
        return error


def unpack(blob: bytes) -> list[float]:
    """The components of a packed vector."""
    vector = array("f", blob)
    if sys.byteorder == "big":
        vector.byteswap()
    return vector.tolist()


def dimension(blob: bytes) -> int:
    """Number of dimensions of a packed vector."""
    return len(blob) // 4
