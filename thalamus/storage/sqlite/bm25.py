"""BM25 over rows that the full-text index does not have yet.

The scores are tantivy's (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009,
with k1 = 1.2 and b = 0.75), so that what was stored a moment ago ranks as it will when it is
indexed. A tantivy index in memory gives the same, but takes a tenth of a second now and then.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Set
from typing import NamedTuple

K1, B = 1.2, 0.75
EXACT = 24  # lengths up to which tantivy keeps them as they are; of longer ones four binary digits


class Weights(NamedTuple):
    """What scores depend on beside the row itself: of an index, or of an index and more rows."""

    rows: int  # of an index also those that were removed and not merged away yet, as in ``counts``
    length: float  # of a row in terms, on average; 0 when it is not known
    counts: dict[str, int]  # of the rows that have a term

    def rarity(self, term: str) -> float:
        """The inverse document frequency."""
        count = self.counts.get(term, 0)
        return math.log(1 + (self.rows - count + 0.5) / (count + 0.5))


class Rest:
    """Rows (key, terms of the text), looked through for ``terms``."""

    def __init__(self, rows: Iterable[tuple[int, list[str]]], terms: list[str]) -> None:
        self.terms = terms
        self._found: list[tuple[int, Counter[str], int]] = []
        wanted, counts, total, length = set(terms), Counter[str](), 0, 0
        for key, tokens in rows:
            total += 1
            length += len(tokens)
            often = Counter(token for token in tokens if token in wanted)
            if often:
                self._found.append((key, often, kept_length(len(tokens))))
                counts.update(often.keys())
        self._own = Weights(total, length / total if total else 0, counts)

    def with_index(self, index: Weights) -> Weights:
        """The weights as they will be when these rows are in the index too."""
        own = self._own
        counts = {term: own.counts[term] + index.counts.get(term, 0) for term in self.terms}
        rows, length = own.rows + index.rows, own.length
        if index.length:
            length = (own.rows * own.length + index.rows * index.length) / rows
        return Weights(rows, length, counts)

    def best(
        self, limit: int, weights: Weights | None = None, allowed: Set[int] | None = None
    ) -> list[tuple[int, float]]:
        """(key, score), best first, of the rows that have any of the terms; by the rows' own
        weights when none are given. ``allowed`` restricts the keys."""
        weights = weights or self._own
        rarities = {term: weights.rarity(term) for term in self.terms}
        scored = (
            (key, _score(rarities, often, size / weights.length))
            for key, often, size in self._found
            if allowed is None or key in allowed
        )
        return heapq.nsmallest(limit, scored, key=lambda hit: (-hit[1], hit[0]))


def _score(rarities: dict[str, float], often: Counter[str], length: float) -> float:
    """``length``: as a share of the average."""
    norm = K1 * (1 - B + B * length)
    return sum(rarities[term] * (K1 + 1) * n / (n + norm) for term, n in often.items())


def kept_length(length: int) -> int:
    """A length in terms as one byte keeps it in the index (Lucene's SmallFloat)."""
    over = length - EXACT
    if over < 0:
        return length
    shift = max(0, over.bit_length() - 4)
    return EXACT + (over >> shift << shift)
