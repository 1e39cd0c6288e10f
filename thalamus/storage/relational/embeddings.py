"""The tables ``embedding`` and ``space``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.storage.protocol.values import Space, Vector
from thalamus.storage.relational.half_precision import widened

if TYPE_CHECKING:
    from thalamus.storage.relational.collection import RowReader


class Embeddings:
    """See ``storage.protocol.embeddings.Embeddings``."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def spaces(self) -> list[Space]:
        return [Space(*row) for row in self._rows.select("space", Space.__struct_fields__)]

    def of(self, ids: Iterable[str]) -> Mapping[str, Vector]:
        found = {}
        source = self._rows.source
        last = (
            f"SELECT model, vector, dimension, sentences FROM {source('embedding')}"
            f" JOIN {source('space')} ON space.id = space"
            f" WHERE embedding.key = (SELECT key FROM {source('entry')} WHERE id = ?)"
            " ORDER BY n DESC LIMIT 1"
        )
        for id in ids:
            for row in self._rows.query(last, (id,)):
                [data] = widened([row[1]], row[2])
                found[id] = Vector(row[0], data, bytes(row[3] or b""))
            cipher = None if id in found else self._rows.reading_cipher()
            vector = cipher.vector(id) if cipher is not None else None
            if vector is not None:
                found[id] = vector
        return found

    def of_keys(self, keys: Sequence[int]) -> list[tuple[bytes, bytes | None]]:
        found = self._rows.select("embedding", ("vector", "sentences"), {"key": tuple(keys)})
        return [(bytes(row[0]), row[1] and bytes(row[1])) for row in found]

    def missing(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
        columns = "key, embed_text, coalesce(sentence_text, '')"
        query = f"SELECT {columns} {self._missing()} AND key > ? ORDER BY key LIMIT ?"
        return [(row[0], row[1], row[2]) for row in self._rows.query(query, (model, after, limit))]

    def count_missing(self, model: str) -> int:
        return int(self._rows.query(f"SELECT count(*) {self._missing()}", (model,))[0][0])

    def _missing(self) -> str:
        """``FROM …``: entries without an embedding of a model."""
        source = self._rows.source
        return (
            f"FROM {source('entry')} WHERE live AND NOT EXISTS"
            f" (SELECT 1 FROM {source('embedding')} WHERE key = entry.key"
            f" AND space = (SELECT id FROM {source('space')} WHERE model = ?))"
            f" AND NOT EXISTS (SELECT 1 FROM {source('encrypted')}"
            " WHERE encrypted.kind = entry.record AND encrypted.id = entry.id)"
        )
