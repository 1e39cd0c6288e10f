"""Rows of tables, which drivers read and write and security wraps: below the collections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where


class Cursor(Protocol):
    """What came of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """What a driver offers: one connection, that runs SQL which SQLite and PostgreSQL both
    understand, with ``?`` for each value and ``IS ?`` for "equal, or both null". A driver
    translates what its database writes otherwise. Rows are read by name and by place."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Cursor: ...

    def executemany(self, query: str, values: Iterable[Sequence[Any]], /) -> Cursor: ...


class ColumnInfo(NamedTuple):
    """A column of a table; ``key``: its place in the primary key, from 1, or 0."""

    name: str
    type: str
    key: int


class Rows(Protocol):
    """The rows of tables: all that reads and writes them. Writing can be wrapped by a layer that
    offers the same (``security.sign_rows``)."""

    @property
    def connection(self) -> Connection: ...

    def describe(self, table: str) -> list[ColumnInfo]:
        """The columns of a table; none when there is no such table."""
        ...

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        """Columns of rows, as rows that are read by name or by place. A column may be
        ``count(*)``, ``min(x)`` or ``max(x)``, of each ``group`` where there are any. With an
        order or a limit no condition may have more than some hundred values."""
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
        """The same, one after the other."""
        ...

    def numbered(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The rows with their numbers, where the table numbers its rows and they have none."""
        ...

    def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        key: Sequence[str] = (),
        replace: bool = False,
    ) -> int:
        """Inserts rows and returns how many. Those with the same ``key`` as one that is there are
        left out, or with ``replace`` take its place."""
        ...

    def update(self, table: str, fields: Mapping[str, Any], where: Where) -> int:
        """Sets columns of rows; how many rows those were."""
        ...

    def delete(self, table: str, where: Where) -> int:
        """Deletes rows; how many."""
        ...
