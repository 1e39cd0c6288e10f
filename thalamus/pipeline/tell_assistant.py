"""The assistant's identity as the user writes it by hand, outside a conversation. Calls no
model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.errors import RecordProblem, UsageError
from thalamus.memory.standing.core import core_memories
from thalamus.memory.write import WriteOptions, write_all
from thalamus.policy.persona import IDENTITY, NAME_KEY, persona_of
from thalamus.records import Memory, Provenance

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.turn_run import TurnRun

EXAMPLE = "You are Gwen. Be brief."
LONGEST = 600  # characters; it is part of every prompt
BY_HAND = {"set_by": "hand"}


def tell_assistant(text: str, run: TurnRun) -> list[Memory]:
    """Stores a text about the assistant as a core memory in the user's own words and returns it. It
    replaces an earlier one written by hand under the same persona.

    Raises ``UsageError`` if the text has no words or is too long, or if there is no room in the
    core; then nothing is stored.
    """
    content = " ".join(text.split())
    if not any(map(str.isalpha, content)):
        fix = f"Describe who it is and how it speaks, such as “{EXAMPLE}”"
        raise UsageError(f"{text!r} says nothing about the assistant.", fix=fix)
    if len(content) > LONGEST:
        problem = f"it has {len(content)} characters, at most {LONGEST}"
        raise UsageError(f"The text about the assistant is too long: {problem}.")
    old = _written_before(run.engine)
    if old is not None and old.content == content:
        return [old]
    try:
        memory = _memory(content, old, run.engine)
        written = write_all([memory], run, WriteOptions(decide=True))
    except RecordProblem as problem:
        raise UsageError(problem.problem) from None
    for verdict in written.refused.values():
        raise UsageError(f"It was not stored: {verdict.reason}.")
    return [one for one in written.records if isinstance(one, Memory)]


def _written_before(engine: Engine) -> Memory | None:
    """The memory written by hand earlier under the configured persona."""
    config = engine.config
    store = engine.create_store()
    user, agent = config.user or None, config.agent or None
    known = core_memories(store, user, agent, engine.clock.stamp())
    own = [one for one in known if one.metadata.get("set_by") == BY_HAND["set_by"]]
    return next((m for m in own if persona_of(m.metadata) == (config.persona or None)), None)


def _memory(content: str, old: Memory | None, engine: Engine) -> Memory:
    persona = {NAME_KEY: engine.config.persona} if engine.config.persona else {}
    return Memory(
        content=content,
        type=IDENTITY,
        topic="assistant",
        importance="high",
        scope="core",
        user=engine.config.user or None,
        agent=engine.config.agent or None,
        provenance=Provenance(quote=content),
        corrects=(old.stored_id) if old is not None else UNSET,
        metadata={**BY_HAND, **persona},
    )
