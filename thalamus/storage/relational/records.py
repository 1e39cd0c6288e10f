"""The table of one kind of record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from thalamus.storage.protocol.conditions import Both, at_least, below
from thalamus.storage.relational.pages import pages

if TYPE_CHECKING:
    from thalamus.records.kinds import Kind
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.relational.collection import RowReader, RowWriter


class Records:
    """See ``storage.protocol.records.Records``."""

    def __init__(self, rows: RowReader, kind: Kind) -> None:
        self._rows = rows
        self._kind = kind
        self._table = kind.name
        self._id = kind.identity[-1]  # an alias is identified by its key

    def has(self, id: str) -> bool:
        return self.exists({self._id: id})

    def exists(self, where: Where | None = None) -> bool:
        return bool(self._rows.select(self._table, (self._id,), where, limit=1))

    def count(self, where: Where | None = None) -> int:
        return int(self._rows.select(self._table, ("count(*)",), where)[0][0])

    def count_by(self, field: str, where: Where | None = None) -> dict[Any, int]:
        found = self._rows.select(self._table, (field, "count(*)"), where, group=(field,))
        return {row[0]: int(row[1]) for row in found}

    def count_between(self, times: Sequence[str], where: Where | None = None) -> list[int]:
        """One query for each period: counting along an index is much faster than sorting for
        ``GROUP BY``."""
        return [self.count(between) for between in said_between(times, where or {})]

    def span(self, where: Where | None = None) -> tuple[str | None, str | None]:
        # one end at a time, so that an index is used
        first = self._rows.select(self._table, ("min(created_at)",), where)[0][0]
        return first, self._rows.select(self._table, ("max(created_at)",), where)[0][0]

    def ids(
        self, where: Where | None = None, order: Sequence[str] = (), limit: int | None = None
    ) -> list[str]:
        found = self._rows.select(self._table, (self._id,), where, order, limit)
        return [row[0] for row in found]

    def ids_by_key(
        self, where: Where | None = None, order: Sequence[str] = (), limit: int | None = None
    ) -> dict[int, str]:
        found = self._rows.select(self._table, ("key", self._id), where, order, limit)
        return {row[0]: row[1] for row in found}

    def key(self, id: str) -> int | None:
        found = self._rows.select(self._table, ("key",), {self._id: id})
        return int(found[0][0]) if found else None

    def last_key(self) -> int | None:
        last = self._rows.select(self._table, ("max(key)",))[0][0]
        return None if last is None else int(last)

    def values(self, field: str, where: Where | None = None) -> dict[str, Any]:
        found = self._rows.select(self._table, (self._id, field), where)
        return {row[0]: row[1] for row in found}

    def fields(self, id: str, names: Sequence[str]) -> dict[str, Any] | None:
        found = self._rows.select(self._table, names, {self._id: id})
        return dict(zip(names, found[0], strict=True)) if found else None

    def pages(self, time: Any, where: Where | None = None) -> Iterator[list[str]]:
        time_column = "created_at" if "created_at" in self._kind.columns else "recorded_at"
        key = "key" if self._kind.has_key else self._id
        for page in pages(
            self._rows, self._table, (self._id,), time_column, key, time, where or {}
        ):
            yield [row[self._id] for row in page]


class MutableRecords(Records):
    """See ``storage.protocol.records.MutableRecords``."""

    def __init__(self, rows: RowWriter, kind: Kind) -> None:
        super().__init__(rows, kind)
        self._target = rows

    def update(self, ids: str | Sequence[str], /, **fields: Any) -> int:
        return self.update_where(with_ids(ids, self._id), **fields)

    def update_where(self, where: Where, /, **fields: Any) -> int:
        return self._target.update(self._table, fields, where)

    def rename(self, column: str, ids: Sequence[str], name: str) -> None:
        self._target.rename(self._kind, column, ids, name)

    def delete(self, where: Where) -> int:
        if not self._kind.encrypted:
            return self._target.delete(self._table, where)
        ids = self.ids(where)
        self._target.delete("encrypted", {"kind": self._table, "id": ids})
        return self._target.delete(self._table, {self._id: ids})


def with_ids(ids: str | Sequence[str], column: str = "id") -> Where:
    """The condition for one or several ids."""
    return {column: ids if isinstance(ids, str) else tuple(ids)}


def said_between(times: Sequence[str], where: Where) -> Iterator[Where]:
    """Conditions for the periods that begin at each of these times and end at the next one."""
    for first, next_ in pairwise(times):
        period = Both(at_least(first), below(next_))
        if "created_at" in where:
            period = Both(period, where["created_at"])
        yield {**where, "created_at": period}
