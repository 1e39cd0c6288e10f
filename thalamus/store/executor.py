"""Execution of the statements of a migration."""

from __future__ import annotations

from typing import Any, Protocol


class Executor(Protocol):
    """Runs statements in the transaction of a migration, and returns cursors. ``tenants``: the
    rows are those of several, told apart by a column ``tenant``."""

    tenants: bool

    def execute(self, statement: str, /) -> Any: ...

    def drop_unique(self, table: str, column: str) -> None:
        """Lets a column of a table have the same value in several rows."""
        ...
