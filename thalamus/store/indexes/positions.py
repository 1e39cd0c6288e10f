"""Progress of the tables, for comparison with the watermarks of the indexes."""

from __future__ import annotations

import sqlite3
from typing import Any

from msgspec import Struct

from thalamus.store.tables import COUNTERS

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

    def version(self) -> tuple[int, int]:
        """Changes whenever anything is written, here or by another connection."""
        row = self._db.execute("PRAGMA data_version").fetchone()
        return int(row[0]), self._db.total_changes

    def meta(self, name: str) -> str:
        """A store-wide value, or an empty string."""
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def marks(self) -> Marks:
        """All counters at once."""
        store, epoch, *numbers = self._db.execute(_MARKS).fetchone()
        return Marks(str(store or ""), int(epoch or 0), *(int(number or 0) for number in numbers))

    def last_key(self) -> int:
        """The last key used."""
        return self._taken("key")

    def last_removal(self) -> int:
        return self._taken("removal")

    def last_embedding(self, space_id: int) -> int:
        """Number of the newest embedding of one model."""
        return self._number("SELECT last FROM space WHERE id = ?", space_id)

    def _taken(self, counter: str) -> int:
        """Largest number ever taken from a counter."""
        query = "SELECT value - 1 FROM meta WHERE name = ?"
        return self._number(query, COUNTERS[counter])

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
        return [StoredSpace(*row) for row in self._db.execute(_SPACES)]

    def space(self, model: str) -> StoredSpace | None:
        row = self._db.execute(f"{_SPACES} WHERE model = ?", (model,)).fetchone()
        return StoredSpace(*row) if row else None

    def _number(self, query: str, *values: Any) -> int:
        row = self._db.execute(query, values).fetchone()
        return int(row[0] or 0) if row else 0
