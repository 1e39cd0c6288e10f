"""The tables ``embedding`` and ``space``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.storage.protocol.values import Space, Vector
from thalamus.storage.relational.half_precision import widened

if TYPE_CHECKING:
    from thalamus.storage.relational.collection import RowReader

_MISSING = (
    "FROM entry WHERE live AND NOT EXISTS (SELECT 1 FROM embedding WHERE key = entry.key"
    " AND space = (SELECT id FROM space WHERE model = ?))"
    " AND NOT EXISTS (SELECT 1 FROM encrypted WHERE encrypted.kind = entry.record"
    " AND encrypted.id = entry.id)"
)
_LAST = (
    "SELECT model, vector, dimension, sentences FROM embedding JOIN space ON space.id = space"
    " WHERE embedding.key = (SELECT key FROM entry WHERE id = ?) ORDER BY n DESC LIMIT 1"
)


class Embeddings:
    """See ``storage.protocol.embeddings.Embeddings``."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def spaces(self) -> list[Space]:
        return [Space(*row) for row in self._rows.select("space", Space.__struct_fields__)]

    def of(self, ids: Iterable[str]) -> Mapping[str, Vector]:
        found = {}
        for id in ids:
            for row in self._rows.query(_LAST, (id,)):
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
        query = f"SELECT {columns} {_MISSING} AND key > ? ORDER BY key LIMIT ?"
        return [(row[0], row[1], row[2]) for row in self._rows.query(query, (model, after, limit))]

    def count_missing(self, model: str) -> int:
        return int(self._rows.query(f"SELECT count(*) {_MISSING}", (model,))[0][0])
