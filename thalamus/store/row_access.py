"""Rows of tables, which drivers read and write and security wraps: the layer below the
collections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.store.conditions import Clause, Where


ColumnType = Literal["int", "float", "text", "bytes"]


class ColumnInfo(Struct, frozen=True):
    """A column of a table, with the type of its values that are not null; ``key``: its position in
    the primary key, from 1, or 0."""

    name: str
    type: ColumnType
    key: int


class Selection(Struct, frozen=True):
    """The arguments of ``SelectableRows.select``."""

    table: str
    columns: Sequence[str]
    where: Where | None = None
    order: Sequence[str] = ()
    limit: int | None = None


class SelectableRows(Protocol):
    """Rows of tables that can be selected."""

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | Clause | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        """Columns of rows, accessed by name or by position. A column may be ``count(*)``,
        ``min(x)`` or ``max(x)``, for each ``group`` if one is given. With an order or a limit no
        condition may have more than a few hundred values."""
        ...

    def select_each(self, selections: Sequence[Selection]) -> list[list[Any]]:
        """Rows of each of several selections, which are sent to the database together."""
        ...


class Rows(SelectableRows, Protocol):
    """The rows of tables; all reading and writing goes through it. Writing can be wrapped by a
    layer with the same interface (``store.signing.layer``)."""

    def describe(self, table: str) -> list[ColumnInfo]:
        """Columns of a table; empty when it does not exist."""
        ...

    def source(self, table: str, alias: str = "") -> str:
        """A table or view as written after ``FROM`` or ``JOIN`` in a query."""
        ...

    def condition(self, where: Where) -> tuple[str, list[Any]]:
        """`` WHERE …`` of a query, with its values; empty without a condition."""
        ...

    def each(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> Iterator[Any]:
        """Iterates over the rows of ``select``."""
        ...

    def values(self) -> Mapping[str, str]:
        """The store-wide values that are set."""
        ...

    def set_value(self, name: str, value: str | None) -> None:
        """Sets a store-wide value; None deletes it. In a unit of work it is written at the end."""
        ...

    def chain_end(self, table: str) -> tuple[int, Any] | None:
        """Number of the last ledger entry (``event``) or ``signature``, and the hash that the next
        one continues; None without any."""
        ...

    def take(self, counter: str, count: int = 1) -> int:
        """Takes numbers that were never used, and returns the first. ``counter``: a numbered table,
        or ``key``."""
        ...

    def finish(self) -> None:
        """Writes what is kept until the end of a unit of work."""
        ...

    def numbered(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The rows with their numbers added, if the table numbers its rows and they have none."""
        ...

    def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str] = (),
        replace: bool = False,
        new: bool = False,
    ) -> int:
        """Inserts rows and returns how many. Rows with the ``key`` of an existing one are left out,
        or with ``replace`` replace it. ``new``: the caller knows of none, so that they are not
        looked up."""
        ...

    def update(
        self, table: str, fields: Mapping[str, Any], where: Where | Clause, count: int | None = None
    ) -> int:
        """Sets columns of rows; returns how many rows. ``count``: how many, if that is known, so
        that the database is not asked."""
        ...

    def delete(self, table: str, where: Where | Clause, count: int | None = None) -> int:
        """Deletes rows; returns how many. ``count``: as for ``update``."""
        ...
