"""Running summary of a dialogue that outgrows the context window: what has left the prompt is
distilled, one stretch after the other. The turns stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.context import Context, issue
from thalamus.memory.draft import Draft, save
from thalamus.memory.embeddings import embed
from thalamus.memory.retention.summarize import Summarizer, summarize_turns
from thalamus.memory.sessions import turns_to_sum_up
from thalamus.memory.write import admit_memories
from thalamus.policy.prompt_budget import dialogue, dialogue_tokens
from thalamus.policy.retention import rule_for
from thalamus.policy.window_budget import DIALOGUE_SHARE, MOST_DIALOGUE
from thalamus.records import Event, Issue, Link, Memory, Turn

if TYPE_CHECKING:
    from thalamus.storage.protocol.store import Store


def summarize_dialogue(turn: Turn, context: Context) -> list[Issue]:
    """Adds what no longer has room in the prompt to the summary of a turn's session, if the
    dialogue since the last summary would take more than its share of the window; returns what went
    wrong. Raises the model's errors, ``Cancelled``, and the errors of writing."""
    store, session, issues = context.store, turn.session or "", []
    window = context.models.chat("answer").context()
    owner = (turn.user, turn.agent)
    turns = [one for one in turns_to_sum_up(store, session) if (one.user, one.agent) == owner]
    if dialogue_tokens(turns) <= window * MOST_DIALOGUE:
        return []
    room = int(window * DIALOGUE_SHARE)
    kept = len(dialogue(turns, context.config.recent_messages, room))
    summarizer = Summarizer(context)
    for memory, ids in summarize_turns(turns[: len(turns) - kept], session, store, summarizer):
        issues += _write(memory, ids, store, context)
    return [*summarizer.issues, *issues]


def _write(memory: Memory, turns: Sequence[str], store: Store, context: Context) -> list[Issue]:
    """Writes a part of the summary through the gate, with links to its turns, unless another
    process has summarized one of them meanwhile, or one is gone."""
    memory.recorded_at = context.clock.stamp()
    memory.scope = rule_for(context.rules(), memory.type).scope
    [draft] = admit_memories([memory], context, machine_made=True)
    if draft.refused:
        return [_refusal(draft)]
    problem = embed([draft], context)
    with store.writing() as writer:
        left = {one.stored_id for one in turns_to_sum_up(writer, memory.session or "")}
        if not left.issuperset(turns):
            return []
        kept = save(draft, writer, context)
        for id in turns:
            writer.add(Link(source=kept.stored_id, relation="derived_from", target=id))
        data = {"memory": kept.id, "turns": len(turns)}
        event = Event(name="dialogue_summarized", at=writer.now, session=memory.session, data=data)
        writer.add_event(event)
    return [issue("embed", problem)] if problem is not None else []


def _refusal(draft: Draft[Memory]) -> Issue:
    reason = draft.verdict.reason if draft.verdict is not None else ""
    note = f"the summary of a dialogue was refused ({reason})"
    return Issue(stage="before_write", code="refused", message=note)
