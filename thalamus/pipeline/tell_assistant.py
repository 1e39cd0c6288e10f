"""What the user writes about the assistant by hand, outside a conversation. No model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.errors import UsageError
from thalamus.memory.core_memories import core_memories
from thalamus.memory.draft import RecordProblem
from thalamus.memory.write import WriteOptions, write_records
from thalamus.policy.persona_by_hand import LONGEST, told_by_hand
from thalamus.records import Memory, Provenance

if TYPE_CHECKING:
    from thalamus.context import Context

EXAMPLE = "You are Gwen. Be brief."


def tell_assistant(text: str, context: Context) -> list[Memory]:
    """Stores what a text says of the assistant as core memories in the user's own words; returns
    them as they are kept. A name, a role or a manner takes the place of the one before; what is
    there already is not stored again.

    Raises ``UsageError`` for a text without words or with too long a sentence, and where there is
    no room in the core; then nothing is stored.
    """
    config = context.config
    told = list(told_by_hand(text)) if any(map(str.isalpha, text)) else []
    if not told:
        fix = f"Say who it is and how it speaks, such as “{EXAMPLE}”"
        raise UsageError(f"{text!r} says nothing about the assistant.", fix=fix)
    for content, _, _ in told:
        if len(content) > LONGEST:
            problem = f"a sentence has {len(content)} characters, at most {LONGEST}"
            raise UsageError(f"The text about the assistant is too long: {problem}.")
    opened = context.open_store(True)
    assert opened is not None
    user, agent = config.user or None, config.agent or None
    there = core_memories(opened, user, agent, context.clock.stamp())
    known = {memory.content: memory for memory in there}
    new = [_memory(*one, context) for one in told if one[0] not in known]
    try:
        done = write_records(new, context, WriteOptions(decide=True)) if new else []
    except RecordProblem as problem:
        raise UsageError(str(problem)) from None
    kept = [known[content] for content, _, _ in told if content in known]
    return [*kept, *(one for one in done if isinstance(one, Memory))]


def _memory(content: str, type: str, said: str, context: Context) -> Memory:
    return Memory(
        content=content,
        type=type,
        topic="assistant",
        importance="high",
        scope="core",
        user=context.config.user or None,
        agent=context.config.agent or None,
        provenance=Provenance(quote=said),
        metadata={"persona": context.config.persona} if context.config.persona else {},
    )
