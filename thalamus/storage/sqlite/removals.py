"""The queue of keys that the full-text index reads again, or removes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thalamus.storage.protocol.rows import Rows
from thalamus.storage.relational.indexed_text import dependants


class Removals:
    """See ``storage.relational.unit_of_work.TextIndex``. New entries are found by their keys."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def neighbours(self, table: str, key: int) -> list[int]:
        return dependants(self._rows, table, key)

    def finish(self, added: Mapping[str, int], changed: Sequence[int]) -> None:
        self._rows.insert("removal", ("key",), [(key,) for key in changed])
