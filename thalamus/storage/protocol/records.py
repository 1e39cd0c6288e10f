"""The records of one kind: what can be asked of every kind without reading whole records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where


class Records(Protocol):
    """The records of one kind. A condition without anything in it holds for all of them; an id is
    what names a record, of a world state its owner."""

    def exists(self, where: Where | None = None) -> bool:
        """Whether there is a record."""
        ...

    def count(self, where: Where | None = None) -> int:
        """The number of records."""
        ...

    def count_by(self, field: str, where: Where | None = None) -> dict[Any, int]:
        """The number of records with each value of a field."""
        ...

    def count_between(self, times: Sequence[str], where: Where | None = None) -> list[int]:
        """The number of records said from each of these times on, and before the next one."""
        ...

    def span(self, where: Where | None = None) -> tuple[str | None, str | None]:
        """The times at which the first and the last of the records were said."""
        ...

    def ids(
        self, where: Where | None = None, order: Sequence[str] = (), limit: int | None = None
    ) -> list[str]:
        """The ids of records."""
        ...

    def ids_by_key(
        self, where: Where | None = None, order: Sequence[str] = (), limit: int | None = None
    ) -> dict[int, str]:
        """The ids of records by their keys."""
        ...

    def key(self, id: str) -> int | None:
        """The key of a record; None when there is none with this id."""
        ...

    def last_key(self) -> int | None:
        """The key of the record that was added last; None without any."""
        ...

    def values(self, field: str, where: Where | None = None) -> dict[str, Any]:
        """A field of records as it is stored, by id: empty where it is encrypted."""
        ...

    def fields(self, id: str, names: Sequence[str]) -> dict[str, Any] | None:
        """Some fields of a record as they are stored; None when there is none with this id."""
        ...

    def pages(self, time: Any, where: Where | None = None) -> Iterator[list[str]]:
        """The ids of records, newest first, a page at a time. ``time``: the condition on the time
        at which they were said, or stored where they were not said."""
        ...


class MutableRecords(Records, Protocol):
    """The same in a unit of work."""

    def update(self, where: Where, **fields: Any) -> int:
        """Sets fields of records; of how many. The search indexes follow. What is encrypted of a
        record changes there, if its key is here, and never stands in its row."""
        ...

    def delete(self, where: Where) -> int:
        """Deletes records on which nothing hangs, with what is encrypted of them; how many."""
        ...
