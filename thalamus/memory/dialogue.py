"""The dialogue of a prompt: one decision per turn about which earlier exchanges stand in it.

A conversation may go on for ever, a model's context does not: the oldest exchange that has no room
any more is left out, and can be recalled as the turn that it is. What is shown is decided before
anything is recalled, so that an exchange is either in the prompt or may be found as evidence;
`retrieve` puts the decision on the turn, and every later stage goes by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.memory.sessions import recent_turns
from thalamus.policy import prompt_budget
from thalamus.policy.timeline import moment
from thalamus.records import Dialogue, Turn

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Fact, Memory
    from thalamus.storage.protocol import Store


LEAST_RECENT = 4  # exchanges of the conversation that stages look at, whatever the prompt shows


def turns_before(turn: Turn, context: Context, store: Store) -> list[Turn]:
    """The last exchanges of the session before a turn, oldest first; read once in a turn."""
    about = (turn.id, turn.session or context.config.session, turn.user)
    if context.recent is None or context.recent[0] != about or turn.id is None:
        # one more, for the turn may be stored itself by now
        count = max(context.config.recent_messages, LEAST_RECENT) + 1
        found = recent_turns(store, about[1] or "", turn.user, count)
        since = stored_at(turn, context, store)
        earlier = [item for item in found if item.id != turn.id and not is_later(item, since)]
        context.recent = about, earlier[1 - count :]
    return context.recent[1]


def stored_at(turn: Turn, context: Context, store: Store) -> str | None:
    """The moment at which a turn was stored whose work is done later, when more is known; None for
    any other."""
    if not context.finishing:
        return None
    times: dict[str, str] = store.records(Turn).values("recorded_at", {"id": turn.id})
    return times.get(turn.id or "")


def is_later(one: Turn | Memory | Fact, since: str | None) -> bool:
    """Whether something was stored after a moment."""
    return bool(since and one.recorded_at) and moment(one.recorded_at or "") > moment(since or "")


def candidates(turn: Turn, context: Context, store: Store) -> list[Turn]:
    """The exchanges that would stand in the prompt if there were room for any number of tokens,
    oldest first."""
    before = turns_before(turn, context, store)
    return prompt_budget.newest_turns(before, context.config.recent_messages)


def decide(
    turn: Turn, context: Context, store: Store, room: int, most: int | None = None
) -> Dialogue:
    """Shown are the newest exchanges that fit into ``room`` tokens, of them the last ``most`` where
    there is such a limit; evicted those that do not fit, or are more than ``recent_messages``."""
    before = turns_before(turn, context, store)
    kept = prompt_budget.dialogue(before, context.config.recent_messages, max(0, room))
    shown = kept if most is None else kept[max(0, len(kept) - most) :]
    return Dialogue(
        shown=[item.id or "" for item in shown],
        evicted=[item.id or "" for item in before[: len(before) - len(kept)]],
    )


def shown(turn: Turn, context: Context, store: Store) -> list[Turn]:
    """The exchanges that stand in the prompt. Where nothing was decided, in another process, any of
    the last ones may have."""
    before = turns_before(turn, context, store)
    if turn.dialogue is UNSET:
        return before
    return [item for item in before if item.id in turn.dialogue.shown]
