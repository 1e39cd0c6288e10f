"""Cosines of entries found only by their words, and the store's average cosine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thalamus.store.tables import Tables
from thalamus.store.values import Similarities, Vector
from thalamus.text.half_precision import products
from thalamus.text.sentence_vectors import nearest

SAMPLE = 48  # vectors, evenly spaced over the store
LARGE = 5000  # vectors, above which the sample stays the same until they grow by a tenth
# the space of a model, with what identifies the rows in it
OF_MODEL = """
SELECT id, dimension, count, last,
    (SELECT value FROM meta WHERE name = 'store') AS store,
    (SELECT value FROM meta WHERE name = 'epoch') AS epoch
FROM space WHERE model = ?"""
VECTORS = """
SELECT key, vector FROM embedding
WHERE space = (SELECT id FROM space WHERE model = ?)
AND key IN (SELECT value FROM json_each(?))"""
SENTENCES = """
SELECT key, sentences FROM embedding
WHERE space = (SELECT id FROM space WHERE model = ?)
AND key IN (SELECT value FROM json_each(?)) AND sentences IS NOT NULL"""
SAMPLED = """
SELECT key, vector FROM embedding
WHERE n IN (SELECT value FROM json_each(?)) AND +space = ?"""


class StoreSimilarity:
    """Compares vectors with those of a store. Its sample is read again when it would consist of
    other rows, or when rows were removed."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._version: object = None  # of the sample
        self._sample: list[bytes] | None = None

    def similarities(
        self, vector: Vector, keys: Sequence[int], sentences: Sequence[int], *, committed: bool
    ) -> Similarities:
        """Cosine of each entry to ``vector``, the average cosine of a sample, and the cosine
        of the best sentence for the entries in ``sentences``. ``committed`` false: rows may be
        rolled back, and nothing is kept."""
        wanted = [(VECTORS, keys), (SENTENCES, sentences)]
        queries = [(query, vector.model, list(some)) for query, some in wanted if some]
        spaces, *found = self._tables.fetch_each((OF_MODEL, vector.model), *queries)
        space = spaces[0] if spaces else None
        stored = _pairs(found.pop(0)) if keys else []
        packed = _pairs(found.pop(0)) if sentences else []
        if space is None or space["dimension"] * 4 != len(vector.data):
            return Similarities({}, 0.0)
        version = _version(space) if committed else None
        if self._sample is None or not committed or self._version != version:
            self._version = version
            numbers = _sampled(space["last"])
            rows = _pairs(self._tables.fetch(SAMPLED, numbers, space["id"]))
            self._sample = [data for _, data in rows]
        sample = products(self._sample, vector.data)
        cosines = products([data for _, data in stored], vector.data)
        return Similarities(
            dict(zip((key for key, _ in stored), cosines, strict=True)),
            sum(sample) / max(1, len(sample)),
            len(sample),
            nearest(vector.data, dict(packed)),
        )


def _pairs(rows: Sequence[Any]) -> list[tuple[int, bytes]]:
    return [(row[0], bytes(row[1])) for row in rows]


def _version(space: Any) -> object:
    """Identity of the sample. Every embedding takes the next number and none is overwritten: while
    as many are missing as before, those with the same numbers are the same."""
    missing = space["last"] - space["count"]
    return space["store"], space["epoch"], space["id"], missing, _sampled(space["last"])


def _sampled(last: int) -> list[int]:
    """Numbers of the sampled vectors, of those up to ``last``. In a large store they are the same
    from one search to the next, because others would be read from all over the disk."""
    if last > LARGE:
        last -= last % 10 ** (len(str(last)) - 2)
    step = max(1, last // SAMPLE)
    return list(range(last, 0, -step))[:SAMPLE]
