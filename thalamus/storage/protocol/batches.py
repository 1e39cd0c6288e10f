"""Batches: changes made together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.records.reports import Batch


class BatchItem(NamedTuple):
    """A record in a batch: the fields to restore; None if the batch created it."""

    batch: str
    id: str
    before: Mapping[str, Any] | None = None


class ItemCounts(Struct, frozen=True):
    """Number of records that a batch changed and created."""

    changed: int
    made: int


class Batches(Protocol):
    """The batches of a store."""

    def all(self, *, undoable: bool = False) -> list[Batch]:
        """Batches, newest first; with ``undoable`` those that can be undone."""
        ...

    def pages(self, action: str, time: Any) -> Iterator[list[Batch]]:
        """Batches of an action, newest first, in pages. ``time``: condition on their time."""
        ...

    def count(self) -> int:
        """The number of batches."""
        ...

    def later(self, id: str) -> list[str]:
        """Later batches, newest first, that can be undone and changed or retired something this one
        created or changed."""
        ...

    def items(self, id: str) -> list[BatchItem]:
        """Items of a batch, sorted by id."""
        ...

    def count_items(self) -> dict[str, ItemCounts]:
        """Number of records that each batch changed and created, by its id."""
        ...

    def changes(self) -> list[BatchItem]:
        """Items of all batches for records that they changed."""
        ...

    def of(self, ids: Collection[str], *, changed: bool = False) -> list[str]:
        """Ids of the batches with an item for one of these records; with ``changed`` only if they
        did not create it."""
        ...


class MutableBatches(Batches, Protocol):
    """Batches in a unit of work."""

    def add(self, batch: Batch) -> None:
        """Adds a batch."""
        ...

    def rename(self, column: str, name: str, new: str) -> None:
        """Gives the batches of a ``user`` or an ``agent`` to another."""
        ...

    def add_item(self, item: BatchItem) -> None:
        """Adds an item to a batch; an existing one for the record stays."""
        ...

    def delete_item(self, batch: str, id: str) -> None:
        """Deletes the item of a batch for a record."""
        ...

    def mark_undone(self, id: str, at: str) -> None:
        """Records that a batch was undone, and deletes its items."""
        ...

    def mark_purged(self, ids: Collection[str], at: str) -> None:
        """Records that batches can no longer be undone, and deletes their items."""
        ...
