"""The queue of keys that the full-text index reads again, or removes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thalamus.store.indexed_text import dependants
from thalamus.store.tables import Tables


class Removals:
    """See ``store.writer.TextIndex``. New entries are found by their keys."""

    def __init__(self, rows: Tables) -> None:
        self._rows = rows

    def neighbours(self, table: str, key: int) -> list[int]:
        return dependants(self._rows, table, key)

    def finish(self, added: Mapping[str, int], changed: Sequence[int]) -> None:
        self._rows.insert("removal", ("key",), [(key,) for key in changed])
