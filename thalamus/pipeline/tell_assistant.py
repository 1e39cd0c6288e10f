"""What the user writes about the assistant by hand, outside a conversation. No model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.errors import UsageError
from thalamus.memory.core_memories import core_memories
from thalamus.memory.draft import RecordProblem
from thalamus.memory.write import WriteOptions, write_records
from thalamus.policy.persona import IDENTITY, NAME_KEY, persona_of
from thalamus.records import Memory, Provenance

if TYPE_CHECKING:
    from thalamus.context import Context

EXAMPLE = "You are Gwen. Be brief."
LONGEST = 600  # characters: it stands in every prompt
BY_HAND = {"set_by": "hand"}


def tell_assistant(text: str, context: Context) -> list[Memory]:
    """Stores what a text says of the assistant as a core memory in the user's own words; returns it
    as it is kept. It takes the place of what was written by hand before under the same persona.

    Raises ``UsageError`` for a text without words or too long a one, and where there is no room in
    the core; then nothing is stored.
    """
    said = " ".join(text.split())
    if not any(map(str.isalpha, said)):
        fix = f"Say who it is and how it speaks, such as “{EXAMPLE}”"
        raise UsageError(f"{text!r} says nothing about the assistant.", fix=fix)
    if len(said) > LONGEST:
        problem = f"it has {len(said)} characters, at most {LONGEST}"
        raise UsageError(f"The text about the assistant is too long: {problem}.")
    old = _written_before(context)
    if old is not None and old.content == said:
        return [old]
    try:
        done = write_records([_memory(said, old, context)], context, WriteOptions(decide=True))
    except RecordProblem as problem:
        raise UsageError(str(problem)) from None
    return [one for one in done if isinstance(one, Memory)]


def _written_before(context: Context) -> Memory | None:
    """What was written by hand before, under the persona of the settings."""
    config = context.config
    opened = context.open_store(True)
    assert opened is not None
    user, agent = config.user or None, config.agent or None
    there = core_memories(opened, user, agent, context.clock.stamp())
    own = [one for one in there if one.metadata.get("set_by") == BY_HAND["set_by"]]
    return next((m for m in own if persona_of(m.metadata) == (config.persona or None)), None)


def _memory(said: str, old: Memory | None, context: Context) -> Memory:
    persona = {NAME_KEY: context.config.persona} if context.config.persona else {}
    return Memory(
        content=said,
        type=IDENTITY,
        topic="assistant",
        importance="high",
        scope="core",
        user=context.config.user or None,
        agent=context.config.agent or None,
        provenance=Provenance(quote=said),
        corrects=(old.id or "") if old is not None else UNSET,
        metadata={**BY_HAND, **persona},
    )
