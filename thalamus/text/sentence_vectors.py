"""Sentence vectors: comparison, and packing of all sentences of a text into one value.

A row of ``DIMENSIONS`` int8 represents a sentence, scaled so that its largest number is 127: a
cosine does not depend on the length of a vector. That takes an eighth of float32 for half of the
dimensions, and changes a cosine by less than a hundredth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from thalamus.text.half_precision import products

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS = 128  # the first of an embedding; only models trained for truncation produce them
MOST = 64  # sentences of a text
LONGEST = 4_000  # characters of a text that are read
Key = TypeVar("Key")


def pack(vectors: NDArray[np.float32]) -> bytes:
    """The rows as one value: sentences x ``DIMENSIONS``, of any scale. Zero vectors are left
    out."""
    import numpy as np

    largest = np.abs(vectors).max(axis=1, initial=0.0)
    some = largest > 0
    rows = np.rint(vectors[some] * (127 / largest[some, None]))
    return bytes(rows.astype(np.int8).tobytes())


def nearest(question: bytes, packed: Mapping[Key, bytes]) -> dict[Key, float]:
    """For each packed value, cosine of the sentence nearest to a question's vector (little-endian
    float32); values without a sentence are left out."""
    counts = {key: len(rows) // DIMENSIONS for key, rows in packed.items()}
    keys = [key for key, count in counts.items() if count]
    if not keys:
        return {}
    import numpy as np

    query = np.frombuffer(question, "<f4")[:DIMENSIONS]
    length = float(np.linalg.norm(query))
    if len(query) < DIMENSIONS or length == 0:
        return {}
    whole = b"".join(packed[key][: counts[key] * DIMENSIONS] for key in keys)
    rows = np.frombuffer(whole, np.int8).reshape(-1, DIMENSIONS).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    cosines = rows @ query / (np.maximum(lengths, 1) * length)
    ends = np.cumsum([counts[key] for key in keys])
    best = np.maximum.reduceat(cosines, np.concatenate(([0], ends[:-1])))
    return dict(zip(keys, best.tolist(), strict=True))


def cosines(question: bytes, packed: Mapping[Key, bytes]) -> dict[Key, float]:
    """Cosine of a question's vector with each of others of the same dimension (little-endian
    float32 of length 1)."""
    return dict(zip(packed, products([*packed.values()], question), strict=True))
