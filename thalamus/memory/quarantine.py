"""aside: a person decides about what was kept aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.memory.embeddings import embed
from thalamus.memory.write import decision_entry
from thalamus.policy.admission import released
from thalamus.records import Event, Memory, Verdict

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Store, Writer


def release(memory: Memory, context: Context, opened: Store) -> Verdict:
    """Makes a quarantined memory active, with its embedding; without an embedder its words are
    found until `reindex --embed` makes one."""
    memory = released(memory)
    vectors, problem = embed([memory], context, opened)
    if problem is not None:
        context.events.failed("release: embedding", problem)
    verdict = Verdict(decision="restore", rule="released", reason="released", id=memory.id)
    vector = vectors.get(id(memory))
    with opened.writing() as writer:
        writer.release(memory, vector)
        _log(verdict, writer, context)
    verdict.content = memory.content
    return verdict


def reject(memory: Memory, context: Context, opened: Store) -> Verdict:
    """Takes a quarantined memory out of the store."""
    verdict = Verdict(decision="drop", rule="rejected", reason="dropped", id=memory.id)
    with opened.writing() as writer:
        writer.delete(memory.id or "")
        _log(verdict, writer, context)
    verdict.content = memory.content
    return verdict


def _log(verdict: Verdict, writer: Writer, context: Context) -> None:
    data = {"decisions": [decision_entry(verdict)]}
    writer.add_event(Event(name="decided", at=context.clock.stamp(), data=data))
