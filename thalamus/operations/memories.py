"""Acts on one memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from thalamus.operations import Act
from thalamus.terminal.lines import changed_memory_line, verdict_line

if TYPE_CHECKING:
    from thalamus.records import Memory, Verdict


class OfMemory(Struct, frozen=True):
    """The memory that an act is about."""

    id: Annotated[str, Meta(title="ID", description="The id of a memory, or a prefix of it.")]


def _changed(memories: Sequence[Memory]) -> Iterable[str]:
    return map(changed_memory_line, memories)


def _decided(verdicts: Sequence[Verdict]) -> Iterable[str]:
    return map(verdict_line, verdicts)


CONFIRM = Act(OfMemory, lambda t, given: [t.memories.confirm(given.id)], _changed)
PIN = Act(OfMemory, lambda t, given: [t.memories.pin(given.id)], _changed)
UNPIN = Act(OfMemory, lambda t, given: [t.memories.pin(given.id, False)], _changed)
PROMOTE = Act(OfMemory, lambda t, given: [t.memories.promote(given.id)], _changed)
DEMOTE = Act(OfMemory, lambda t, given: [t.memories.demote(given.id)], _changed)
RELEASE = Act(OfMemory, lambda t, given: [t.memories.release(given.id)], _decided, ("embedder",))
REJECT = Act(OfMemory, lambda t, given: [t.memories.reject(given.id)], _decided)
