"""What every part of the store needs: the connection, and SQLite's errors as Thalamus's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from thalamus.storage.sqlite.database import translated

if TYPE_CHECKING:
    from thalamus.storage.sqlite.indexes import Indexes
    from thalamus.storage.sqlite.sealed import Boxes

R = TypeVar("R")


class Opened:
    """An open store: its folder, its connection and its indexes."""

    folder: Path
    path: Path
    _db: sqlite3.Connection
    _busy_timeout: float
    _store_keys: Any = None
    _seal_personal: bool = False

    @cached_property
    def _indexes(self) -> Indexes:
        from thalamus.storage.sqlite.indexes import Indexes

        return Indexes(self.folder / "index", self._db)

    @cached_property
    def _boxes(self) -> Boxes | None:
        """What opens sealed content; None without keys."""
        from thalamus.storage.sqlite.sealed import Boxes

        if self._store_keys is None:
            return None
        return Boxes(self._db, self._store_keys, self._seal_personal)

    @property
    def _has_sealed(self) -> bool:
        return bool(self._db.execute("SELECT EXISTS (SELECT 1 FROM sealed)").fetchone()[0])

    def sealed(self, ids: Iterable[str]) -> set[str]:
        from thalamus.storage.sqlite.sealed_writer import sealed_ids

        with translated(self.path, self._busy_timeout):
            return sealed_ids(self._db, ids)

    def _open(self, record: R) -> R:
        """A record with what is sealed of it, as far as its key is here."""
        from thalamus.storage.sqlite.sealed import opened

        found: R = opened(record, self._boxes)
        return found

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with translated(self.path, self._busy_timeout):
            return self._db.execute(query, values).fetchall()
