"""Hooks for plugins. Without plugins they do nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.records import Document, Evidence, Memory, Turn, Verdict

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.memory.draft import Draft


def before_write(draft: Draft[Memory], engine: Engine) -> None:
    """Puts the memory on the draft as plugins changed it, or the verdict of one that refuses or
    quarantines it."""
    plugins = engine.plugins
    if plugins is None or not plugins.any:
        return
    found = plugins.before_write(draft.record)
    if isinstance(found, Verdict):
        draft.verdict = found
    elif found is not draft.record:
        draft.record = structs.replace(found)  # the plugin may hold on to its object


def after_retrieve(evidence: list[Evidence], engine: Engine) -> list[Evidence]:
    """Evidence after plugins have changed it."""
    plugins = engine.plugins
    return plugins.after_retrieve(evidence) if plugins is not None and plugins.any else evidence


def after_turn(turn: Turn, engine: Engine) -> Turn:
    """Informs plugins of a finished turn, with a short summary of it."""
    if engine.plugins is None or not engine.plugins.any:
        return turn
    engine.plugins.on_task_complete(
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
    return with_plugin_issues(turn, engine)


def after_task(goal: str, summary: Memory, turns: Sequence[str], engine: Engine) -> None:
    """Informs plugins of a goal that was reached, with the id of its summary."""
    if engine.plugins is None or not engine.plugins.any:
        return
    engine.plugins.on_task_complete(
        {
            "task": "goal",
            "id": summary.id,
            "user": summary.user,
            "agent": summary.agent,
            "goal": goal,
            "turns": list(turns),
        }
    )


def after_ingest(document: Document, engine: Engine) -> Document:
    """Informs plugins of a document that was read, or could not be read."""
    if engine.plugins is None or not engine.plugins.any:
        return document
    config = engine.config
    engine.plugins.on_task_complete(
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
    return structs.replace(document, issues=[*document.issues, *engine.plugins.problems()])


def with_plugin_issues(turn: Turn, engine: Engine) -> Turn:
    """The turn with the plugin problems since the last call."""
    problems = engine.plugins.problems() if engine.plugins is not None else []
    return structs.replace(turn, issues=[*turn.issues, *problems]) if problems else turn
