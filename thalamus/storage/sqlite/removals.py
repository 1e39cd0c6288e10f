"""The queue of keys that the full-text index reads again, or removes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thalamus.storage.protocol.rows import Rows
from thalamus.storage.relational.tables import Tables


class Removals:
    """See ``storage.relational.unit_of_work.TextIndex``. New entries are found by their keys."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def neighbours(self, table: str, key: int) -> list[int]:
        from thalamus.storage.relational.indexed_text import dependants  # not needed by readers

        return dependants(self._tables, table, key)

    def finish(self, rows: Rows, added: Mapping[str, int], changed: Sequence[int]) -> None:
        rows.insert("removal", ("key",), [(key,) for key in changed])
