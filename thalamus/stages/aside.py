"""aside: a person decides about what was kept aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.policy.admit import released
from thalamus.records import Event, Memory, Verdict
from thalamus.stages.embed import embed

if TYPE_CHECKING:
    from thalamus.stages.context import Context
    from thalamus.storage.protocol import Store, Writer


def release(name: str, context: Context) -> Verdict:
    """Makes a quarantined memory active, with its embedding; without an embedder its words are
    found until `reindex --embed` makes one."""
    store, memory = _kept_aside(name, context)
    memory = released(memory)
    vectors, problem = embed([memory], context, store)
    if problem is not None:
        context.events.failed("release: embedding", problem)
    verdict = Verdict(decision="restore", rule="released", reason="released", id=name)
    vector = vectors.get(id(memory))
    with store.writing() as writer:
        writer.release(memory, vector)
        _log(verdict, writer, context)
    verdict.content = memory.content
    return verdict


def reject(name: str, context: Context) -> Verdict:
    """Takes a quarantined memory out of the store."""
    store, memory = _kept_aside(name, context)
    verdict = Verdict(decision="drop", rule="rejected", reason="dropped", id=name)
    with store.writing() as writer:
        writer.delete(name)
        _log(verdict, writer, context)
    verdict.content = memory.content
    return verdict


def _kept_aside(name: str, context: Context) -> tuple[Store, Memory]:
    store = context.open_store(True)
    assert store is not None
    memory = store.get(name)
    assert isinstance(memory, Memory)
    return store, memory


def _log(verdict: Verdict, writer: Writer, context: Context) -> None:
    names = ("id", "decision", "rule", "reason")
    data = {"decisions": [{name: getattr(verdict, name) for name in names}]}
    writer.add_event(Event(name="decided", at=context.clock.stamp(), data=data))
