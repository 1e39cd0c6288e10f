"""A store of one tenant: units of work, searches, and records by id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.storage.protocol.reader import R, Reader

if TYPE_CHECKING:
    from thalamus.records import Document, Fact, Insight, Memory, Plan, Project, Turn, WorldChange
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.values import (
        Filter,
        Found,
        Hit,
        IndexedRow,
        Similarities,
        Vector,
    )
    from thalamus.storage.protocol.writer import Writer


class Store(Reader, Protocol):
    """A store of one tenant."""

    @property
    def database(self) -> str:
        """The name of the database: SQLite, PostgreSQL."""
        ...

    @property
    def place(self) -> str:
        """The place of the store in words, without a password."""
        ...

    def writing(self, more: bool = False, *, wait: bool = True) -> AbstractContextManager[Writer]:
        """A unit of work. Raises ``StoreBusy`` or ``StoreFull``, in which case nothing was written.

        ``more``: further ones follow at once, so the search indexes are only synced now and then,
        and when the store is closed. ``wait`` false is for dispensable writes that are in no index:
        it raises ``StoreBusy`` at once instead of waiting for another process.
        """
        ...

    def reading(self) -> AbstractContextManager[None]:
        """One view of the store for several reads, in which nothing is written. Kept short: while
        it is open, SQLite cannot shorten its log file."""
        ...

    def exclusive(self, task: str, wait: bool = False) -> AbstractContextManager[None]:
        """Holds the lock of a task that one process at a time may run. Raises ``StoreBusy``, unless
        it is to ``wait`` for as long as that takes."""
        ...

    def search_text(self, tokens: Sequence[str], where: Filter, limit: int) -> list[Hit]:
        """Full text: the best ``limit`` entries by BM25 for these query tokens."""
        ...

    def search(
        self,
        tokens: Sequence[str],
        vector: Vector | None,
        where: Filter,
        limit: int,
        *,
        informative: bool = False,
        scored: bool = True,
    ) -> Found:
        """The best ``limit`` entries by BM25 for these query tokens, and the ``limit`` nearest ones
        by cosine similarity in the vector's space. The scores are of the entries in the indexes
        alone: an encrypted one that the vector found has none. Without ``scored`` they are left
        out. With ``informative`` a large store may ignore tokens that are too common to be
        informative, which take the longest: for queries made of all words of a text."""
        ...

    def similarities(
        self, vector: Vector, keys: Sequence[int], sentences: Sequence[int] = ()
    ) -> Similarities:
        """Cosines of the entries with these ``keys``, which were found before, the store's average
        cosine, and the cosine of the nearest sentence of the entries in ``sentences``."""
        ...

    def entries(self, where: Filter, limit: int) -> list[IndexedRow]:
        """Entries without a query, newest first."""
        ...

    def get(
        self, id: str
    ) -> Turn | Memory | Fact | Document | Project | Insight | Plan | WorldChange | None:
        """The record with this id."""
        ...

    def complete_id(self, prefix: str) -> list[str]:
        """Ids that begin with ``prefix`` (at most 10)."""
        ...

    def keys_after(self, key: int, limit: int) -> list[tuple[int, str]]:
        """(key, kind of record) of the next entries in storage order."""
        ...

    def each(self, kind: type[R], where: Where | None = None) -> Iterator[R]:
        """The records of a kind in storage order, read in steps."""
        ...

    def everything(self) -> Iterator[Any]:
        """Every record, in an order in which they can be imported."""
        ...

    def counts(self) -> dict[str, int]:
        """Number of rows of each kind."""
        ...

    def close(self) -> None:
        """Closes files and releases locks."""
        ...
