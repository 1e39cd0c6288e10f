"""The standing context of a user and an agent, read from the store."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from thalamus.clock import days_later
from thalamus.errors import MODEL_ERRORS
from thalamus.memory.recall.dialogue import may_outgrow_window
from thalamus.memory.recall.later_turns import with_later_words
from thalamus.memory.standing.core import core_memories, persona_for
from thalamus.memory.user.profile import profile
from thalamus.policy.persona import in_force
from thalamus.policy.profile import in_prompt
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.retention import IDLE
from thalamus.policy.standing_context import StandingContext, compose
from thalamus.policy.timeline import moment
from thalamus.policy.window_budget import EARLIER_SHARE, UNKNOWN
from thalamus.records import Memory
from thalamus.store import memories
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.records import Turn
    from thalamus.turn_run import TurnRun

MOST_EARLIER = 8  # summaries looked at


def standing_context(
    run: TurnRun, user: str | None, agent: str | None, persona: str
) -> StandingContext:
    """The standing context of a user under a persona of the assistant: core memories within
    ``core_tokens`` and the profile within ``profile_tokens``. Empty without a store."""
    store, config = run.engine.memory_store, run.engine.config
    if store is None:
        return StandingContext()
    with store.reading():
        core = in_force(core_memories(store, user, agent, run.engine.clock.stamp()), persona)
        lines = in_prompt(profile(run, user, agent)) if config.profile_tokens else []
    lines = with_later_words(lines, user, agent, run) if lines else lines
    return compose(core, config.core_tokens, lines)


def of_turn(turn: Turn, run: TurnRun) -> StandingContext:
    """The standing context of a turn, read once for all its stages."""

    def read() -> StandingContext:
        found = standing_context(run, turn.user, turn.agent, persona_for(turn, run))
        return found.with_earlier(_earlier(turn, run))

    return run.once(("standing", turn.id), read)


def known_of_turn(turn: Turn, run: TurnRun) -> StandingContext | None:
    """The standing context of a turn if a stage has read it."""
    found: StandingContext | None = run.kept.get(("standing", turn.id))
    return found


def _earlier(turn: Turn, run: TurnRun) -> list[Memory]:
    """Summaries of the beginning of a turn's conversation, oldest first: the last of them that fit
    into their share of the window. A session that went on after a day is another conversation."""
    store, session = run.engine.memory_store, turn.session or run.engine.config.session
    if store is None:
        return []
    with suppress(*MODEL_ERRORS):
        if not may_outgrow_window(turn, run):  # then every exchange is in the prompt
            return []
    since = days_later(turn.created_at or run.engine.clock.stamp(), -IDLE)
    newest = memories.session_summaries(store, session, turn.user, turn.agent, MOST_EARLIER)
    room = int(_window(run.engine) * EARLIER_SHARE)
    found: list[Memory] = []
    for memory in newest:
        room -= estimate_tokens(memory.content)
        if room < 0 or is_hidden(memory) or moment(memory.created_at or "") < moment(since):
            break
        found.insert(0, memory)
    return found


def _window(engine: Engine) -> int:
    with suppress(*MODEL_ERRORS):
        return engine.models.chat("answer").context()
    return UNKNOWN
