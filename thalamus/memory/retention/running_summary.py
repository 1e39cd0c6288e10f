"""Running summary of a dialogue that outgrows the context window: what has left the prompt is
distilled, one stretch after the other. The turns stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.clock import days_later
from thalamus.memory.retention.summarize import (
    Summarizer,
    admit_summary,
    save_summary,
    summarize_turns,
)
from thalamus.memory.sessions import turns_to_sum_up
from thalamus.policy.prompt_budget import dialogue, dialogue_tokens
from thalamus.policy.retention import IDLE
from thalamus.policy.timeline import moment
from thalamus.policy.window_budget import DIALOGUE_SHARE, MOST_DIALOGUE
from thalamus.records import Event, Issue, Memory, Turn
from thalamus.turn_run import TurnRun

if TYPE_CHECKING:
    from thalamus.store.base import Store

MOST_TURNS = 200  # of a session that are looked at


def summarize_dialogue(turn: Turn, run: TurnRun) -> list[Issue]:
    """Adds what no longer has room in the prompt to the summary of a turn's session, if the
    dialogue since the last summary would take more than its share of the window, or has very many
    exchanges; returns what went wrong. Raises the model's errors, ``Cancelled``, and the errors of
    writing."""
    store, session, issues = run.engine.store, turn.session or "", []
    window = run.engine.models.chat("answer").context()
    turns = _running(turn, turns_to_sum_up(store, session, MOST_TURNS))
    if dialogue_tokens(turns) <= window * MOST_DIALOGUE and len(turns) < MOST_TURNS:
        return []
    room = int(window * DIALOGUE_SHARE)
    kept = len(dialogue(turns, run.engine.config.recent_messages, room))
    summarizer = Summarizer(run)
    for memory, ids in summarize_turns(turns[: len(turns) - kept], session, store, summarizer):
        issues += _write(memory, ids, store, run)
    return [*summarizer.issues, *issues]


def _running(turn: Turn, turns: Sequence[Turn]) -> list[Turn]:
    """Those of the turns that belong to the owner and the running conversation of the last one:
    what was said before a pause of a day was another one."""
    found: list[Turn] = []
    for one in reversed(turns):
        if (one.user, one.agent) != (turn.user, turn.agent):
            continue
        since = days_later((found[-1] if found else one).created_at or "", -IDLE)
        if moment(one.created_at or "") < moment(since):
            break
        found.append(one)
    return found[::-1]


def _write(memory: Memory, turns: Sequence[str], store: Store, run: TurnRun) -> list[Issue]:
    """Writes a part of the summary through the gate, with links to its turns, unless another
    process has summarized one of them meanwhile, or one is gone."""
    draft, issues = admit_summary(memory, "a dialogue", run)
    if draft is None:
        return issues
    with store.writing() as writer:
        unsummarized = turns_to_sum_up(writer, memory.session or "", 2 * MOST_TURNS)
        left = {one.stored_id for one in unsummarized}
        if not left.issuperset(turns):
            return []
        kept = save_summary(draft, turns, writer, run.engine)
        data = {"memory": kept.id, "turns": len(turns)}
        event = Event(name="dialogue_summarized", at=writer.now, session=memory.session, data=data)
        writer.add_event(event)
    return issues
