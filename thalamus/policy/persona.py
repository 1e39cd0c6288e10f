"""The persona: who the assistant is, and how it should speak, as memories say it.

Such a memory is one sentence about the assistant, out of the user's own words. What takes its place
is said like any other change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thalamus.records import Memory

IDENTITY, MANNER = "assistant_identity", "persona"
PERSONA_TYPES = (IDENTITY, MANNER)
NAME_KEY = "persona"  # the key of ``metadata`` that holds the persona that a memory belongs to
FLAG = "persona_related"  # the key of ``metadata`` that is derived from the type


def is_persona(memory: Memory) -> bool:
    """Whether a memory says who the assistant is or how it should speak."""
    return memory.type in PERSONA_TYPES


def persona_of(metadata: Mapping[str, Any]) -> str | None:
    """The persona that a memory with this metadata belongs to; None for one of all personas."""
    name = metadata.get(NAME_KEY)
    return name if isinstance(name, str) and name else None


def applies(type: str | None, metadata: Mapping[str, Any], persona: str) -> bool:
    """Whether what has this type and metadata stands under a persona (empty: none is chosen)."""
    return type not in PERSONA_TYPES or persona_of(metadata) in (None, persona or None)


def with_marks(memory: Memory, persona: str = "") -> dict[str, Any]:
    """The metadata of a memory with what follows from its type: the flag, which a memory of
    another type loses, and the persona under which it was said if it names none."""
    metadata = memory.metadata
    if not is_persona(memory):
        return {k: v for k, v in metadata.items() if k != FLAG} if FLAG in metadata else metadata
    marks = {FLAG: True}
    if persona and NAME_KEY not in metadata:
        return {**metadata, NAME_KEY: persona, **marks}
    return {**metadata, **marks} if metadata.get(FLAG) is not True else metadata


def in_force(memories: Iterable[Memory], persona: str) -> list[Memory]:
    """Of core memories those that stand in the prompt under a persona: its own and those of no
    persona, but for who the assistant is, where its own say that."""
    there = [memory for memory in memories if applies(memory.type, memory.metadata, persona)]
    if not any(m.type == IDENTITY and persona_of(m.metadata) for m in there):
        return there
    return [m for m in there if m.type != IDENTITY or persona_of(m.metadata)]
