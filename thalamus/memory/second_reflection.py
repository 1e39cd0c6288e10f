"""The batch of a second reflection: the memories and facts that it retired and created, for
undo."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from thalamus.memory import facts as fact_changes
from thalamus.memory.batches import begin_batch, count_batches, note_created, retire
from thalamus.memory.fact_batches import note_retired, restore_retired
from thalamus.memory.insights import rest_on, restore_supported
from thalamus.records import Batch, Event, Fact, Memory, Reflection

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol.store import Store
    from thalamus.storage.protocol.values import Change
    from thalamus.storage.protocol.writer import Writer

ACTION = "reflect_again"
SECOND_REFLECTION = "reflected_again"  # event of a turn, with the ids of what was created from it


def begin_second_reflection(store: Store, context: Context) -> str:
    """Begins the batch; returns its id."""
    batch = Batch(
        id=context.clock.new_id(ACTION, str(count_batches(store))),
        at=context.clock.stamp(),
        action=ACTION,
    )
    with store.writing() as writer:
        begin_batch(writer, batch)
    return batch.id


def retire_derived(
    turn: str, memories: Sequence[Memory], batch: str, writer: Writer, zone: tzinfo
) -> list[str]:
    """Retires memories and the facts extracted from the same turn. Returns the ids retired."""
    retire(writer, [memory.id or "" for memory in memories], batch)
    derived = writer.links.sources(turn, "derived_from")
    found = [fact for fact in writer.facts.current(derived) if fact.quote]
    changes: list[Change] = []
    for fact in found:
        note_retired(fact.id or "", batch, writer)
        changes += fact_changes.retire(fact.id or "", writer) or []
    fact_changes.propagate(changes, writer, writer.now, zone)
    return [fact.id or "" for fact in found]


def restore_derived(
    memories: Sequence[Memory], facts: Sequence[str], batch: str, writer: Writer, zone: tzinfo
) -> None:
    """Restores the retired memories and facts of a turn that could not be reflected on a second
    time."""
    ids = [memory.id or "" for memory in memories]
    retired = {"id": ids, "batch": batch, "status": "retired"}
    writer.memories.update_where(retired, status="active", batch=None)
    restore_supported(writer, rest_on(writer, ids))
    changes = restore_retired(facts, batch, writer)
    fact_changes.propagate(changes, writer, writer.now, zone)


def record_created(reflection: Reflection, turn: str, batch: str, writer: Writer) -> int:
    """Records what a second reflection created from a turn, so that undoing the batch deletes it
    and the turn is not reflected on once more. Returns how many items that are."""
    records: list[Memory | Fact] = [*reflection.memories_to_store, *reflection.facts]
    created = [
        item.id
        for item in records
        if item.id and item.provenance is not None and item.provenance.turn == turn
    ]
    for id in dict.fromkeys(created):
        note_created(writer, id, batch)
    event = Event(
        name=SECOND_REFLECTION, at=writer.now, turn=turn, data={"batch": batch, "made": created}
    )
    writer.add_event(event)
    return len(created)
