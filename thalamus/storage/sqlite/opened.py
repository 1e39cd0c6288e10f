"""What every part of the store needs: the connection, and SQLite's errors as Thalamus's."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.storage.sqlite.database import translated

if TYPE_CHECKING:
    from thalamus.storage.sqlite.indexes import Indexes


class Opened:
    """An open store: its folder, its connection and its indexes."""

    folder: Path
    path: Path
    _db: sqlite3.Connection
    _busy_timeout: float

    @cached_property
    def _indexes(self) -> Indexes:
        from thalamus.storage.sqlite.indexes import Indexes

        return Indexes(self.folder / "index", self._db)

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with translated(self.path, self._busy_timeout):
            return self._db.execute(query, values).fetchall()
