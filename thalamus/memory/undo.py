"""Undo of a batch: of a prune, an edit, or a change of a fact or of the world state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.clock import days_later
from thalamus.errors import NothingFound, UsageError
from thalamus.memory.batches import (
    batch_changes,
    batch_items,
    list_batches,
    resting_on,
    undo_batch,
)
from thalamus.memory.fact_batches import ACTIONS as FACT_ACTIONS
from thalamus.memory.fact_batches import undo_facts
from thalamus.memory.facts import propagate
from thalamus.memory.mark_stale import clear_marks
from thalamus.memory.quarantine import delete
from thalamus.memory.second_reflection import ACTION as AGAIN
from thalamus.memory.world import ACTION, operations_of, undo_change
from thalamus.records import Batch, Event, Memory

if TYPE_CHECKING:
    from datetime import tzinfo

    from thalamus.clock import Clock
    from thalamus.storage.protocol.store import Store
    from thalamus.storage.protocol.writer import Writer


def batches(store: Store, undo_days: float, undoable: bool = False) -> list[Batch]:
    """Batches, newest first; ``until`` is the time until which each can be undone."""
    found = list_batches(store, undoable)
    for batch in found:
        if batch.undone_at is None and batch.purged_at is None:
            batch.until = days_later(batch.at, undo_days)
        if undoable:
            batch.changes = batch_changes(store, batch.id)
    operations = operations_of(store, [batch.id for batch in found if batch.action == ACTION])
    for batch in found:
        batch.operations = operations.get(batch.id, [])
    return found


def undo(
    prefix: str | None, clock: Clock, store: Store, zone: tzinfo
) -> tuple[Batch, dict[str, int]]:
    """Undoes the last batch, or the one with this id prefix.

    Returns it with the number of memories or facts that were restored, changed and removed, or of
    operations on the world state. ``zone``: the user's time zone. Raises ``NothingFound``,
    ``StoreBusy``, and ``UsageError`` when a later batch rests on it.
    """
    with store.exclusive("prune"):
        batch = _find_batch(store, prefix)
        dependents = resting_on(store, batch.id)
        if dependents:
            raise UsageError(
                f"{dependents[0]} changed the result of {batch.id} again.",
                fix=f"Undo the later one first: `thalamus undo {dependents[0]}`.",
            )
        now = clock.stamp()
        batch.changes = batch_changes(store, batch.id)
        with store.writing() as writer:
            if batch.action == ACTION:
                batch.operations = operations_of(writer, [batch.id]).get(batch.id, [])
                counts = undo_change(writer, batch.id, now)
            elif batch.action in FACT_ACTIONS:
                counts = _undo_facts(batch, writer, now, zone)
            elif batch.action == AGAIN:
                counts = _undo_second_reflection(batch, writer, now, zone)
            else:
                counts = _undo_memories(batch, writer, now)
            data = {"batch": batch.id, "action": batch.action, **counts}
            writer.add_event(Event(name="undone", at=now, data=data))
    batch.undone_at = now
    return batch, counts


def _undo_facts(batch: Batch, writer: Writer, now: str, zone: tzinfo) -> dict[str, int]:
    counts, changes = undo_facts(batch.id, writer, now)
    propagate(changes, writer, now, zone)
    return counts


def _undo_second_reflection(batch: Batch, writer: Writer, now: str, zone: tzinfo) -> dict[str, int]:
    """Deletes what a second reflection created, and restores what it retired."""
    created = batch_items(writer, batch.id).created
    memories = writer.by_ids(Memory, created) if created else []
    removed = sum(delete(writer, memory.id or "") for memory in memories)
    counts = _undo_facts(batch, writer, now, zone)
    restored = undo_batch(writer, batch.id, now)["restored"]
    return {**counts, "removed": counts["removed"] + removed, "restored": restored}


def _undo_memories(batch: Batch, writer: Writer, now: str) -> dict[str, int]:
    items = batch_items(writer, batch.id)
    removed = sum(delete(writer, id) for id in items.created)
    counts = {"removed": removed, **undo_batch(writer, batch.id, now)}
    for id in items.changed if batch.action == "edit" else ():
        clear_marks(writer, id)
    return counts


def _find_batch(store: Store, prefix: str | None) -> Batch:
    found = list_batches(store, undoable=True)
    if prefix is None:
        if not found:
            raise NothingFound("a batch that can be undone")
        return found[0]
    matches = [batch for batch in found if batch.id == prefix] or [
        batch for batch in found if batch.id.startswith(prefix)
    ]
    if not matches:
        fix = "`thalamus undo --list` lists batches."
        raise NothingFound(f"a batch {prefix!r} that can be undone", fix=fix)
    if len(matches) > 1:
        names = ", ".join(batch.id for batch in matches)
        raise UsageError(f"Ambiguous batch id {prefix!r}: {names}.")
    return matches[0]
