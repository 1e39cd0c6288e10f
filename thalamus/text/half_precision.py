"""Vectors as they are stored: as float16, half the size of the float32 that all else works with.

That changes the cosine of two vectors by about 0.00001. A vector of another scale, with numbers
that float16 does not have, is stored as float32. The size of a stored vector shows which it is.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.text.few_vectors import inner_products, numpy_pays_off

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def halved(vectors: Sequence[bytes]) -> list[bytes]:
    """Little-endian float32 vectors in the form in which they are stored."""
    if _pays_off(vectors) and len({len(vector) for vector in vectors}) == 1:
        import numpy as np

        with np.errstate(over="ignore"):
            numbers = np.frombuffer(b"".join(vectors), "<f4").astype("<f2")
        if np.isfinite(numbers).all():
            return _rows(numbers.tobytes(), len(vectors[0]) // 2)
    return [_halved(vector) for vector in vectors]


def widened(stored: Sequence[bytes], dimension: int) -> list[bytes]:
    """Stored vectors of one dimension as little-endian float32."""
    return _rows(joined(stored, dimension), 4 * dimension)


def joined(stored: Sequence[bytes], dimension: int) -> bytes:
    """The ``widened`` vectors, one after the other."""
    width = 2 * dimension
    data = b"".join(stored)
    if len(data) == width * len(stored) and _pays_off(stored):
        import numpy as np

        return np.frombuffer(data, "<f2").astype("<f4").tobytes()
    return b"".join([_widened(one) if len(one) == width else one for one in stored])


def products(stored: Sequence[bytes], question: bytes) -> list[float]:
    """Inner product of each stored vector with a little-endian float32 vector."""
    dimension = len(question) // 4
    if numpy_pays_off(len(stored) * dimension):
        import numpy as np

        found: list[float] = (matrix(stored, dimension) @ np.frombuffer(question, "<f4")).tolist()
        return found
    return few_products(stored, question)


def few_products(stored: Sequence[bytes], question: bytes) -> list[float]:
    """``products`` without numpy."""
    dimension = len(question) // 4
    rows = (_floats(vector, dimension) for vector in stored)
    return inner_products(rows, _floats(question, dimension))


def matrix(stored: Sequence[bytes], dimension: int) -> NDArray[np.float32]:
    """Stored vectors of one dimension as rows of float32."""
    import numpy as np

    if all(len(vector) == 2 * dimension for vector in stored):
        rows = np.frombuffer(b"".join(stored), "<f2").astype("<f4")
    else:
        rows = np.frombuffer(joined(stored, dimension), "<f4")
    return rows.reshape(len(stored), dimension)


def _pays_off(vectors: Sequence[bytes]) -> bool:
    return len(vectors) > 0 and numpy_pays_off(len(vectors) * len(vectors[0]))


def _halved(vector: bytes) -> bytes:
    size = len(vector) // 4
    try:
        return struct.pack(f"<{size}e", *struct.unpack(f"<{size}f", vector))
    except OverflowError:
        return vector


def _widened(vector: bytes) -> bytes:
    size = len(vector) // 2
    return struct.pack(f"<{size}f", *struct.unpack(f"<{size}e", vector))


def _floats(vector: bytes, dimension: int) -> tuple[float, ...]:
    """The numbers of a vector, stored or not."""
    return struct.unpack(f"<{dimension}{'e' if len(vector) == 2 * dimension else 'f'}", vector)


def _rows(data: bytes, width: int) -> list[bytes]:
    return [data[start : start + width] for start in range(0, len(data), width)]
