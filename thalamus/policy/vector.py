"""Vectors as bytes: little-endian float32, of length 1."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable


def pack(values: Iterable[float]) -> bytes:
    """Normalises to length 1 and packs as little-endian float32.

    Raises ``ValueError`` when empty, not finite, or all zero (such a vector has no direction).
    """
    vector = array("f", values)
    length = math.sqrt(sum(x * x for x in vector))
    if not vector or not math.isfinite(length) or length == 0:
        raise ValueError("a vector must be non-empty, finite and not all zero")
    unit = array("f", (x / length for x in vector))
    if sys.byteorder == "big":
        unit.byteswap()
    return unit.tobytes()


def unpack(blob: bytes) -> list[float]:
    """The numbers of a packed vector."""
    vector = array("f", blob)
    if sys.byteorder == "big":
        vector.byteswap()
    return vector.tolist()


def dimension(blob: bytes) -> int:
    """How many dimensions a packed vector has."""
    return len(blob) // 4
