"""Summaries of tasks: a goal that a turn takes out of the world state was reached, and leaves an
episodic memory of the turns that were about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.memory.hooks import after_task
from thalamus.memory.retention.summarize import (
    TURNS,
    Summarizer,
    admit_summary,
    save_summary,
    summarize_task,
)
from thalamus.memory.undo.batches import new_batch, note_created
from thalamus.records import Event, Issue, Memory, Turn
from thalamus.store import turns as turn_rows
from thalamus.store import world as world_rows
from thalamus.store.encrypted import is_hidden
from thalamus.text.analyzer import fold
from thalamus.text.statements import share_said
from thalamus.turn_run import TurnRun

if TYPE_CHECKING:
    from thalamus.store.base import Store

ABOUT = 0.5  # share of a goal's words in a turn that is about it
ACTION = "summarize"


def summarize_tasks(turn: Turn, run: TurnRun) -> list[Issue]:
    """Writes a summary for each goal that the turn reached, each undone by itself; returns what
    went wrong. A goal that was reached in the turn in which it was set leaves none. Raises the
    errors of writing."""
    store, issues = run.engine.store, []
    for goal in _reached(turn, store):
        turns = _turns_about(goal, turn, store)
        if len(turns) > 1:
            summarizer = Summarizer(run)
            memory = summarize_task(goal, turns, store, summarizer)
            issues += [*summarizer.issues, *_write(goal, memory, turns, run)]
    return issues


def _reached(turn: Turn, store: Store) -> list[str]:
    """Goals that the turn took out of the world state."""
    found = []
    for change in world_rows.changes_of_turn(store, turn.stored_id):
        if is_hidden(change) or change.before is None or change.after is None:
            continue
        found += [goal for goal in change.before.goals if goal not in change.after.goals]
    return found


def _turns_about(goal: str, last: Turn, store: Store) -> list[Turn]:
    """Turns of the same user and agent about a goal, from the one that set it to the last one."""
    first = _set_in(goal, last, store)
    key = store.key(Turn, first) if first is not None else None
    if key is None:
        return []
    turns = turn_rows.since(store, key, last.user, last.agent)
    ends = (first, last.id)
    return [
        turn
        for turn in turns
        if not is_hidden(turn)
        and (turn.id in ends or share_said(goal, f"{turn.message} {turn.answer or ''}") >= ABOUT)
    ][-TURNS:]


def _set_in(goal: str, last: Turn, store: Store) -> str | None:
    """Id of the turn that added a goal to the world state, the last one to do so."""
    for change in world_rows.changes(store, last.user):
        if is_hidden(change) or change.turn is None:
            continue
        for operation in change.operations:
            if operation.path == "goals" and operation.op != "remove":
                value = operation.value
                added = value if isinstance(value, list) else [value]
                if any(fold(str(text)) == fold(goal) for text in added):
                    return change.turn
    return None


def _write(goal: str, memory: Memory, turns: Sequence[Turn], run: TurnRun) -> list[Issue]:
    """Writes a summary through the gate, in a batch of its own, with links to its turns."""
    store, ids = run.engine.store, [turn.stored_id for turn in turns]
    draft, issues = admit_summary(memory, "a goal", run)
    if draft is None:
        return issues
    with store.writing() as writer:
        batch = new_batch(ACTION, writer, run.engine.clock, *(turn.id for turn in turns))
        kept = save_summary(draft, ids, writer, run.engine)
        note_created(writer, kept.stored_id, batch)
        data = {"batch": batch, "memory": kept.id, "turns": len(turns)}
        writer.add_event(Event(name="task_summarized", at=writer.now, turn=turns[-1].id, data=data))
    after_task(goal, kept, ids, run.engine)
    return issues
