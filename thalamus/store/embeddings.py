"""The tables ``embedding`` and ``space``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thalamus.store.tables import in_parts, placeholders
from thalamus.store.values import Space, Vector
from thalamus.text.half_precision import widened

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader


class Embeddings:
    """The embeddings of a store."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def spaces(self) -> list[Space]:
        """Embedding models with vectors in the store."""
        return [Space(*row) for row in self._rows.select("space", Space.__struct_fields__)]

    def of(self, ids: Iterable[str]) -> Mapping[str, Vector]:
        """Embeddings of entries, by id: with several models the one that was made last."""
        wanted = list(dict.fromkeys(ids))
        found = {}
        for part in in_parts(wanted):
            for id, model, stored, dimension, sentences in self._last(part):
                [data] = widened([stored], dimension)
                found[id] = Vector(model, data, bytes(sentences or b""))
        for id in wanted:
            cipher = None if id in found else self._rows.reading_cipher()
            vector = cipher.vector(id) if cipher is not None else None
            if vector is not None:
                found[id] = vector
        return found

    def _last(self, ids: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """(id, model, vector, dimension, sentence vectors) of entries, the newest vector of each
        last."""
        source = self._rows.source
        entries = f"SELECT key, id FROM {source('entry')} WHERE id IN ({placeholders(ids)})"
        by_key = {row[0]: row[1] for row in self._rows.query(entries, ids)}
        for keys in in_parts(list(by_key)):
            query = (
                f"SELECT embedding.key, model, vector, dimension, sentences"
                f" FROM {source('embedding')} JOIN {source('space')} ON space.id = space"
                f" WHERE embedding.key IN ({placeholders(keys)}) ORDER BY n"
            )
            for row in self._rows.query(query, keys):
                yield (by_key[row[0]], *tuple(row)[1:])

    def of_keys(self, keys: Sequence[int]) -> list[tuple[bytes, bytes | None]]:
        """Embeddings of entries as they are stored, with their sentence vectors, of any model."""
        found = self._rows.select("embedding", ("vector", "sentences"), {"key": tuple(keys)})
        return [(bytes(row[0]), row[1] and bytes(row[1])) for row in found]

    def missing(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
        """(key, text, text to be embedded by sentence) of entries without a vector of this model,
        oldest first; only those with a key larger than ``after``."""
        columns = "key, embed_text, coalesce(sentence_text, '')"
        query = f"SELECT {columns} {self._missing()} AND key > ? ORDER BY key LIMIT ?"
        return [(row[0], row[1], row[2]) for row in self._rows.query(query, (model, after, limit))]

    def count_missing(self, model: str) -> int:
        """Number of entries without a vector of this model."""
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
