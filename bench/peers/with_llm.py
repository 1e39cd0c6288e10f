"""The ``llm`` command's embedding collections, through its Python API: vectors alone.

``llm similar`` wants an embedding model; a stub is registered as a plugin would, and the vectors
are looked up in it. What is timed is llm's own code: its table, its packing and its scan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import contender
from contender import Item

GIVEN: dict[str, list[float]] = {}


class Llm:
    """See ``contender.Contender``."""

    def __init__(self, folder: Path, dimension: int, verb: str) -> None:
        import llm
        import sqlite_utils

        class Stub(llm.EmbeddingModel):
            model_id = "bench"

            def embed_batch(self, items: Iterable[Any]) -> Iterator[list[float]]:
                return (GIVEN.pop(item) for item in items)

        self.db = sqlite_utils.Database(folder / "embeddings.db")
        self.db.conn.execute("PRAGMA synchronous = FULL")
        self.collection = llm.Collection("memory", self.db, model=Stub())

    def add(self, items: Sequence[Item]) -> None:
        GIVEN.update({item[1]: item[2].tolist() for item in items})
        self.collection.embed_multi([(item[0], item[1]) for item in items], store=True)

    def query(self, text: str, vector: Any) -> list[str]:
        found = self.collection.similar_by_vector(vector.tolist(), number=contender.K)
        return [entry.id for entry in found]

    def close(self) -> None:
        self.db.conn.close()


def main() -> None:
    contender.serve(Llm)
