"""Batches of facts: that one was ended, retracted or corrected by hand, so that it can be undone.

Of each fact that was changed a batch keeps what is to be restored: that it was not retired, or the
end that was recorded, with when it had been recorded before.
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

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Change, Writer

ACTIONS = ("end", "retract", "correct")


class _Before(Struct, frozen=True, omit_defaults=True):
    """What was changed of a fact: an ``end`` was recorded, which had been recorded at ``known``
    already; without an end it was retired."""

    end: str | None = None
    known: str | None = None


def begin_end(id: str, at: str, writer: Writer, context: Context) -> None:
    """Begins a batch in which a fact ends. To be called before the end is recorded."""
    notes = {"fact": _key(id, writer), "kind": "end", "at": at}
    known = [row[0] for row in writer.select("fact_note", ("recorded_at",), notes)]
    _begin("end", id, _Before(end=at, known=known[0] if known else None), writer, context)


def begin_retraction(id: str, writer: Writer, context: Context) -> None:
    """Begins a batch in which a fact is retired."""
    _begin("retract", id, _Before(), writer, context)


def begin_correction(id: str, new: str, writer: Writer, context: Context) -> None:
    """Begins a batch in which a fact is retired, and a new one takes its place."""
    note_created(writer, new, _begin("correct", id, _Before(), writer, context))


def note_retired(id: str, batch: str, writer: Writer) -> None:
    """Notes in a batch that a fact is retired. To be called before it is."""
    _note(batch, id, _Before(), writer)


def restore_retired(ids: Sequence[str], batch: str, writer: Writer) -> list[Change]:
    """Restores facts that a batch retired, which then no longer knows them; what holds otherwise
    since."""
    groups = groups_of(writer, ids)
    for id in ids:
        _restore(id, _Before(), writer)
        writer.delete("batch_item", {"batch": batch, "id": id})
    return resolve(writer, groups)


def undo_facts(batch: str, writer: Writer, at: str) -> tuple[dict[str, int], list[Change]]:
    """Takes back what a batch changed; how many facts were removed and changed, and what holds
    otherwise since."""
    items = writer.select("batch_item", ("id", "before"), {"batch": batch}, ("id",))
    groups = groups_of(writer, [id for id, _ in items])
    counts = {"removed": 0, "changed": 0}
    for id, before in items:
        if before is None:
            mark_unsupported(writer, rest_on(writer, [id]))
            counts["removed"] += writer.remove(id)
        else:
            counts["changed"] += _restore(id, msgspec.json.decode(before, type=_Before), writer)
    changes = resolve(writer, groups)
    restore_supported(writer, rest_on(writer, [id for id, before in items if before is not None]))
    close_undone(writer, batch, at)
    return counts, changes


def _restore(id: str, before: _Before, writer: Writer) -> bool:
    if before.end is None:
        return writer.update("fact", {"retired_at": None}, {"id": id}) > 0
    key = _key(id, writer)
    if key is None:
        return False
    writer.delete("fact_note", {"fact": key, "kind": "end", "at": before.end})
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
    item = (batch, id, msgspec.json.encode(before).decode())
    writer.insert("batch_item", ("batch", "id", "before"), [item])


def _key(id: str, writer: Writer) -> int | None:
    rows = writer.select("fact", ("key",), {"id": id})
    return rows[0][0] if rows else None
