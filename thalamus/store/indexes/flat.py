"""The mapped vectors of an index, with their keys and numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, Any]


class Flat(Struct):
    """The mapped files of one state of the index. ``numbers`` grow, ``keys`` need not."""

    signature: list[Any]
    matrix: Matrix
    keys: Matrix
    numbers: Matrix
    order: Matrix | None = None  # rows sorted by key, once needed
    sorted: Matrix | None = None  # keys in that order

    def places(self, wanted: Sequence[int]) -> Matrix:
        """Rows with these keys: one may have an outdated vector too."""
        import numpy as np

        if self.order is None or self.sorted is None:
            self.order = np.argsort(self.keys, kind="stable")
            self.sorted = self.keys[self.order]
        asked = np.asarray(wanted, dtype=np.uint64)
        first = np.searchsorted(self.sorted, asked)
        counts = np.searchsorted(self.sorted, asked, "right") - first
        starts = np.repeat(first - (np.cumsum(counts) - counts), counts)
        found: Matrix = self.order[starts + np.arange(len(starts))]
        return found

    def outdated(self, removed: Sequence[int], kept: Collection[int]) -> Matrix:
        """Rows with ``removed`` keys whose number is not in ``kept``."""
        import numpy as np

        places = self.places(removed)
        found: Matrix = places[~np.isin(self.numbers[places], [*kept])]
        return found

    def numbered(self, numbers: Matrix) -> Matrix:
        """Rows with these numbers, as far as there are any."""
        import numpy as np

        places = np.searchsorted(self.numbers, numbers)
        within = places < len(self.numbers)
        places, numbers = places[within], numbers[within]
        found: Matrix = places[self.numbers[places] == numbers]
        return found
