"""The tables ``embedding`` and ``space``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from thalamus.records.kinds import numbered
from thalamus.store.tables import AMONG
from thalamus.store.values import Space, Vector
from thalamus.text.half_precision import widened

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

SPACES = "SELECT model, dimension, count FROM space"
# the index of embeddings begins with their space
OF_KEYS = """
SELECT embedding.key, model, vector, dimension, sentences
FROM embedding JOIN space ON space.id = embedding.space
WHERE embedding.space IN (SELECT id FROM space)
AND embedding.key IN (SELECT value FROM json_each(?)) ORDER BY n"""
# without an embedding of a model; those of encrypted entries are encrypted with them
MISSING = """
FROM entry WHERE live
AND NOT EXISTS (SELECT 1 FROM embedding WHERE key = entry.key
    AND space = (SELECT id FROM space WHERE model = ?))
AND NOT EXISTS (SELECT 1 FROM encrypted WHERE kind = entry.record AND id = entry.id)"""
NEXT_MISSING = f"""
SELECT key, embed_text, coalesce(sentence_text, '') {MISSING} AND key > ? ORDER BY key LIMIT ?"""
COUNT_MISSING = f"SELECT count(*) {MISSING}"


def spaces(reader: Reader) -> list[Space]:
    """Embedding models with vectors in the store."""
    return [Space(*row) for row in reader.fetch(SPACES)]


def of(reader: Reader, ids: Iterable[str]) -> Mapping[str, Vector]:
    """Embeddings of entries, by id: with several models the one that was made last."""
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        return {}
    # of each table: in the view ``entry`` SQLite looks up no list of ids by an index
    tables = [kind.name for kind in numbered()]
    keys = " UNION ALL ".join(f"SELECT key, id FROM {table} WHERE id {AMONG}" for table in tables)
    by_key = {row[0]: row[1] for row in reader.fetch(keys, *[wanted] * len(tables))}
    found = {}
    last = reader.fetch(OF_KEYS, [*by_key]) if by_key else []
    for key, model, stored, dimension, sentences in last:
        [data] = widened([stored], dimension)
        found[by_key[key]] = Vector(model, data, bytes(sentences or b""))
    for id in wanted:
        cipher = None if id in found else reader.reading_cipher()
        vector = cipher.vector(id) if cipher is not None else None
        if vector is not None:
            found[id] = vector
    return found


def of_keys(reader: Reader, keys: Collection[int]) -> list[tuple[bytes, bytes | None]]:
    """Embeddings of entries as they are stored, with their sentence vectors, of any model."""
    found = reader.fetch(OF_KEYS, keys) if keys else []
    return [(bytes(row["vector"]), row["sentences"] and bytes(row["sentences"])) for row in found]


def missing(reader: Reader, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
    """(key, text, text to be embedded by sentence) of entries without a vector of this model,
    oldest first; only those with a key larger than ``after``."""
    return [(row[0], row[1], row[2]) for row in reader.fetch(NEXT_MISSING, model, after, limit)]


def count_missing(reader: Reader, model: str) -> int:
    """Number of entries without a vector of this model."""
    return int(reader.fetch(COUNT_MISSING, model)[0][0])
