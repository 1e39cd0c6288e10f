"""What a driver offers: a connection that runs the SQL of this folder.

The SQL is what SQLite and PostgreSQL both understand, with ``?`` for each value, ``IS ?`` for
"equal, or both null", and ``true`` and ``false``. A driver translates what its database writes
otherwise. The rows that it gives are read by name and by place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol


class Cursor(Protocol):
    """What came of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """One connection, in a transaction or not."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Cursor: ...

    def executemany(self, query: str, values: Iterable[Sequence[Any]], /) -> Cursor: ...
