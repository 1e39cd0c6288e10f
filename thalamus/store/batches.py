"""The tables ``batch`` and ``batch_item``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, json
from msgspec.structs import astuple

from thalamus.records.reports import Batch
from thalamus.store.conditions import PRESENT, Among, above
from thalamus.store.pages import pages

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader, RowWriter
    from thalamus.store.conditions import Where


class BatchItem(NamedTuple):
    """A record in a batch: the fields to restore; None if the batch created it."""

    batch: str
    id: str
    before: Mapping[str, Any] | None = None


class ItemCounts(Struct, frozen=True):
    """Number of records that a batch changed and created."""

    changed: int
    made: int


_COLUMNS = ("id", "at", "action", "user", "agent", "undone_at", "purged_at")
_UNDOABLE: Where = {"undone_at": None, "purged_at": None}


class Batches:
    """The batches of a store."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def all(self, *, undoable: bool = False) -> list[Batch]:
        """Batches, newest first; with ``undoable`` those that can be undone."""
        where = _UNDOABLE if undoable else None
        return [_batch(row) for row in self._rows.select("batch", _COLUMNS, where, order=("-n",))]

    def pages(self, action: str, time: Any) -> Iterator[list[Batch]]:
        """Batches of an action, newest first, in pages. ``time``: condition on their time."""
        for page in pages(self._rows, "batch", _COLUMNS, "at", "n", time, {"action": action}):
            yield [_batch(row) for row in page]

    def count(self) -> int:
        """The number of batches."""
        return int(self._rows.select("batch", ("count(*)",))[0][0])

    def later(self, id: str) -> list[str]:
        """Later batches, newest first, that can be undone and changed or retired something this one
        created or changed."""
        this = self._rows.select("batch", ("n",), {"id": id})
        if not this:
            return []
        later = {**_UNDOABLE, "n": above(this[0][0])}
        touched = {
            "id": Among("batch_item", "id", {"batch": id}),
            "batch": Among("batch", "id", later),
        }
        tables = ("batch_item", "memory")
        found = {row[0] for one in tables for row in self._rows.select(one, ("batch",), touched)}
        newest_first = self._rows.select("batch", ("id",), later, order=("-n",))
        return [row[0] for row in newest_first if row[0] in found]

    def items(self, id: str) -> list[BatchItem]:
        """Items of a batch, sorted by id."""
        found = self._rows.select("batch_item", BatchItem._fields, {"batch": id}, order=("id",))
        return [_item(row) for row in found]

    def count_items(self) -> dict[str, ItemCounts]:
        """Number of records that each batch changed and created, by its id."""
        columns = ("batch", "count(*)", "count(before)")
        found = self._rows.select("batch_item", columns, group=("batch",))
        return {batch: ItemCounts(changed, all - changed) for batch, all, changed in found}

    def changes(self) -> list[BatchItem]:
        """Items of all batches for records that they changed."""
        found = self._rows.select("batch_item", BatchItem._fields, {"before": PRESENT})
        return [_item(row) for row in found]

    def of(self, ids: Collection[str], *, changed: bool = False) -> list[str]:
        """Ids of the batches with an item for one of these records; with ``changed`` only if they
        did not create it."""
        where = {"id": tuple(ids)} | ({"before": PRESENT} if changed else {})
        found = self._rows.select("batch_item", ("batch",), where) if ids else []
        return list(dict.fromkeys(row[0] for row in found))


def _batch(row: Any) -> Batch:
    return Batch(**{name: row[name] for name in _COLUMNS})


def _item(row: Any) -> BatchItem:
    batch, id, before = row
    return BatchItem(batch, id, None if before is None else json.decode(before))


class MutableBatches(Batches):
    """Batches in a unit of work."""

    def __init__(self, rows: RowWriter) -> None:
        super().__init__(rows)
        self._target = rows

    def add(self, batch: Batch) -> None:
        """Adds a batch."""
        batch.user, batch.agent = astuple(self._target.acting)
        row = (batch.id, batch.at, batch.action, batch.user, batch.agent)
        self._target.insert("batch", ("id", "at", "action", "user", "agent"), [row])

    def rename(self, column: str, name: str, new: str) -> None:
        """Gives the batches of a ``user`` or an ``agent`` to another."""
        self._target.update("batch", {column: new}, {column: name})

    def add_item(self, item: BatchItem) -> None:
        """Adds an item to a batch; an existing one for the record stays."""
        before = None if item.before is None else json.encode(item.before).decode()
        self._target.insert("batch_item", BatchItem._fields, [(item.batch, item.id, before)])

    def delete_item(self, batch: str, id: str) -> None:
        """Deletes the item of a batch for a record."""
        self._target.delete("batch_item", {"batch": batch, "id": id})

    def mark_undone(self, id: str, at: str) -> None:
        """Records that a batch was undone, and deletes its items."""
        self._target.update("batch", {"undone_at": at}, {"id": id})
        self._target.delete("batch_item", {"batch": id})

    def mark_purged(self, ids: Collection[str], at: str) -> None:
        """Records that batches can no longer be undone, and deletes their items."""
        self._target.update("batch", {"purged_at": at}, {"id": tuple(ids)})
        self._target.delete("batch_item", {"batch": tuple(ids)})
