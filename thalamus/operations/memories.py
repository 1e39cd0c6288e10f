"""Acts on one memory."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from thalamus.operations import Act
from thalamus.terminal.lines import changed_memory_line, verdict_line


class OfMemory(Struct, frozen=True):
    """The memory that an act is about."""

    id: Annotated[str, Meta(title="ID", description="The id of a memory, or a prefix of it.")]


CONFIRM = Act(OfMemory, lambda t, given: t.memories.confirm(given.id), changed_memory_line)
PIN = Act(OfMemory, lambda t, given: t.memories.pin(given.id), changed_memory_line)
UNPIN = Act(OfMemory, lambda t, given: t.memories.pin(given.id, False), changed_memory_line)
PROMOTE = Act(OfMemory, lambda t, given: t.memories.promote(given.id), changed_memory_line)
DEMOTE = Act(OfMemory, lambda t, given: t.memories.demote(given.id), changed_memory_line)
RELEASE = Act(OfMemory, lambda t, given: t.memories.release(given.id), verdict_line, ("embedder",))
REJECT = Act(OfMemory, lambda t, given: t.memories.reject(given.id), verdict_line)
