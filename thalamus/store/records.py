"""The table of one kind of record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from thalamus.store.pages import pages

if TYPE_CHECKING:
    from thalamus.records.kinds import Kind
    from thalamus.store.collection import RowReader, RowWriter
    from thalamus.store.conditions import Where


class Records:
    """The records of one kind. An empty condition matches all of them; the id of a record is its
    name, of a world state its owner.
    """

    def __init__(self, rows: RowReader, kind: Kind) -> None:
        self._rows = rows
        self._kind = kind
        self._table = kind.name
        self._id = kind.identity[-1]  # an alias is identified by its key

    def has(self, id: str) -> bool:
        """True when there is a record with this id."""
        return self.exists({self._id: id})

    def exists(self, where: Where | None = None) -> bool:
        """True when there is a matching record."""
        return bool(self._rows.select(self._table, (self._id,), where, limit=1))

    def count(self, where: Where | None = None) -> int:
        """Number of records."""
        return int(self._rows.select(self._table, ("count(*)",), where)[0][0])

    def count_by(self, field: str, where: Where | None = None) -> dict[Any, int]:
        """Number of records with each value of a field."""
        found = self._rows.select(self._table, (field, "count(*)"), where, group=(field,))
        return {row[0]: int(row[1]) for row in found}

    def ids(
        self, where: Where | None = None, order: Sequence[str] = (), limit: int | None = None
    ) -> list[str]:
        """Ids of records."""
        found = self._rows.select(self._table, (self._id,), where, order, limit)
        return [row[0] for row in found]

    def ids_by_key(
        self, where: Where | None = None, order: Sequence[str] = (), limit: int | None = None
    ) -> dict[int, str]:
        """Ids of records by their keys."""
        found = self._rows.select(self._table, ("key", self._id), where, order, limit)
        return {row[0]: row[1] for row in found}

    def key(self, id: str) -> int | None:
        """Key of a record; None when there is none with this id."""
        found = self._rows.select(self._table, ("key",), {self._id: id})
        return int(found[0][0]) if found else None

    def last_key(self) -> int | None:
        """Key of the record added last; None without any."""
        last = self._rows.select(self._table, ("max(key)",))[0][0]
        return None if last is None else int(last)

    def values(self, field: str, where: Where | None = None) -> dict[str, Any]:
        """A field of records as stored, by id: empty where it is encrypted."""
        found = self._rows.select(self._table, (self._id, field), where)
        return {row[0]: row[1] for row in found}

    def fields(self, id: str, names: Sequence[str]) -> dict[str, Any] | None:
        """Some fields of a record as stored; None when there is none with this id."""
        found = self._rows.select(self._table, names, {self._id: id})
        return dict(zip(names, found[0], strict=True)) if found else None

    def pages(self, time: Any, where: Where | None = None) -> Iterator[list[str]]:
        """Ids of records, newest first, in pages. ``time``: condition on the time at which they
        were said, or else stored."""
        time_column = "created_at" if "created_at" in self._kind.columns else "recorded_at"
        key = "key" if self._kind.has_key else self._id
        for page in pages(
            self._rows, self._table, (self._id,), time_column, key, time, where or {}
        ):
            yield [row[self._id] for row in page]


class MutableRecords(Records):
    """Records in a unit of work."""

    def __init__(self, rows: RowWriter, kind: Kind) -> None:
        super().__init__(rows, kind)
        self._target = rows

    def update(self, ids: str | Sequence[str], /, **fields: Any) -> int:
        """Sets fields of records; returns how many. The search indexes are synced. Encrypted fields
        of a record are changed in its ciphertext, if its key is available, and are never in its
        row."""
        return self.update_where(with_ids(ids, self._id), **fields)

    def update_where(self, where: Where, /, **fields: Any) -> int:
        """Sets fields of the records that match a condition, as ``update`` does."""
        return self._target.update(self._table, fields, where)

    def rename(self, column: str, ids: Sequence[str], name: str) -> None:
        """Gives records another ``user``, ``agent`` or ``session`` (the ``column``). The personal
        records of another user are encrypted with that user's key."""
        self._target.rename(self._kind, column, ids, name)

    def delete(self, where: Where) -> int:
        """Deletes records without dependent rows, and their ciphertexts; returns how many."""
        if not self._kind.encrypted:
            return self._target.delete(self._table, where)
        ids = self.ids(where)
        self._target.delete("encrypted", {"kind": self._table, "id": ids})
        return self._target.delete(self._table, {self._id: ids})


def with_ids(ids: str | Sequence[str], column: str = "id") -> Where:
    """The condition for one or several ids."""
    return {column: ids if isinstance(ids, str) else tuple(ids)}
