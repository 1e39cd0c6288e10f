"""The tables ``batch`` and ``batch_item``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct, json
from msgspec.structs import astuple

from thalamus.records.reports import Batch
from thalamus.store.records import AFTER_ALL, PAGE

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

BATCH = 'SELECT id, at, action, "user", agent, undone_at, purged_at, n FROM batch'
ALL = f"{BATCH} ORDER BY n DESC"
UNDOABLE = f"{BATCH} WHERE undone_at IS NULL AND purged_at IS NULL ORDER BY n DESC"
BEFORE = f"""{BATCH} WHERE action = ? AND at >= ? AND (at, n) < (?, ?)
ORDER BY at DESC, n DESC LIMIT ?"""
COUNT = "SELECT count(*) FROM batch"
# memories that a batch retired name it, and have no item
LATER = """
SELECT id FROM batch
WHERE undone_at IS NULL AND purged_at IS NULL AND n > (SELECT n FROM batch WHERE id = ?)
AND id IN (
    SELECT batch FROM batch_item WHERE id IN (SELECT id FROM batch_item WHERE batch = ?)
    UNION ALL
    SELECT batch FROM memory WHERE id IN (SELECT id FROM batch_item WHERE batch = ?))
ORDER BY n DESC"""
RENAMED = {"user": '"user" = ?', "agent": "agent = ?"}

ITEM = "SELECT batch, id, before FROM batch_item"
ITEMS = f"{ITEM} WHERE batch = ? ORDER BY id"
CHANGES = f"{ITEM} WHERE before IS NOT NULL"
ITEM_COUNTS = """
SELECT batch, count(before), count(*) - count(before) FROM batch_item GROUP BY batch"""
WITH_ITEMS = """
SELECT id FROM batch WHERE id IN (
    SELECT batch FROM batch_item WHERE id IN (SELECT value FROM json_each(?)))
ORDER BY n"""
WITH_CHANGES = """
SELECT id FROM batch WHERE id IN (
    SELECT batch FROM batch_item
    WHERE id IN (SELECT value FROM json_each(?)) AND before IS NOT NULL)
ORDER BY n"""


class BatchItem(NamedTuple):
    """A record in a batch: the fields to restore; None if the batch created it."""

    batch: str
    id: str
    before: Mapping[str, Any] | None = None


class ItemCounts(Struct, frozen=True):
    """Number of records that a batch changed and created."""

    changed: int
    made: int


# -- batches --------------------------------------------------------------------------------------


def stored(reader: Reader, *, undoable: bool = False) -> list[Batch]:
    """Batches, newest first; with ``undoable`` those that can be undone."""
    return [_batch(row) for row in reader.fetch(UNDOABLE if undoable else ALL)]


def pages(
    reader: Reader, action: str, since: str | None = None, until: str | None = None
) -> Iterator[list[Batch]]:
    """Batches of an action, newest first, in pages. ``until`` is exclusive."""
    before = (until or AFTER_ALL, 0)
    while page := reader.fetch(BEFORE, action, since or "", *before, PAGE):
        yield [_batch(row) for row in page]
        if len(page) < PAGE:
            return
        before = page[-1]["at"], page[-1]["n"]


def count(reader: Reader) -> int:
    """The number of batches."""
    return int(reader.fetch(COUNT)[0][0])


def later(reader: Reader, id: str) -> list[str]:
    """Later batches, newest first, that can be undone and changed or retired something this one
    created or changed."""
    return [row[0] for row in reader.fetch(LATER, id, id, id)]


def add(writer: Writer, batch: Batch) -> None:
    """Adds a batch."""
    batch.user, batch.agent = astuple(writer.acting)
    row = (batch.id, batch.at, batch.action, batch.user, batch.agent)
    writer.insert("batch", ("id", "at", "action", "user", "agent"), [row])


def rename(writer: Writer, column: Literal["user", "agent"], name: str, new: str) -> None:
    """Gives the batches of a user or an agent to another."""
    writer.update("batch", {column: new}, RENAMED[column], name)


def mark_undone(writer: Writer, id: str, at: str) -> None:
    """Records that a batch was undone, and deletes its items."""
    writer.update("batch", {"undone_at": at}, "id = ?", id)
    writer.delete("batch_item", "batch = ?", id)


def mark_purged(writer: Writer, ids: Collection[str], at: str) -> None:
    """Records that batches can no longer be undone, and deletes their items."""
    if ids:
        writer.update("batch", {"purged_at": at}, "id IN (SELECT value FROM json_each(?))", ids)
        writer.delete("batch_item", "batch IN (SELECT value FROM json_each(?))", ids)


def _batch(row: Any) -> Batch:
    id, at, action, user, agent, undone_at, purged_at, _ = row
    return Batch(id, at, action, user, agent, undone_at=undone_at, purged_at=purged_at)


# -- items ----------------------------------------------------------------------------------------


def items(reader: Reader, id: str) -> list[BatchItem]:
    """Items of a batch, sorted by id."""
    return [_item(row) for row in reader.fetch(ITEMS, id)]


def count_items(reader: Reader) -> dict[str, ItemCounts]:
    """Number of records that each batch changed and created, by its id."""
    return {row[0]: ItemCounts(row[1], row[2]) for row in reader.fetch(ITEM_COUNTS)}


def changes(reader: Reader) -> list[BatchItem]:
    """Items of all batches for records that they changed."""
    return [_item(row) for row in reader.fetch(CHANGES)]


def of(reader: Reader, ids: Collection[str], *, changed: bool = False) -> list[str]:
    """Ids of the batches with an item for one of these records, oldest first; with ``changed`` only
    if they did not create it."""
    found = reader.fetch(WITH_CHANGES if changed else WITH_ITEMS, ids) if ids else []
    return [row[0] for row in found]


def add_item(writer: Writer, item: BatchItem) -> None:
    """Adds an item to a batch; an existing one for the record stays."""
    before = None if item.before is None else json.encode(item.before).decode()
    writer.insert("batch_item", BatchItem._fields, [(item.batch, item.id, before)])


def delete_item(writer: Writer, batch: str, id: str) -> None:
    """Deletes the item of a batch for a record."""
    writer.delete("batch_item", "batch = ? AND id = ?", batch, id)


def _item(row: Any) -> BatchItem:
    batch, id, before = row
    return BatchItem(batch, id, None if before is None else json.decode(before))
