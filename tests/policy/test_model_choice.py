"""Which model is recommended for a first conversation."""

from __future__ import annotations

import pytest

from thalamus.policy.model_size import chats, recommended
from thalamus.records.installation import Model

pytestmark = pytest.mark.storeless

GB = 1_000_000_000


def models(*found: tuple[str, float]) -> list[Model]:
    return [Model(name=name, kind="chat", size=int(size * GB)) for name, size in found]


@pytest.mark.parametrize(
    ("found", "memory", "best"),
    [
        ([], 16, None),
        ([("ollama:smollm2:135m", 0.1)], 16, "ollama:smollm2:135m"),
        ([("ollama:qwen3:0.6b", 0.5), ("ollama:qwen3:4b", 2.6)], 16, "ollama:qwen3:4b"),
        ([("ollama:qwen3:4b", 2.6), ("ollama:llama3:70b", 40)], 64, "ollama:qwen3:4b"),
        ([("ollama:qwen3:8b", 5.2), ("ollama:qwen3:1.7b", 1.4)], 8, "ollama:qwen3:1.7b"),
        ([("ollama:llama3:70b", 40), ("ollama:gemma3:27b", 17)], 64, "ollama:gemma3:27b"),
        ([("ollama:mine", 2.6), ("ollama:tiny", 0.2)], 16, "ollama:mine"),
        ([("ollama:qwen3:4b", 2.6), ("ollama:phi:4b", 2.6)], None, "ollama:qwen3:4b"),
        ([("ollama:nomic-embed-text:8b", 5), ("ollama:qwen3:1.7b", 1.4)], 16, "ollama:qwen3:1.7b"),
    ],
)
def test_recommended(found: list[tuple[str, float]], memory: int | None, best: str | None) -> None:
    chosen = recommended(models(*found), memory * GB if memory else None)
    assert (chosen.name if chosen else None) == best


@pytest.mark.parametrize("name", ["bge-m3", "nomic-embed-text", "mmproj-x.gguf", "qwen2.5-base"])
def test_what_does_not_chat(name: str) -> None:
    assert not chats(name) and chats("qwen3:4b") and chats("databaser:1b")
