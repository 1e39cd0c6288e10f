"""Hooks for plugins. Without plugins they do nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.records import Document, Evidence, Memory, Turn, Verdict

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.memory.draft import Draft


def before_write(draft: Draft[Memory], context: Context) -> None:
    """Puts the memory on the draft as plugins changed it, or the verdict of one that refuses or
    quarantines it."""
    plugins = context.plugins
    if plugins is None or not plugins.any:
        return
    found = plugins.before_write(draft.record)
    if isinstance(found, Verdict):
        draft.verdict = found
    elif found is not draft.record:
        draft.record = structs.replace(found)  # the plugin may hold on to its object


def after_retrieve(evidence: list[Evidence], context: Context) -> list[Evidence]:
    """Evidence after plugins have changed it."""
    plugins = context.plugins
    return plugins.after_retrieve(evidence) if plugins is not None and plugins.any else evidence


def after_turn(turn: Turn, context: Context) -> Turn:
    """Informs plugins of a finished turn, with a short summary of it."""
    if context.plugins is None or not context.plugins.any:
        return turn
    context.plugins.on_task_complete(
        {
            "task": "turn",
            "id": turn.id,
            "session": turn.session,
            "user": turn.user,
            "agent": turn.agent,
            "stages": [step.stage for step in turn.trace],
            "stored": [verdict.id for verdict in turn.stored if verdict.decision == "add"],
            "issues": len(turn.issues),
        }
    )
    return with_plugin_issues(turn, context)


def after_task(goal: str, summary: Memory, turns: Sequence[str], context: Context) -> None:
    """Informs plugins of a goal that was reached, with the id of its summary."""
    if context.plugins is None or not context.plugins.any:
        return
    context.plugins.on_task_complete(
        {
            "task": "goal",
            "id": summary.id,
            "user": summary.user,
            "agent": summary.agent,
            "goal": goal,
            "turns": list(turns),
        }
    )


def after_ingest(document: Document, context: Context) -> Document:
    """Informs plugins of a document that was read, or could not be read."""
    if context.plugins is None or not context.plugins.any:
        return document
    config = context.config
    context.plugins.on_task_complete(
        {
            "task": "ingest",
            "id": document.id,
            "user": config.user or None,
            "agent": config.agent or None,
            "path": document.path,
            "status": document.status,
            "chunks": document.chunks,
        }
    )
    return structs.replace(document, issues=[*document.issues, *context.plugins.problems()])


def with_plugin_issues(turn: Turn, context: Context) -> Turn:
    """The turn with the plugin problems since the last call."""
    problems = context.plugins.problems() if context.plugins is not None else []
    return structs.replace(turn, issues=[*turn.issues, *problems]) if problems else turn
