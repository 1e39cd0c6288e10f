"""Cosines of entries found only by their words, and the store's average cosine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thalamus.store.connection import Cursor
from thalamus.store.tables import Tables, in_parts, placeholders
from thalamus.store.values import Similarities, Vector
from thalamus.text.half_precision import products
from thalamus.text.sentence_vectors import nearest

SAMPLE = 48  # vectors, evenly spaced over the store
LARGE = 5000  # vectors, above which the sample stays the same until they grow by a tenth


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
        with self._tables.together():
            spaces = self._space(vector.model)
            stored = self._column("vector", vector.model, keys)
            packed = self._column("sentences", vector.model, sentences)
        space = spaces.fetchone()
        if space is None or space["dimension"] * 4 != len(vector.data):
            return Similarities({}, 0.0)
        version = _version(space) if committed else None
        if self._sample is None or not committed or self._version != version:
            self._version = version
            self._sample = [stored for _, stored in _pairs([self._read_sample(space)])]
        rows, sample = _pairs(stored), products(self._sample, vector.data)
        found = products([stored for _, stored in rows], vector.data)
        return Similarities(
            dict(zip((key for key, _ in rows), found, strict=True)),
            sum(sample) / max(1, len(sample)),
            len(sample),
            nearest(vector.data, dict(_pairs(packed))),
        )

    def _space(self, model: str) -> Cursor:
        """Begins to read a model's space, with what identifies the rows in it."""
        meta, space = self._tables.source("meta"), self._tables.source("space")
        query = (
            "SELECT id, dimension, count, last,"
            f" (SELECT value FROM {meta} WHERE name = 'store') AS store,"
            f" (SELECT value FROM {meta} WHERE name = 'epoch') AS epoch"
            f" FROM {space} WHERE model = ?"
        )
        return self._tables.connection.execute(query, (model,))

    def _read_sample(self, space: Any) -> Cursor:
        """Reads (key, vector) of some rows of a space."""
        numbers, embedding = _sampled(space["last"]), self._tables.source("embedding")
        among = f"n IN ({placeholders(numbers)}) AND +space = ?"
        query = f"SELECT key, vector FROM {embedding} WHERE {among}"
        return self._tables.connection.execute(query, (*numbers, space["id"]))

    def _column(self, column: str, model: str, keys: Sequence[int]) -> list[Cursor]:
        """Begins to read (key, value) of a column of a model's embeddings of these entries, where
        it is not null."""
        found = []
        space = f"(SELECT id FROM {self._tables.source('space')} WHERE model = ?)"
        for part in in_parts(keys):
            among = f"space = {space} AND key IN ({placeholders(part)})"
            embedding = self._tables.source("embedding")
            query = f"SELECT key, {column} FROM {embedding} WHERE {among} AND {column} IS NOT NULL"
            found.append(self._tables.connection.execute(query, (model, *part)))
        return found


def _pairs(cursors: Sequence[Cursor]) -> list[tuple[int, bytes]]:
    return [(row[0], bytes(row[1])) for cursor in cursors for row in cursor.fetchall()]


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
