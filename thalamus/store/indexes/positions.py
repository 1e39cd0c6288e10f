"""Progress of the tables, for comparison with the watermarks of the indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

_MARKS = (
    "SELECT (SELECT value FROM meta WHERE name = 'store'),"
    " (SELECT value FROM meta WHERE name = 'epoch'),"
    " (SELECT value - 1 FROM meta WHERE name = 'next_key'),"
    " (SELECT value - 1 FROM meta WHERE name = 'next_removal'),"
    " (SELECT value - 1 FROM meta WHERE name = 'next_embedding')"
)
_SPACES = "SELECT id, model, dimension, last FROM space"


class Marks(Struct, frozen=True):
    """Counters of the tables. ``removals`` and ``embeddings``: the largest numbers ever used;
    ``last_key``: the last key used."""

    store: str
    epoch: int
    last_key: int
    removals: int
    embeddings: int


class StoredSpace(Struct, frozen=True):
    """The vector space of one embedding model; ``last``: number of its newest embedding."""

    id: int
    model: str
    dimension: int
    last: int


class Positions:
    """Reads the counters of a store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._read: dict[str, list[Any]] | None = None  # results in a snapshot, by query

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """A block in which nothing changes, or need not be seen: everything is read once."""
        former, self._read = self._read, {} if self._read is None else self._read
        try:
            yield
        finally:
            self._read = former

    def _rows(self, query: str) -> list[Any]:
        if self._read is None:
            return self._db.execute(query).fetchall()
        if query not in self._read:
            self._read[query] = self._db.execute(query).fetchall()
        return self._read[query]

    def version(self) -> int:
        """A number that changes when another connection writes."""
        [row] = self._rows("PRAGMA data_version")
        return int(row[0])

    def marks(self) -> Marks:
        """All counters at once."""
        [(store, epoch, *numbers)] = self._rows(_MARKS)
        return Marks(str(store or ""), int(epoch or 0), *(int(number or 0) for number in numbers))

    def removed_since(self, n: int) -> list[int]:
        """Keys of the entries that were removed after removal ``n``."""
        return [
            row[0] for row in self._db.execute("SELECT DISTINCT key FROM removal WHERE n > ?", (n,))
        ]

    def last_event(self) -> list[Any]:
        """Number and hash of the last ledger entry; empty when it is missing."""
        row = self._db.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
        return list(row) if row else []

    def has_event(self, anchor: list[Any]) -> bool:
        """True when the ledger has this entry, and always for an empty one."""
        if not anchor:
            return True
        row = self._db.execute("SELECT hash FROM event WHERE seq = ?", anchor[:1]).fetchone()
        return row is not None and row[0] == anchor[1]

    def spaces(self) -> list[StoredSpace]:
        return [StoredSpace(*row) for row in self._rows(_SPACES)]

    def space(self, model: str) -> StoredSpace | None:
        return next((space for space in self.spaces() if space.model == model), None)

    def last_embedding(self, space: int) -> int:
        """Number of the newest embedding of a space; 0 when there is none."""
        return next((one.last for one in self.spaces() if one.id == space), 0)
