"""Acts on one memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct, structs

from thalamus.operations import OWNER, Act, Nothing
from thalamus.records import Quarantine
from thalamus.terminal.lines import changed_memory_line, memory_line, verdict_line

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Memory, Verdict


class OfMemory(Struct, frozen=True):
    """The memory that an act is about."""

    id: Annotated[str, Meta(title="ID", description="The id of a memory, or a prefix of it.")]


def _changed(memories: Sequence[Memory]) -> Iterable[str]:
    return map(changed_memory_line, memories)


def _decided(verdicts: Sequence[Verdict]) -> Iterable[str]:
    return map(verdict_line, verdicts)


def _proposals(thalamus: Thalamus, _: Nothing) -> list[Memory]:
    """The proposed memories, each with the present one's id, and its words as the reason."""
    return [
        structs.replace(
            memory,
            replaces=present.id,
            quarantine=Quarantine(rule="proposed", reason=f"instead of “{present.content}”"),
        )
        for memory, present in thalamus.memories.proposals()
    ]


def _what_next(memories: Sequence[Memory]) -> str:
    if not memories:
        return "No program proposes a change."
    return "`thalamus memory release ID` accepts one, `thalamus memory reject ID` deletes it."


CONFIRM = Act(OfMemory, lambda t, given: [t.memories.confirm(given.id)], _changed)
PIN = Act(OfMemory, lambda t, given: [t.memories.pin(given.id)], _changed)
UNPIN = Act(OfMemory, lambda t, given: [t.memories.pin(given.id, False)], _changed)
PROMOTE = Act(OfMemory, lambda t, given: [t.memories.promote(given.id)], _changed)
DEMOTE = Act(OfMemory, lambda t, given: [t.memories.demote(given.id)], _changed)
RELEASE = Act(OfMemory, lambda t, given: [t.memories.release(given.id)], _decided, ("embedder",))
REJECT = Act(OfMemory, lambda t, given: [t.memories.reject(given.id)], _decided)
PROPOSALS = Act(Nothing, _proposals, lambda found: map(memory_line, found), OWNER, _what_next)
