"""Batches: what was changed together, so that it can be undone together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from thalamus.memory.explain import describe
from thalamus.memory.insights import check_support, mark_unsupported, rest_on, restore_supported
from thalamus.memory.personal import encrypted_ids
from thalamus.records import Batch, BatchChange, BatchChangeKind
from thalamus.storage.protocol import PRESENT, Among, above, other_than

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader, Store, Writer

LISTED = 4  # of what a batch changed, of each kind
CHANGEABLE = ("type", "topic", "importance", "scope", "status", "expires_at", "pinned")
_FREE = {"status": "active", "pinned": 0, "scope": other_than("core")}
_UNDOABLE = {"undone_at": None, "purged_at": None}


class BatchItems(Struct, frozen=True):
    """The ids of the memories that a batch created, changed and retired."""

    created: list[str]
    changed: list[str]
    retired: list[str]


# -- reading --------------------------------------------------------------------------------------


def count_batches(store: Reader) -> int:
    """How many batches there ever were."""
    return int(store.select("batch", ("count(*)",))[0][0])


def list_batches(store: Reader, undoable: bool = False) -> list[Batch]:
    """Batches, newest first; with ``undoable`` those that can be undone."""
    counted = ("batch", "count(*)")
    retired = dict(store.select("memory", counted, {"batch": PRESENT}, group=("batch",)))
    items = {
        batch: {"changed": changed, "made": count - changed}
        for batch, count, changed in store.select(
            "batch_item", (*counted, "count(before)"), group=("batch",)
        )
    }
    columns = ("id", "at", "action", "undone_at", "purged_at")
    found = []
    for row in store.select("batch", columns, _UNDOABLE if undoable else None, order=("-n",)):
        batch = Batch(**dict(zip(columns, row, strict=True)))
        counts = {"retired": retired.get(batch.id, 0), **items.get(batch.id, {})}
        batch.counts = {name: count for name, count in counts.items() if count}
        found.append(batch)
    return found


def batch_items(store: Reader, batch: str) -> BatchItems:
    """The ids of what a batch created, changed and retired."""
    created: list[str] = []
    changed: list[str] = []
    for id, before in store.select("batch_item", ("id", "before"), {"batch": batch}, ("id",)):
        (created if before is None else changed).append(id)
    retired = store.select("memory", ("id",), {"batch": batch, "status": "retired"}, ("key",))
    return BatchItems(created, changed, [row[0] for row in retired])


def batch_changes(store: Store, batch: str) -> list[BatchChange]:
    """What a batch changed, retired and made, the first few of each, with what they say."""
    items = batch_items(store, batch)
    kinds: dict[BatchChangeKind, list[str]] = {
        "changed": items.changed,
        "retired": items.retired,
        "made": items.created,
    }
    listed = [(change, id) for change, ids in kinds.items() for id in ids[:LISTED]]
    told = [(change, describe(store, id)) for change, id in listed]
    return [
        BatchChange(id=one.id, change=change, text=one.text)
        for change, one in told
        if one.kind != "missing"
    ]


def resting_on(store: Reader, batch: str) -> list[str]:
    """The later batches, newest first, that changed or retired what this one made or changed, and
    can be undone."""
    this = store.select("batch", ("n",), {"id": batch})
    if not this:
        return []
    later = {**_UNDOABLE, "n": above(this[0][0])}
    touched = {
        "id": Among("batch_item", "id", {"batch": batch}),
        "batch": Among("batch", "id", later),
    }
    found = {
        row[0]
        for table in ("batch_item", "memory")
        for row in store.select(table, ("batch",), touched)
    }
    newest_first = store.select("batch", ("id",), later, order=("-n",))
    return [row[0] for row in newest_first if row[0] in found]


# -- changing -------------------------------------------------------------------------------------


def begin_batch(writer: Writer, batch: Batch) -> None:
    """Notes what the changes below belong to."""
    writer.insert("batch", ("id", "at", "action"), [(batch.id, batch.at, batch.action)])


def retire(writer: Writer, ids: Sequence[str], batch: str, whole: bool = False) -> int:
    """Retires the memories that may go still: active, not pinned, not core. How many; with
    ``whole`` either all of them or none."""
    free = {"id": tuple(ids), **_FREE}
    if whole and len(writer.select("memory", ("id",), free)) < len(ids):
        return 0
    count = writer.update("memory", {"status": "retired", "batch": batch}, free)
    if count:
        mark_unsupported(writer, rest_on(writer, ids))
    return count


def change_memory(writer: Writer, id: str, fields: Mapping[str, object], batch: str) -> bool:
    """Changes fields of a memory, not its content; False when it is missing. The topic of an
    encrypted one is encrypted with it and stays as it is."""
    names = [name for name in CHANGEABLE if name in fields]
    if "topic" in names and encrypted_ids(writer, [id]):
        names.remove("topic")
    found = writer.select("memory", names, {"id": id}) if names else []
    if not found:
        return False
    before = dict(zip(names, found[0], strict=True))
    _set(writer, id, {name: fields[name] for name in names})
    item = (batch, id, msgspec.json.encode(before).decode())
    writer.insert("batch_item", ("batch", "id", "before"), [item])
    return True


def archive_insight(writer: Writer, id: str, into: str, batch: str) -> None:
    """Archives an insight that was merged into another one; undoing the batch makes it active
    again."""
    fields = {"status": "archived", "merged_into": into, "batch": batch}
    change_insight(writer, id, fields, batch)


def change_insight(writer: Writer, id: str, fields: Mapping[str, object], batch: str) -> None:
    """Changes what became of an insight; undoing the batch makes it what it was."""
    names = ("status", "merged_into", "batch")
    [before] = writer.select("insight", names, {"id": id})
    item = (batch, id, msgspec.json.encode(dict(zip(names, before, strict=True))).decode())
    writer.insert("batch_item", ("batch", "id", "before"), [item])
    writer.update("insight", dict(fields), {"id": id})


def note_created(writer: Writer, id: str, batch: str) -> None:
    """Records that a batch created this memory or insight: undoing the batch deletes it."""
    writer.insert("batch_item", ("batch", "id"), [(batch, id)])


def undo_batch(writer: Writer, id: str, at: str) -> dict[str, int]:
    """Restores what a batch retired and changed; how many. What it created is the caller's to
    delete before."""
    counts = {"changed": 0, "restored": 0}
    changed = {"batch": id, "before": PRESENT}
    items = writer.select("batch_item", ("id", "before"), changed, ("id",))
    for item, before in items:
        counts["changed"] += _set(writer, item, msgspec.json.decode(before))
    retired = {"batch": id, "status": "retired"}
    back = [row[0] for row in writer.select("memory", ("id",), retired)]
    counts["restored"] = writer.update("memory", {"status": "active", "batch": None}, retired)
    close_undone(writer, id, at)
    restored = [*back, *(item for item, _ in items)]
    restore_supported(writer, rest_on(writer, restored))
    check_support(writer, restored)
    return counts


def close_undone(writer: Writer, batch: str, at: str) -> None:
    """Notes that a batch was undone."""
    writer.update("batch", {"undone_at": at}, {"id": batch})
    writer.delete("batch_item", {"batch": batch})


def purge(writer: Writer, batch: str, limit: int) -> int:
    """Deletes up to ``limit`` of what a batch retired; how many. The links of summaries keep the
    ids."""
    retired = {"batch": batch, "status": "retired"}
    rows = writer.select("memory", ("id",), retired, ("key",), limit)
    gone = dict.fromkeys(row[0] for row in rows)
    made = writer.links.incoming(gone, "derived_from")
    for id in gone:
        writer.remove(id)
    # what was made of them stays: it was made to take their place
    writer.links.add(link for link in made if link.source not in gone)
    return len(gone)


def close_batch(writer: Writer, batch: str, at: str) -> None:
    """Notes that a batch can no longer be undone."""
    writer.update("batch", {"purged_at": at}, {"id": batch})
    writer.delete("batch_item", {"batch": batch})


def _set(writer: Writer, id: str, fields: Mapping[str, object]) -> int:
    """Sets fields of a memory, or of an insight; whether it is there, as a number."""
    plain = {name: int(it) if isinstance(it, bool) else it for name, it in fields.items()}
    table = "insight" if "merged_into" in fields else "memory"
    return writer.update(table, plain, {"id": id})
