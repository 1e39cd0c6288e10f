"""Inner products of a few vectors without numpy, whose import takes as long as many a command."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from math import dist, hypot

ENOUGH = 1_500_000  # numbers: multiplying so many in Python takes as long as importing numpy

_computed = 0


def numpy_pays_off(count: int) -> bool:
    """True if numpy is imported already, or if that takes less time than computing with ``count``
    numbers in Python, after those for which this was asked before."""
    global _computed
    if "numpy" in sys.modules:
        return True
    _computed += count
    return _computed > ENOUGH


def inner_products(vectors: Iterable[Sequence[float]], other: Sequence[float]) -> list[float]:
    """Inner product of each vector with another one, by the law of cosines: ``hypot`` and ``dist``
    are written in C, and take half the time of a sum of products."""
    square = hypot(*other) ** 2
    return [(hypot(*one) ** 2 + square - dist(one, other) ** 2) / 2 for one in vectors]
