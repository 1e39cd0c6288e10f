"""mem0 as a plain memory: ``infer=False`` (no model extracts anything), its local qdrant store.

mem0 builds its model clients when it starts, so it is given a key that is never used; nothing is
sent anywhere. Its embedder is replaced by a look-up of the given vectors. Ids are mem0's own: ours
travel in the metadata.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import contender
from contender import Item

GIVEN: dict[str, list[float]] = {}
OWNER = "bench"


class Given:
    """What mem0 asks for the vector of a text."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return GIVEN[text]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[Any]:
        return [GIVEN[text] for text in texts]


class Mem0:
    """See ``contender.Contender``."""

    def __init__(self, folder: Path, dimension: int, verb: str) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder)}
        from mem0 import Memory

        store = {"path": str(folder / "qdrant"), "embedding_model_dims": dimension}
        unused = {"provider": "openai", "config": {"api_key": "unused"}}
        self.memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store | {"on_disk": True}},
                "embedder": unused,
                "llm": unused,
                "history_db_path": str(folder / "history.db"),
            }
        )
        self.memory.embedding_model = Given()

    def add(self, items: Sequence[Item]) -> None:
        for id, text, vector in items:
            GIVEN[text] = vector.tolist()
            self.memory.add(text, user_id=OWNER, metadata={"name": id}, infer=False)
            del GIVEN[text]

    def query(self, text: str, vector: Any) -> list[str]:
        GIVEN[text] = vector.tolist()
        found = self.memory.search(text, filters={"user_id": OWNER}, top_k=contender.K)
        return [hit["metadata"]["name"] for hit in found["results"]]

    def close(self) -> None:
        self.memory.vector_store.client.close()


def main() -> None:
    contender.serve(Mem0)
