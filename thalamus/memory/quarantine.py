"""Quarantine: releasing and rejecting memories, and quarantining those whose source is deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.memory import memories
from thalamus.memory.draft import Draft
from thalamus.memory.edit import edit
from thalamus.memory.embeddings import embed
from thalamus.memory.insights.lookup import mark_unsupported, rest_on
from thalamus.memory.mark_stale import resting_on, sources_of
from thalamus.memory.write import decision_entry
from thalamus.policy.admission import quarantine, released
from thalamus.policy.reconciliation import REASONS
from thalamus.records import Event, Memory, Verdict
from thalamus.store import links

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun


def release(memory: Memory, run: TurnRun) -> Verdict:
    """Makes a quarantined memory active, with its embedding; without an embedder it is found by its
    words until `store reindex --embed` makes one. One that is proposed in the place of another is
    accepted: that one is edited to say the same."""
    for _, present in proposals([memory], run.engine.store):
        return _accept(memory, present, run)
    memory = released(memory)
    draft = Draft(memory)
    problem = embed([draft], run)
    if problem is not None:
        run.failed("release: embedding", problem)
    verdict = Verdict(decision="restore", rule="released", reason="released", id=memory.id)
    with run.engine.store.writing() as writer:
        memories.release(writer, memory, draft.vector)
        _log(verdict, writer, run.engine)
    verdict.content = memory.content
    return verdict


def proposals(waiting: Sequence[Memory], reader: Reader) -> list[tuple[Memory, Memory]]:
    """Those quarantined memories that are proposed in the place of an active one, each with it."""
    ids = [memory.stored_id for memory in waiting]
    targets = {link.source: link.target for link in links.outgoing(reader, ids, "proposes")}
    present = {one.stored_id: one for one in reader.by_ids(Memory, targets.values())}
    pairs = [(memory, present.get(targets.get(memory.stored_id, ""))) for memory in waiting]
    return [(memory, one) for memory, one in pairs if one is not None and one.status == "active"]


def _accept(memory: Memory, present: Memory, run: TurnRun) -> Verdict:
    changed = edit(present, {"content": memory.content}, run)
    reason = f"accepted in the place of {present.id}"
    verdict = Verdict(decision="restore", rule="released", reason=reason, id=changed.id)
    with run.engine.store.writing() as writer:
        delete(writer, memory.stored_id)
        _log(verdict, writer, run.engine)
    verdict.content = changed.content
    return verdict


def reject(memory: Memory, run: TurnRun) -> Verdict:
    """Deletes a quarantined memory from the store."""
    verdict = Verdict(decision="drop", rule="rejected", reason="deleted", id=memory.id)
    with run.engine.store.writing() as writer:
        delete(writer, memory.stored_id)
        _log(verdict, writer, run.engine)
    verdict.content = memory.content
    return verdict


def delete(writer: Writer, id: str) -> bool:
    """Deletes a record; False when it is missing. Memories with no other source go into quarantine,
    insights that rest on it lose their support."""
    for other in _orphans(writer, id):
        found = memories.with_id(writer, other)
        if found is not None and found.status == "active":
            reason = REASONS["source_deleted"]
            quarantined = quarantine(found, "source_deleted", reason, writer.now)
            memories.put_in_quarantine(writer, quarantined)
    mark_unsupported(writer, rest_on(writer, [id]))
    return writer.remove(id)


def _orphans(writer: Writer, id: str) -> list[str]:
    """Ids of direct and indirect derivations that would have no source left without this one."""
    sources = {other: sources_of(writer, other) for other in resting_on(writer, [id])}
    deleted = {id}
    while more := [
        other
        for other, ids in sources.items()
        if other not in deleted and ids and deleted.issuperset(ids)
    ]:
        deleted.update(more)
    return sorted(deleted - {id})


def _log(verdict: Verdict, writer: Writer, engine: Engine) -> None:
    data = {"decisions": [decision_entry(verdict)]}
    writer.add_event(Event(name="decided", at=engine.clock.stamp(), data=data))
