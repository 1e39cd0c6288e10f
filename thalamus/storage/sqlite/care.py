"""Looking after the store: checks, counts, indexes, backups."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.storage.sqlite.database import translated
from thalamus.storage.sqlite.opened import Opened

if TYPE_CHECKING:
    from thalamus.storage.shapes import Graph, IndexState
    from thalamus.storage.sqlite.head import Head


class Care(Opened):
    """What ``doctor``, ``reindex`` and ``backup`` do."""

    def counts(self) -> dict[str, int]:
        from thalamus.storage.sqlite.copying import COUNTED

        return {table: self._rows(f"SELECT count(*) FROM {table}")[0][0] for table in COUNTED}

    def check(self) -> list[str]:
        from thalamus.storage.sqlite import ledger
        from thalamus.storage.sqlite.copying import quick_check

        with translated(self.path, self._busy_timeout):
            return quick_check(self._db) or ledger.problems(self._db)

    def schema_version(self) -> int:
        """The number of migrations that were applied."""
        return int(self._rows("PRAGMA user_version")[0][0])

    def signed_head(self) -> Head | None:
        """How far the store is signed, and by which key; None when it is not. Raises ``Tampered``
        when that cannot be read."""
        from thalamus.storage.sqlite.sealing import checked_head

        with translated(self.path, self._busy_timeout):
            return checked_head(self._db)

    def count_sealed(self) -> tuple[int, int]:
        """How many rows are encrypted, and of how many the key is not here."""
        found = self._rows("SELECT subject, count(*) FROM sealed GROUP BY subject")
        boxes = self._boxes
        closed = sum(count for key, count in found if boxes is None or boxes.key_of(key) is None)
        return sum(count for _, count in found), closed

    def index_states(self) -> list[IndexState]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.states()

    def rebuild_indexes(self) -> list[IndexState]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.rebuild()

    def build_graphs(self, progress: Callable[[int], None]) -> list[Graph]:
        with translated(self.path, self._busy_timeout):
            return self._indexes.build_graphs(progress)

    def backup(self, target: Path) -> None:
        from thalamus.storage.sqlite.copying import copy_verified

        with translated(target, self._busy_timeout):
            copy_verified(self._db, target)
