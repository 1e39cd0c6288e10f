"""Batches of facts that were ended, retracted or corrected by hand, so that this can be undone.

For each changed fact a batch keeps the state to restore: not retired, or the recorded end with the
time at which it had been recorded before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from thalamus.memory import fact_history
from thalamus.memory.batches import begin_batch, close_undone, count_batches, note_created
from thalamus.memory.entities import resolve
from thalamus.memory.insights import mark_unsupported, rest_on, restore_supported
from thalamus.memory.intervals import groups_of
from thalamus.records import Batch, Note
from thalamus.storage.protocol.batches import BatchItem

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol.values import Change
    from thalamus.storage.protocol.writer import Writer

ACTIONS = ("end", "retract", "correct")


class _Before(Struct, frozen=True, omit_defaults=True):
    """The previous state of a fact: an ``end`` was recorded, which was also recorded at ``known``;
    without an end the fact was retired."""

    end: str | None = None
    known: str | None = None


def begin_end(id: str, at: str, writer: Writer, context: Context) -> None:
    """Begins a batch in which a fact ends. Call it before the end is recorded."""
    notes = writer.facts.notes(writer.facts.key(id) or 0)
    known = [note.recorded_at for _, note in notes if (note.kind, note.at) == ("end", at)]
    _begin("end", id, _Before(end=at, known=known[0] if known else None), writer, context)


def begin_retraction(id: str, writer: Writer, context: Context) -> None:
    """Begins a batch in which a fact is retired."""
    _begin("retract", id, _Before(), writer, context)


def begin_correction(id: str, new: str, writer: Writer, context: Context) -> None:
    """Begins a batch in which a fact is retired, and a new one replaces it."""
    note_created(writer, new, _begin("correct", id, _Before(), writer, context))


def note_retired(id: str, batch: str, writer: Writer) -> None:
    """Records in a batch that a fact is retired. Call it before that happens."""
    _note(batch, id, _Before(), writer)


def restore_retired(ids: Sequence[str], batch: str, writer: Writer) -> list[Change]:
    """Restores facts that a batch retired, and removes them from it. Returns the changed
    intervals."""
    groups = groups_of(writer, ids)
    for id in ids:
        _restore(id, _Before(), writer)
        writer.batches.delete_item(batch, id)
    return resolve(writer, groups)


def undo_facts(batch: str, writer: Writer, at: str) -> tuple[dict[str, int], list[Change]]:
    """Undoes a batch. Returns how many facts were removed and changed, and the changed
    intervals."""
    items = writer.batches.items(batch)
    groups = groups_of(writer, [item.id for item in items])
    counts = {"removed": 0, "changed": 0}
    for item in items:
        if item.before is None:
            mark_unsupported(writer, rest_on(writer, [item.id]))
            counts["removed"] += writer.remove(item.id)
        else:
            before = msgspec.json.decode(item.before, type=_Before)
            counts["changed"] += _restore(item.id, before, writer)
    changes = resolve(writer, groups)
    changed = [item.id for item in items if item.before is not None]
    restore_supported(writer, rest_on(writer, changed))
    close_undone(writer, batch, at)
    return counts, changes


def _restore(id: str, before: _Before, writer: Writer) -> bool:
    if before.end is None:
        return writer.facts.update(id, retired_at=None) > 0
    key = writer.facts.key(id)
    if key is None:
        return False
    writer.facts.delete_note(key, "end", before.end)
    if before.known is not None:
        note = Note(kind="end", at=before.end, recorded_at=before.known)
        fact_history.add_note(writer, key, note)
    return True


def _begin(action: str, id: str, before: _Before, writer: Writer, context: Context) -> str:
    name = context.clock.new_id(action, id, str(count_batches(writer)))
    begin_batch(writer, Batch(id=name, at=context.clock.stamp(), action=action))
    _note(name, id, before, writer)
    return name


def _note(batch: str, id: str, before: _Before, writer: Writer) -> None:
    writer.batches.add_item(BatchItem(batch, id, msgspec.json.encode(before).decode()))
