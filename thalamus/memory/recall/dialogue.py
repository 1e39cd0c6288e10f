"""The dialogue of a prompt: one decision per turn about the earlier exchanges that it shows.

A conversation may grow without limit, a model's context does not: the oldest exchange that does not
fit is left out, and can be recalled as a stored turn. This is decided before retrieval, so that an
exchange is either in the prompt or available as evidence; `retrieve` puts the decision on the turn,
and every later stage uses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.memory.sessions import recent_turns
from thalamus.memory.standing.core import persona_for
from thalamus.policy import prompt_budget
from thalamus.policy.activities import is_activity
from thalamus.policy.follow_up import has_no_content, with_subject
from thalamus.policy.persona import persona_of
from thalamus.policy.prompt_budget import dialogue_tokens
from thalamus.policy.timeline import moment
from thalamus.policy.window_budget import MOST_DIALOGUE
from thalamus.records import Dialogue, Turn
from thalamus.store import turns as turn_rows

if TYPE_CHECKING:
    from thalamus.records import Fact, Memory
    from thalamus.turn_run import TurnRun


# exchanges of the conversation that stages read, whatever the prompt shows; also those searched for
# the subject of a message
LEAST_RECENT = 4


def turns_before(turn: Turn, run: TurnRun) -> list[Turn]:
    """The last exchanges of the session before a turn, with the same persona, oldest first; read
    once per turn."""
    return run.once(("turns before", turn.id), lambda: _turns_before(turn, run))


def _turns_before(turn: Turn, run: TurnRun) -> list[Turn]:
    config, persona = run.engine.config, persona_for(turn, run)
    # one more, because the turn itself may be stored already
    count = max(config.recent_messages, LEAST_RECENT) + 1
    found = recent_turns(run.engine.store, turn.session or config.session, turn.user, count)
    since = stored_at(turn, run)
    previous = [
        item
        for item in found
        if item.id != turn.id
        and not is_later(item, since)
        and not is_activity(item.metadata)  # of another agent: it can be recalled
        and (persona_of(item.metadata) or "") == persona
    ]
    return previous[1 - count :]


def question_of(turn: Turn, run: TurnRun) -> str:
    """The search query of a turn: its message, with the subject of the conversation if it names
    none."""
    if not has_no_content(turn.message):
        return turn.message
    recent = turns_before(turn, run)[-LEAST_RECENT:]
    return with_subject(turn.message, [item.message for item in reversed(recent)])


def stored_at(turn: Turn, run: TurnRun) -> str | None:
    """Time at which a turn was stored whose remaining stages run later, when more is known; None
    for any other."""
    if not run.finishing:
        return None
    return turn_rows.recorded_at(run.engine.store, turn.stored_id)


def is_later(one: Turn | Memory | Fact, since: str | None) -> bool:
    """True for a record stored after a moment."""
    return bool(since and one.recorded_at) and moment(one.recorded_at or "") > moment(since or "")


def candidates(turn: Turn, run: TurnRun) -> list[Turn]:
    """Exchanges that the prompt would show with unlimited room, oldest first."""
    before = turns_before(turn, run)
    return prompt_budget.newest_turns(before, run.engine.config.recent_messages)


def may_outgrow_window(turn: Turn, run: TurnRun) -> bool:
    """True if the exchanges of a turn's session may take more than their share of the window of a
    model that is shown them; no more than the last ones are read. Raises the model's errors."""
    if run.engine.memory_store is None or run.engine.small("answer"):
        return False
    before, window = turns_before(turn, run), run.engine.models.chat("answer").context()
    every = len(before) < max(run.engine.config.recent_messages, LEAST_RECENT)
    return not every or dialogue_tokens([*before, turn]) > window * MOST_DIALOGUE


def decide(turn: Turn, run: TurnRun, room: int, most: int | None = None) -> Dialogue:
    """Decides which exchanges are shown: the newest that fit into ``room`` tokens, at most
    ``most``. Those that do not fit or exceed ``recent_messages`` are evicted."""
    before = turns_before(turn, run)
    kept = prompt_budget.dialogue(before, run.engine.config.recent_messages, max(0, room))
    visible = kept if most is None else kept[max(0, len(kept) - most) :]
    return Dialogue(
        shown=[item.stored_id for item in visible],
        evicted=[item.stored_id for item in before[: len(before) - len(kept)]],
    )


def visible_turns(turn: Turn, run: TurnRun) -> list[Turn]:
    """Exchanges in the prompt. Without a decision (in another process) all of the last ones."""
    before = turns_before(turn, run)
    if turn.dialogue is UNSET:
        return before
    return [item for item in before if item.id in turn.dialogue.shown]
