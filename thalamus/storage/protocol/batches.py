"""Batches: what was changed together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from thalamus.records import Batch


class BatchItem(NamedTuple):
    """What a batch keeps of a record: the fields to set back, as JSON; None of one that it made."""

    batch: str
    id: str
    before: str | None = None


class ItemCounts(NamedTuple):
    """How much a batch changed and made."""

    changed: int
    made: int


class Batches(Protocol):
    """The batches of a store."""

    def all(self, *, undoable: bool = False) -> list[Batch]:
        """The batches, newest first; with ``undoable`` those that can be undone."""
        ...

    def pages(self, action: str, time: Any) -> Iterator[list[Batch]]:
        """The batches of an action, newest first, a page at a time. ``time``: the condition on
        their time."""
        ...

    def count(self) -> int:
        """The number of batches."""
        ...

    def later(self, id: str) -> list[str]:
        """The later batches, newest first, that can be undone and changed or retired what this one
        made or changed."""
        ...

    def items(self, id: str) -> list[BatchItem]:
        """The items of a batch in the order of their ids."""
        ...

    def count_items(self) -> dict[str, ItemCounts]:
        """How much each batch changed and made, by its id."""
        ...

    def changes(self) -> list[BatchItem]:
        """Everything that batches keep of records that they changed."""
        ...

    def of(self, ids: Collection[str], *, changed: bool = False) -> list[str]:
        """The ids of the batches that keep something of one of these records; with ``changed``
        only where they did not make it."""
        ...


class MutableBatches(Batches, Protocol):
    """The same in a unit of work."""

    def add(self, batch: Batch) -> None:
        """Adds a batch."""
        ...

    def add_item(self, item: BatchItem) -> None:
        """Adds an item to a batch; one that it has of the record already stays."""
        ...

    def delete_item(self, batch: str, id: str) -> None:
        """Deletes what a batch keeps of a record."""
        ...

    def mark_undone(self, id: str, at: str) -> None:
        """Notes that a batch was undone, and deletes its items."""
        ...

    def mark_purged(self, ids: Collection[str], at: str) -> None:
        """Notes that batches can no longer be undone, and deletes their items."""
        ...
