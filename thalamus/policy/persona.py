"""The persona: the assistant's identity and manner of speaking, as memories.

Such a memory is one sentence about the assistant in the user's own words. It is replaced like any
other memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from thalamus.names import normal_name

if TYPE_CHECKING:
    from thalamus.records import Memory

IDENTITY, MANNER = "assistant_identity", "persona"
PERSONA_TYPES = (IDENTITY, MANNER)
NAME_KEY = "persona"  # metadata key: the persona that a memory belongs to
FLAG = "persona_related"  # metadata key: set for these types


def is_persona(memory: Memory) -> bool:
    """True if a memory describes the assistant's identity or manner."""
    return memory.type in PERSONA_TYPES


def persona_of(metadata: Mapping[str, Any]) -> str | None:
    """The persona of a memory with this metadata; None if it applies to all personas."""
    name = metadata.get(NAME_KEY)
    return normal_name(name) or None if isinstance(name, str) else None


def applies(type: str | None, metadata: Mapping[str, Any], persona: str) -> bool:
    """True if a memory with this type and metadata applies to a persona (empty: none is chosen)."""
    return type not in PERSONA_TYPES or persona_of(metadata) in (None, persona or None)


def with_marks(memory: Memory, persona: str = "") -> dict[str, Any]:
    """Metadata of a memory with the values that follow from its type: the flag, which other types
    lose, and the current persona if it names none."""
    metadata = memory.metadata
    if not is_persona(memory):
        return {k: v for k, v in metadata.items() if k != FLAG} if FLAG in metadata else metadata
    marks = {FLAG: True}
    if persona and NAME_KEY not in metadata:
        return {**metadata, NAME_KEY: persona, **marks}
    return {**metadata, **marks} if metadata.get(FLAG) is not True else metadata


def in_force(memories: Iterable[Memory], persona: str) -> list[Memory]:
    """The core memories that apply to a persona: its own and general ones, except that its own
    identity replaces a general one."""
    applicable = [memory for memory in memories if applies(memory.type, memory.metadata, persona)]
    if not any(m.type == IDENTITY and persona_of(m.metadata) for m in applicable):
        return applicable
    return [m for m in applicable if m.type != IDENTITY or persona_of(m.metadata)]
