"""Properties that a fuller version of a memory inherits from the one it replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.records import IMPORTANCES

if TYPE_CHECKING:
    from thalamus.records import Memory


def merged(memory: Memory, old: Memory) -> Memory:
    """The new memory with the old one's strength and other properties that only the old one has."""
    later = max(filter(None, (memory.seen_at, old.seen_at, memory.created_at)), default=None)
    kind = old.type if memory.type == "observation" else memory.type
    personal = "personal" in (memory.sensitivity, old.sensitivity)
    forever = memory.expires_at is None or old.expires_at is None
    core = old.scope == "core" and memory.trust >= 1
    return structs.replace(
        memory,
        type=kind,
        topic=memory.topic or old.topic,
        importance=max(memory.importance, old.importance, key=IMPORTANCES.index),
        scope="core" if core else memory.scope,
        sensitivity="personal" if personal else memory.sensitivity,
        expires_at=None if forever else max(memory.expires_at or "", old.expires_at or ""),
        salience=max(memory.salience or 0.0, old.salience or 0.0),
        strength=old.strength + 1.0,
        seen=old.seen + 1,
        seen_at=later,
        metadata={**old.metadata, **memory.metadata},
    )
