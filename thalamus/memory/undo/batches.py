"""Batches: changes made together, with the states before them, so that they can be undone together.

The ledger entry of a change names its batch. The states are kept apart from the ledger, which has
no content and loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from thalamus.memory.insights.lookup import mark_unsupported, rest_on
from thalamus.memory.views.explain import describe
from thalamus.records import Insight, Memory
from thalamus.records.reports import Batch, BatchChange, BatchChangeKind
from thalamus.store import batches, links, memories
from thalamus.store import insights as insight_rows
from thalamus.store.batches import BatchItem
from thalamus.store.encryption import contents

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

CURRENT = {"retired_at": None}  # what a batch keeps of a fact that it retires
LISTED = 4  # items of each kind that are listed for a batch


class BatchItems(Struct, frozen=True):
    """Ids of the memories that a batch created, changed and retired."""

    created: list[str]
    changed: list[str]
    retired: list[str]


# -- reading --------------------------------------------------------------------------------------


def list_batches(store: Reader, undoable: bool = False) -> list[Batch]:
    """Batches of the store's owner and shared ones, newest first; with ``undoable`` only those that
    can be undone."""
    retired = memories.count_by_batch(store)
    items = batches.count_items(store)
    found = list(filter(store.owner.reaches, batches.stored(store, undoable=undoable)))
    for batch in found:
        counts = {"retired": retired.get(batch.id, 0)}
        if batch.id in items:
            counts |= asdict(items[batch.id])
        batch.counts = {name: count for name, count in counts.items() if count}
    return found


def batch_items(store: Reader, batch: str) -> BatchItems:
    """Ids of what a batch created, changed and retired."""
    created: list[str] = []
    changed: list[str] = []
    for item in batches.items(store, batch):
        (created if item.before is None else changed).append(item.id)
    return BatchItems(created, changed, memories.retired_by(store, batch))


def batch_changes(store: Store, batch: str) -> list[BatchChange]:
    """Changes, retirements and creations of a batch, the first few of each, with their contents."""
    items = batch_items(store, batch)
    kinds: dict[BatchChangeKind, list[str]] = {
        "changed": items.changed,
        "retired": items.retired,
        "made": items.created,
    }
    listed = [(change, id) for change, ids in kinds.items() for id in ids[:LISTED]]
    described = [(change, describe(store, id)) for change, id in listed]
    return [
        BatchChange(id=one.id, change=change, text=one.text)
        for change, one in described
        if one.kind != "missing"
    ]


# -- changing -------------------------------------------------------------------------------------


def new_batch(action: str, writer: Writer, clock: Clock, *about: str | None) -> str:
    """Begins a batch of changes of this kind; returns its id."""
    id = clock.new_id(action, *about, batches.count(writer))
    batches.add(writer, Batch(id=id, at=writer.now, action=action))
    return id


def keep(writer: Writer, id: str, before: Mapping[str, object], batch: str) -> None:
    """Keeps fields of a record as they are before a batch changes them. For a note added to a fact:
    its kind (``note``) and time (``at``), when it was recorded before, if so (``known``), and the
    ``mentions`` that an end removed, with when they were recorded."""
    batches.add_item(writer, BatchItem(batch, id, before))


def retire(writer: Writer, ids: Sequence[str], batch: str, whole: bool = False) -> int:
    """Retires those of the memories that may still be retired: active, not pinned, not core.
    Returns how many; with ``whole`` either all of them are retired or none."""
    if whole and memories.count_free(writer, ids) < len(ids):
        return 0
    count = memories.retire(writer, ids, batch)
    if count:
        mark_unsupported(writer, rest_on(writer, ids))
    return count


def change_memory(writer: Writer, id: str, fields: Mapping[str, object], batch: str) -> bool:
    """Changes fields of a memory other than its content; False when it is missing. The topic of an
    encrypted memory is encrypted with it and is not changed."""
    stored = memories.changeable(writer, id) or {}
    before = {name: value for name, value in stored.items() if name in fields}
    if "topic" in before and contents.ids(writer, [id]):
        del before["topic"]
    if not before:
        return False
    keep(writer, id, before, batch)
    writer.change(Memory, id, **{name: fields[name] for name in before})
    return True


def archive_insight(writer: Writer, id: str, into: str, batch: str) -> None:
    """Archives an insight that was merged into another one; undoing the batch reactivates it."""
    fields = {"status": "archived", "merged_into": into, "batch": batch}
    change_insight(writer, id, fields, batch)


def change_insight(writer: Writer, id: str, fields: Mapping[str, object], batch: str) -> None:
    """Changes the status fields of an insight; undoing the batch restores them."""
    state = insight_rows.state(writer, id)
    assert state is not None
    before = {"status": state.status, "merged_into": state.merged_into, "batch": state.batch}
    keep(writer, id, before, batch)
    writer.change(Insight, id, **fields)


def note_created(writer: Writer, id: str, batch: str) -> None:
    """Records that a batch created this memory or insight: undoing the batch deletes it."""
    batches.add_item(writer, BatchItem(batch, id))


def purge(writer: Writer, batch: str, limit: int) -> int:
    """Deletes up to ``limit`` of the memories that a batch retired; returns how many. Links of
    summaries keep their ids."""
    ids = dict.fromkeys(memories.retired_by(writer, batch, limit))
    derived = links.incoming(writer, ids, "derived_from")
    for id in ids:
        writer.remove(id)
    # summaries made from them stay: they were made to replace them
    links.add(writer, (link for link in derived if link.source not in ids))
    return len(ids)
