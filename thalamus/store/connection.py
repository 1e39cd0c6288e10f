"""Interface of a database driver to the SQL of this folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol


class Cursor(Protocol):
    """Result of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """Interface of a driver: one connection that runs SQL which SQLite and PostgreSQL both
    understand, with ``?`` for each value and ``IS ?`` for "equal, or both null". A driver
    translates what its database spells differently. Rows are accessed by name and by position."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Cursor: ...

    def executemany(self, query: str, values: Iterable[Sequence[Any]], /) -> Cursor: ...
