"""The vectors of texts, compared; those of the sentences of a text are packed into one value.

A row of ``DIMENSIONS`` int8 stands for a sentence, scaled so that its largest number is 127: a
cosine does not depend on the length of a vector. That is an eighth of what float32 would take for
half of the dimensions, and changes a cosine by less than a hundredth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS = 128  # the first of an embedding; only a model that was trained to be cut makes them
MOST = 64  # sentences of a text
LONGEST = 4_000  # characters of a text that are read
Key = TypeVar("Key")


def pack(vectors: NDArray[np.float32]) -> bytes:
    """The rows as one value: sentences x ``DIMENSIONS``, of any scale. One without a direction is
    left out."""
    import numpy as np

    largest = np.abs(vectors).max(axis=1, initial=0.0)
    some = largest > 0
    rows = np.rint(vectors[some] * (127 / largest[some, None]))
    return bytes(rows.astype(np.int8).tobytes())


def nearest(question: bytes, packed: Mapping[Key, bytes]) -> dict[Key, float]:
    """Of each packed value the cosine of the sentence that is nearest to a question's vector
    (little-endian float32); those without a sentence are left out."""
    import numpy as np

    counts = {key: len(rows) // DIMENSIONS for key, rows in packed.items()}
    keys = [key for key, count in counts.items() if count]
    asked = np.frombuffer(question, "<f4")[:DIMENSIONS]
    length = float(np.linalg.norm(asked))
    if not keys or len(asked) < DIMENSIONS or length == 0:
        return {}
    whole = b"".join(packed[key][: counts[key] * DIMENSIONS] for key in keys)
    rows = np.frombuffer(whole, np.int8).reshape(-1, DIMENSIONS).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    cosines = rows @ asked / (np.maximum(lengths, 1) * length)
    ends = np.cumsum([counts[key] for key in keys])
    best = np.maximum.reduceat(cosines, np.concatenate(([0], ends[:-1])))
    return dict(zip(keys, best.tolist(), strict=True))


def cosines(question: bytes, packed: Mapping[Key, bytes]) -> dict[Key, float]:
    """The cosine of a question's vector with each of others, which are as long (little-endian
    float32 of length 1)."""
    if not packed:
        return {}
    import numpy as np

    matrix = np.frombuffer(b"".join(packed.values()), "<f4").reshape(len(packed), -1)
    found = matrix @ np.frombuffer(question, "<f4")
    return dict(zip(packed, found.tolist(), strict=True))
