"""Queries for records of any kind, without reading whole records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where


class Records(Protocol):
    """The records of one kind. An empty condition matches all of them; the id of a record is its
    name, of a world state its owner."""

    def has(self, id: str) -> bool:
        """True when there is a record with this id."""
        ...

    def exists(self, where: Where | None = None) -> bool:
        """True when there is a matching record."""
        ...

    def count(self, where: Where | None = None) -> int:
        """Number of records."""
        ...

    def count_by(self, field: str, where: Where | None = None) -> dict[Any, int]:
        """Number of records with each value of a field."""
        ...

    def count_between(self, times: Sequence[str], where: Where | None = None) -> list[int]:
        """Number of records in the periods that begin at each of these times and end at the next
        one."""
        ...

    def span(self, where: Where | None = None) -> tuple[str | None, str | None]:
        """Times of the first and the last of the records."""
        ...

    def ids(
        self, where: Where | None = None, order: Sequence[str] = (), limit: int | None = None
    ) -> list[str]:
        """Ids of records."""
        ...

    def ids_by_key(
        self, where: Where | None = None, order: Sequence[str] = (), limit: int | None = None
    ) -> dict[int, str]:
        """Ids of records by their keys."""
        ...

    def key(self, id: str) -> int | None:
        """Key of a record; None when there is none with this id."""
        ...

    def last_key(self) -> int | None:
        """Key of the record added last; None without any."""
        ...

    def values(self, field: str, where: Where | None = None) -> dict[str, Any]:
        """A field of records as stored, by id: empty where it is encrypted."""
        ...

    def fields(self, id: str, names: Sequence[str]) -> dict[str, Any] | None:
        """Some fields of a record as stored; None when there is none with this id."""
        ...

    def pages(self, time: Any, where: Where | None = None) -> Iterator[list[str]]:
        """Ids of records, newest first, in pages. ``time``: condition on the time at which they
        were said, or else stored."""
        ...


class MutableRecords(Records, Protocol):
    """Records in a unit of work."""

    def update(self, ids: str | Sequence[str], /, **fields: Any) -> int:
        """Sets fields of records; returns how many. The search indexes are synced. Encrypted fields
        of a record are changed in its ciphertext, if its key is available, and are never in its
        row."""
        ...

    def update_where(self, where: Where, /, **fields: Any) -> int:
        """Sets fields of the records that match a condition, as ``update`` does."""
        ...

    def rename(self, column: str, ids: Sequence[str], name: str) -> None:
        """Gives records another ``user``, ``agent`` or ``session`` (the ``column``). The personal
        records of another user are encrypted with that user's key."""
        ...

    def delete(self, where: Where) -> int:
        """Deletes records without dependent rows, and their ciphertexts; returns how many."""
        ...
