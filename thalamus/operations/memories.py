"""Acts on one memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct, structs

from thalamus.operations import OWNER, Act, Nothing
from thalamus.records import Quarantine
from thalamus.terminal.lines import changed_memory_line, memory_line, one_line, verdict_line

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
    """The proposed memories, each with the present one's id and its words as the reason; then those
    that may hold in all projects, each with those it was said in."""
    proposed = [
        structs.replace(
            memory,
            replaces=present.id,
            quarantine=Quarantine(rule="proposed", reason=f"instead of “{present.content}”"),
        )
        for memory, present in thalamus.memories.proposals()
    ]
    for memory, said_in in thalamus.memories.general():
        names = ", ".join(sorted(project.name for project in said_in))
        reason = Quarantine(rule="general", reason=f"said in {names}")
        proposed.append(structs.replace(memory, quarantine=reason))
    return proposed


def _proposal_line(memory: Memory) -> str:
    general = memory.quarantine is not None and memory.quarantine.rule == "general"
    reason = f"  ({one_line(memory.quarantine.reason)})" if general and memory.quarantine else ""
    return memory_line(memory) + reason


def _what_next(memories: Sequence[Memory]) -> str:
    rules = [memory.quarantine.rule for memory in memories if memory.quarantine is not None]
    if not rules:
        return "Nothing is proposed."
    advice = []
    if "proposed" in rules:
        advice.append("`thalamus memory release ID` accepts one, `memory reject ID` deletes it.")
    if "general" in rules:
        advice.append("`thalamus memory generalize ID` lets one hold in all projects.")
    return "\n".join(advice)


CONFIRM = Act(OfMemory, lambda t, given: [t.memories.confirm(given.id)], _changed)
PIN = Act(OfMemory, lambda t, given: [t.memories.pin(given.id)], _changed)
UNPIN = Act(OfMemory, lambda t, given: [t.memories.pin(given.id, False)], _changed)
PROMOTE = Act(OfMemory, lambda t, given: [t.memories.promote(given.id)], _changed)
DEMOTE = Act(OfMemory, lambda t, given: [t.memories.demote(given.id)], _changed)
RELEASE = Act(OfMemory, lambda t, given: [t.memories.release(given.id)], _decided, ("embedder",))
REJECT = Act(OfMemory, lambda t, given: [t.memories.reject(given.id)], _decided)
GENERALIZE = Act(OfMemory, lambda t, given: [t.memories.generalize(given.id)], _changed)
PROPOSALS = Act(Nothing, _proposals, lambda found: map(_proposal_line, found), OWNER, _what_next)
