"""The standing context of a user and an agent, read from the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.memory.recall.later_turns import with_later_words
from thalamus.memory.standing.core import core_memories, persona_for
from thalamus.memory.user.profile import profile
from thalamus.policy.persona import in_force
from thalamus.policy.profile import in_prompt
from thalamus.policy.standing_context import StandingContext, compose

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Turn


def standing_context(
    context: Context, user: str | None, agent: str | None, persona: str
) -> StandingContext:
    """The standing context of a user under a persona of the assistant: core memories within
    ``core_tokens`` and the profile within ``profile_tokens``. Empty without a store."""
    store, config = context.memory_store, context.config
    if store is None:
        return StandingContext()
    core = in_force(core_memories(store, user, agent, context.clock.stamp()), persona)
    lines = in_prompt(profile(context, user, agent)) if config.profile_tokens else []
    lines = with_later_words(lines, user, agent, context) if lines else lines
    return compose(core, config.core_tokens, lines)


def of_turn(turn: Turn, context: Context) -> StandingContext:
    """The standing context of a turn, read once for all its stages."""
    persona = persona_for(turn, context)
    about = (turn.id, turn.user, turn.agent, persona)
    if context.standing is None or context.standing[0] != about or turn.id is None:
        context.standing = about, standing_context(context, turn.user, turn.agent, persona)
    return context.standing[1]
