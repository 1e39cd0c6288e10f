"""Where plugins have their say in a stage. Without any, nothing is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.policy.admission import quarantine
from thalamus.records import Document, Evidence, Memory, Reflection, Turn, Verdict

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.memory.write import Storable


def before_write(
    records: Sequence[Storable], context: Context
) -> tuple[list[Storable], dict[int, Verdict]]:
    """The records as plugins want them; by ``id()`` the verdict on single memories that one
    refused. Those that a reflection brings go over to what it refused."""
    plugins = context.plugins
    if plugins is None or not plugins.any:
        return list(records), {}
    refused: dict[int, Verdict] = {}
    changed: list[Storable] = []
    for record in records:
        if isinstance(record, Memory):
            found = plugins.before_write(record)
            if isinstance(found, Verdict) and found.decision == "quarantine":
                now = context.clock.stamp()
                changed.append(quarantine(record, found.rule, found.reason, now))
            elif isinstance(found, Verdict):
                refused[id(record)] = structs.replace(found, content="")
                changed.append(record)
            else:
                changed.append(found)
        elif isinstance(record, Reflection):
            changed.append(_reflection(record, context))
        elif isinstance(record, Turn) and record.reflection is not None:
            reflection = _reflection(record.reflection, context)
            changed.append(structs.replace(record, reflection=reflection))
        else:
            changed.append(record)
    return changed, refused


def _reflection(reflection: Reflection, context: Context) -> Reflection:
    kept: list[Memory] = []
    refused = list(reflection.refused)
    assert context.plugins is not None
    for memory in reflection.memories_to_store:
        found = context.plugins.before_write(memory)
        if isinstance(found, Verdict):
            refused.append(structs.replace(found, content=found.content or memory.content))
        else:
            kept.append(found)
    return structs.replace(reflection, memories_to_store=kept, refused=refused)


def after_retrieve(evidence: list[Evidence], context: Context) -> list[Evidence]:
    """What was recalled, as plugins want it."""
    plugins = context.plugins
    return plugins.after_retrieve(evidence) if plugins is not None and plugins.any else evidence


def after_turn(turn: Turn, context: Context) -> Turn:
    """Tells plugins that a turn is done, with a small record of it."""
    if context.plugins is None or not context.plugins.any:
        return turn
    context.plugins.on_task_complete(
        {
            "task": "turn",
            "id": turn.id,
            "session": turn.session,
            "user": turn.user,
            "stages": [step.stage for step in turn.trace],
            "stored": [verdict.id for verdict in turn.stored if verdict.decision == "add"],
            "issues": len(turn.issues),
        }
    )
    return with_plugin_issues(turn, context)


def after_ingest(document: Document, context: Context) -> Document:
    """Tells plugins that a document was read, or could not be."""
    if context.plugins is None or not context.plugins.any:
        return document
    names = ("id", "path", "status", "chunks")
    task = {name: getattr(document, name) for name in names}
    context.plugins.on_task_complete({"task": "ingest", **task})
    return structs.replace(document, issues=[*document.issues, *context.plugins.problems()])


def with_plugin_issues(turn: Turn, context: Context) -> Turn:
    """The turn with what plugins did wrong since it was asked last."""
    problems = context.plugins.problems() if context.plugins is not None else []
    return structs.replace(turn, issues=[*turn.issues, *problems]) if problems else turn
