"""The dialogue of a prompt: one decision per turn about which earlier exchanges stand in it.

A conversation may go on for ever, a model's context does not: the oldest exchange that has no room
any more is evicted (``memory.eviction``). What is shown is decided before anything is recalled, so
that an exchange is either in the prompt or may be found as evidence; `retrieve` puts the decision
on the turn, and every later stage goes by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.memory.sessions import recent_turns
from thalamus.memory.stale_at_retrieval import corrected_turns, ended_facts_of
from thalamus.policy import prompt_budget
from thalamus.policy.reply_faults import reply_fault
from thalamus.policy.timeline import moment
from thalamus.policy.staleness import Outdated, ended_reason, says_what_was_retracted
from thalamus.records import Dialogue

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Fact, Memory, Turn
    from thalamus.storage.protocol import Store


LEAST_RECENT = 4  # exchanges of the conversation that stages look at, whatever the prompt shows


def turns_before(turn: Turn, context: Context, store: Store) -> list[Turn]:
    """The last exchanges of the session before a turn, oldest first; read once in a turn."""
    about = (turn.id, turn.session or context.config.session, turn.user)
    if context.recent is None or context.recent[0] != about or turn.id is None:
        # one more, for the turn may be stored itself by now
        count = max(context.config.recent_messages, LEAST_RECENT) + 1
        found = recent_turns(store, about[1] or "", turn.user, count)
        earlier = [item for item in found if item.id != turn.id and not is_later(item, turn)]
        context.recent = about, earlier[1 - count :]
    return context.recent[1]


def is_later(one: Turn | Memory | Fact, turn: Turn) -> bool:
    """Whether something was stored after a turn that is stored itself, and whose work is done
    later."""
    if not (one.recorded_at and turn.recorded_at):
        return False
    return moment(one.recorded_at) > moment(turn.recorded_at)


def turn_before(turn: Turn, context: Context, store: Store) -> Turn | None:
    """What was said last in the conversation of a turn."""
    before = turns_before(turn, context, store)
    return before[-1] if before else None


def candidates(turn: Turn, context: Context, store: Store) -> list[Turn]:
    """The exchanges that would stand in the prompt if there were room for any number of tokens,
    oldest first."""
    before = turns_before(turn, context, store)
    return prompt_budget.newest_turns(before, context.config.recent_messages)


def decide(
    turn: Turn, context: Context, store: Store, room: int, most: int | None = None
) -> Dialogue:
    """Shown are the newest exchanges that fit into ``room`` tokens, of them the last ``most`` whose
    answer has no fault, and that say nothing that was corrected since, where there is such a limit;
    evicted those that do not fit, or are more than ``recent_messages``."""
    before = turns_before(turn, context, store)
    kept = prompt_budget.dialogue(before, context.config.recent_messages, max(0, room))
    shown = kept
    if most is not None:
        wrong = outdated_before(turn, kept, context, store).corrected
        sound = [
            item
            for item in kept
            if item.id not in wrong and not reply_fault(item.message, item.answer or "")
        ]
        shown = sound[-most:]
    return Dialogue(
        shown=[item.id or "" for item in shown],
        evicted=[item.id or "" for item in before[: len(before) - len(kept)]],
    )


def outdated_before(
    turn: Turn, exchanges: Sequence[Turn], context: Context, store: Store
) -> Outdated:
    """What of the exchanges before a turn no longer holds; worked out once in a turn."""
    about = (turn.id, *(item.id for item in exchanges))
    if context.outdated is None or context.outdated[0] != about or turn.id is None:
        context.outdated = about, outdated(exchanges, context, store)
    return context.outdated[1]


def outdated(exchanges: Sequence[Turn], context: Context, store: Store) -> Outdated:
    """What of these exchanges no longer holds by the facts that were taken from them."""
    ids = [item.id for item in exchanges if item.id]
    if not ids:
        return Outdated()
    facts = ended_facts_of(store, ids, context.clock.stamp())
    retracted = [fact for found in facts.values() for fact in found if fact.retired_at]
    corrected = {id for id, found in facts.items() if any(fact.retired_at for fact in found)}
    corrected |= {
        item.id for item in exchanges if item.id and says_what_was_retracted(item, retracted)
    }
    by_hand = corrected_turns(store, ids)
    corrected |= set(by_hand)
    reasons = dict(by_hand) | {
        id: "; ".join(ended_reason(fact, zone=context.zone) for fact in found)
        for id, found in facts.items()
    }
    return Outdated(frozenset(corrected), reasons)


def kept(turn: Turn, context: Context, store: Store) -> list[Turn]:
    """The exchanges that find room, those that a small model is not shown among them."""
    if turn.dialogue is UNSET:
        return []
    before = candidates(turn, context, store)
    return [item for item in before if item.id not in turn.dialogue.evicted]


def shown(turn: Turn, context: Context, store: Store) -> list[Turn]:
    """The exchanges that stand in the prompt. Where nothing was decided, in another process, any of
    the last ones may have."""
    before = turns_before(turn, context, store)
    if turn.dialogue is UNSET:
        return before
    return [item for item in before if item.id in turn.dialogue.shown]


def evicted(turn: Turn, context: Context, store: Store) -> list[Turn]:
    """The exchanges of the session that no longer found room in the prompt."""
    if turn.dialogue is UNSET or not turn.dialogue.evicted:
        return []
    before = turns_before(turn, context, store)
    return [item for item in before if item.id in turn.dialogue.evicted]
