"""The decision to import numpy: that takes as long as many a command."""

from __future__ import annotations

import sys

ENOUGH = 800_000  # numbers: computing with so many in Python takes as long as importing numpy

_computed = 0


def numpy_pays_off(count: int) -> bool:
    """True if numpy is imported already, or if that takes less time than computing with ``count``
    numbers in Python, after those for which this was asked before."""
    global _computed
    if "numpy" in sys.modules:
        return True
    _computed += count
    return _computed > ENOUGH
