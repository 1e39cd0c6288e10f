"""chromadb's persistent client, vectors given. It has no ranked full text: vectors alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import contender
from contender import Item


class Chroma:
    """See ``contender.Contender``."""

    def __init__(self, folder: Path, dimension: int, verb: str) -> None:
        import chromadb
        from chromadb.config import Settings

        client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
        self.collection = client.get_or_create_collection(
            "memory", embedding_function=None, metadata={"hnsw:space": "cosine"}
        )

    def add(self, items: Sequence[Item]) -> None:
        self.collection.add(
            ids=[item[0] for item in items],
            documents=[item[1] for item in items],
            embeddings=[item[2].tolist() for item in items],
        )

    def query(self, text: str, vector: Any) -> list[str]:
        found = self.collection.query(query_embeddings=[vector.tolist()], n_results=contender.K)
        ids: list[str] = found["ids"][0]
        return ids

    def close(self) -> None:
        pass


def main() -> None:
    contender.serve(Chroma)
