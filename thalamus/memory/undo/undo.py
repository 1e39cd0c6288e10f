"""Undo of a change: of memories, facts, insights or the world state, or of a turn.

A change is a batch, which keeps the states before it, or a turn, whose ledger entries say what was
stored because of it. ``_HOW`` has the function that takes each back, by its action.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.clock import days_later
from thalamus.errors import NothingFound, NothingMatches, UsageError
from thalamus.memory.resolve_id import reachable, resolve_to_delete
from thalamus.memory.undo.batches import batch_changes, list_batches
from thalamus.memory.undo.restore import effects_of_batch, restore, restore_turn
from thalamus.memory.user import world
from thalamus.records import Event, Turn, Verdict
from thalamus.records.reports import Batch
from thalamus.store import batches as batch_rows
from thalamus.store import ledger
from thalamus.store import world as world_rows

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

TURN = "turn"  # action of a change that is a turn


class Undone(Struct):
    """A change that was undone, with the numbers of records removed, changed back and restored, or
    of operations on the world state; for a turn the ``verdicts`` on what was deleted, the turn
    first, and on what holds again."""

    change: Batch
    counts: dict[str, int]
    verdicts: list[Verdict] = []

    @property
    def event(self) -> Event:
        """The ledger entry."""
        change = self.change
        turn = change.id if change.action == TURN else None
        named = {"batch": change.id} if turn is None else {}
        data = {**named, "action": change.action, **self.counts}
        return Event(name="undone", at=change.undone_at or "", turn=turn, data=data)

    @property
    def records(self) -> Sequence[Event | Verdict]:
        """The records that `undo --json` prints."""
        return self.verdicts or [self.event]


def undo(id: str | None, run: TurnRun) -> Undone:
    """Undoes the batch or the turn with this id or prefix, or else the last batch.

    Raises ``NothingFound``, ``StoreBusy``, ``StoreFull``, and ``UsageError`` when a later change
    rests on it.
    """
    store = run.engine.store
    turn = _find_turn(id, store) if id is not None else None
    if turn is not None:
        return _take_back(turn, store, run)
    with store.exclusive("prune"):  # which deletes what a batch retired in several transactions
        return _take_back(_find_batch(id, store), store, run)


def _take_back(change: Batch, store: Store, run: TurnRun) -> Undone:
    """Undoes a change in one transaction, and records that in the ledger."""
    with store.writing() as writer:
        if dependents := batch_rows.later(writer, change.id):
            raise UsageError(
                f"{dependents[0]} changed the result of {change.id} again.",
                fix=f"Undo the later one first: `thalamus undo {dependents[0]}`.",
            )
        undone = _HOW.get(change.action, _undo_batch)(change, writer, store, run)
        change.undone_at = writer.now
        writer.add_event(undone.event)
    return undone


def batches(store: Store, undo_days: float, undoable: bool = False) -> list[Batch]:
    """Batches, newest first; ``until`` is the time until which each can be undone."""
    found = list_batches(store, undoable)
    for batch in found:
        if batch.undone_at is None and batch.purged_at is None:
            batch.until = days_later(batch.at, undo_days)
        if undoable:
            batch.changes = batch_changes(store, batch.id)
    of_world = [batch.id for batch in found if batch.action == world.ACTION]
    operations = world.operations_of(store, of_world)
    for batch in found:
        batch.operations = operations.get(batch.id, [])
    return found


def _find_batch(id: str | None, store: Store) -> Batch:
    """The last batch that can be undone, or the one with this id or prefix."""
    found = list_batches(store, undoable=True)
    if id is None:
        if not found:
            fix = (
                "`thalamus undo --turn last` undoes the last turn, with what was stored of it;"
                " `thalamus forget ID` deletes a document, `thalamus sources remove` a source."
            )
            raise NothingMatches("There is nothing to undo.", fix=fix)
        return found[0]
    matches = [batch for batch in found if batch.id == id]
    matches = matches or [batch for batch in found if batch.id.startswith(id)]
    if not matches:
        fix = "`thalamus undo --list` lists batches, `thalamus trace --last 10` turns."
        raise NothingFound(f"a change {id!r} that can be undone", fix=fix)
    if len(matches) > 1:
        names = ", ".join(batch.id for batch in matches)
        raise UsageError(f"Ambiguous batch id {id!r}: {names}.")
    return matches[0]


def _find_turn(id: str, store: Store) -> Batch | None:
    """The turn with this id or prefix, as a change; None if it is not a turn's."""
    if not any(isinstance(reachable(store, found), Turn) for found in store.complete_id(id)):
        return None
    turn = store.get(resolve_to_delete(store, id))
    if not isinstance(turn, Turn):
        return None
    return Batch(id=turn.stored_id, at=turn.recorded_at or "", action=TURN)


# -- ways to undo ----------------------------------------------------------------------------------


def _undo_batch(batch: Batch, writer: Writer, store: Store, run: TurnRun) -> Undone:
    """Restores the states that a batch keeps."""
    batch.changes = batch_changes(store, batch.id)
    restored = restore(effects_of_batch(batch.id, writer), writer, run.zone)
    batch_rows.mark_undone(writer, batch.id, writer.now)
    counts = {
        "removed": restored.removed,
        "changed": restored.changed,
        "restored": restored.restored,
    }
    return Undone(batch, counts)


def _undo_world(batch: Batch, writer: Writer, store: Store, run: TurnRun) -> Undone:
    """Restores the world state before a change of it, which has both states."""
    [change] = world_rows.changes_of_batches(writer, [batch.id])
    batch.operations = change.operations
    return Undone(batch, world.undo_change(writer, change, writer.now))


def _undo_turn(change: Batch, writer: Writer, store: Store, run: TurnRun) -> Undone:
    """Deletes a turn, and restores what the decisions in its ledger entries changed."""
    events = ledger.of_turn(store, change.id)
    counts, verdicts = restore_turn(change.id, events, writer, run.zone)
    return Undone(change, counts, verdicts)


_HOW: dict[str, Callable[[Batch, Writer, Store, TurnRun], Undone]] = {
    TURN: _undo_turn,
    world.ACTION: _undo_world,
}
