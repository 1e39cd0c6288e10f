"""The tables, as numbered migrations that every database applies: a list that only grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from thalamus.storage.relational import create_tables


class Executor(Protocol):
    """Runs statements in the transaction of a migration."""

    def execute(self, statement: str, /) -> Any: ...


def m0001_initial(db: Executor) -> None:
    """Records and their dependent rows, the ledger, signatures, and index counters."""
    for statement in create_tables.statements():
        db.execute(statement)


def m0002_memory_validity(db: Executor) -> None:
    """Validity periods of memories."""
    for statement in create_tables.MEMORY_VALIDITY:
        db.execute(statement)


def m0003_owner_indexes(db: Executor) -> None:
    """Indexes of rows by owner and time, and of the current beliefs by time."""
    for statement in create_tables.OWNER_INDEXES:
        db.execute(statement)


Migration = Callable[[Executor], None]
MIGRATIONS: tuple[Migration, ...] = (m0001_initial, m0002_memory_validity, m0003_owner_indexes)
