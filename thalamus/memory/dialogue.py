"""The recent dialogue of a prompt, first in, first out: what no longer fits is kept as a memory.

A conversation may go on for ever, a model's context does not. The oldest exchange that has no room
any more leaves the prompt; what the user said in it is distilled into an episodic memory, once,
and is recalled like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.memory.embeddings import embed
from thalamus.memory.summarize import Summarizer
from thalamus.policy import prompt_budget, retention
from thalamus.policy.admission import with_limits
from thalamus.policy.grounding import only_asks
from thalamus.records import Event, Link, Memory, Provenance, Turn

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Store

SHORT = 240  # characters that need no distilling
MOST = 400  # characters of what is distilled


def dialogue_in_prompt(turn: Turn, context: Context, opened: Store, budget: int) -> list[Turn]:
    """The newest exchanges of the session that find room: within ``budget`` tokens, and with the
    message within ``dialogue_share`` of the model's context."""
    window = context.models.chat("answer").context()
    share = int(window * context.config.dialogue_share) - prompt_budget.estimate_tokens(
        turn.message
    )
    candidates = _candidates(turn, context, opened)
    return prompt_budget.dialogue(
        candidates, context.config.recent_messages, max(0, min(budget, share))
    )


def evict(turn: Turn, kept: Sequence[Turn], context: Context, opened: Store) -> list[str]:
    """Keeps what was said in the exchanges that lost their room as memories, each once; returns
    the ids of those exchanges. Raises ``StoreBusy``, ``StoreFull``."""
    staying = {item.id for item in kept}
    out = [item for item in _candidates(turn, context, opened) if item.id not in staying]
    known = opened.distilled([item.id or "" for item in out]) if out else set()
    new = [item for item in out if item.id not in known]
    if not new:
        return []
    condenser = Summarizer(context, context.config.enable_reflection)
    sealed = opened.sealed([item.id or "" for item in new])
    memories = [_distilled(item, condenser, context, item.id in sealed) for item in new]
    vectors, problem = embed(memories, context, opened)
    if problem is not None:
        context.events.failed("answer: embedding", problem)
    with opened.writing() as writer:
        # another process may have been faster
        known = opened.distilled([item.id or "" for item in new])
        for item, memory in zip(new, memories, strict=True):
            if item.id in known:
                continue
            writer.add_memory(with_limits(memory)[0], vectors.get(id(memory)))
            link = Link(source=memory.id or "", relation="derived_from", target=item.id or "")
            writer.add_link(link)
        ids = [item.id or "" for item in new]
        data = {"turns": ids, "memories": [memory.id for memory in memories]}
        event = Event(name="pushed_out", at=context.clock.stamp(), session=turn.session, data=data)
        writer.add_event(event)
    return ids


def _candidates(turn: Turn, context: Context, opened: Store) -> list[Turn]:
    """The exchanges that would stand in the prompt if there were room for any number of tokens."""
    count = context.config.recent_messages
    stored = opened.recent_turns(turn.session or "", turn.user, count)
    others = [item for item in stored if item.id != turn.id]
    return prompt_budget.newest_turns(others, count)


def _distilled(item: Turn, condenser: Summarizer, context: Context, sealed: bool) -> Memory:
    """What the user said, in few words: what the model answered may be made up, and the turn
    itself keeps it. What is made of a sealed exchange is personal."""
    text = " ".join(item.message.split())
    if len(text) > SHORT:
        text = condenser.condense([text], "what the user said", MOST)
    verb = "asked" if only_asks(item.message) else "said"
    return Memory(
        content=f"The user {verb}: {text}",
        id=context.clock.new_id("mem", "exchange", item.id),
        type="exchange",
        scope=retention.rule_for(context.rules(), "exchange").scope,
        importance="low",
        created_at=item.created_at,
        recorded_at=context.clock.stamp(),
        session=item.session,
        user=item.user,
        agent=item.agent,
        sensitivity="personal" if sealed else "normal",
        provenance=Provenance(turn=item.id, quote=item.message[:SHORT]),
    )
