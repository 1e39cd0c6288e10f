"""Backups and checks of a store, and upkeep of its indexes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from thalamus.records.reports import Finding


@runtime_checkable
class Backups(Protocol):
    """Copies of a store, and their locations."""

    def backup(self, target: Path) -> None:
        """Writes a consistent copy of the tables to a file, while others may write."""
        ...

    def backups(self) -> list[Path]:
        """Known locations of copies of the store."""
        ...

    def note_backup(self, path: Path) -> None:
        """Records the location of a copy."""
        ...


class ServerState(Struct, frozen=True):
    """State of a database server. ``name``: with its version and extensions; ``now``: by its
    clock; ``changes``: of tables, by anything but Thalamus."""

    name: str
    now: datetime
    changes: list[Finding]


@runtime_checkable
class Hosted(Protocol):
    """A store on a database server, which other machines may use too."""

    def server(self) -> ServerState:
        """The present state of the server."""
        ...


class CopyReport(Struct):
    """Result of copying a store. ``store``: its id; ``counts``: rows of each kind; ``resumed``: a
    part of them had been copied before; ``restarted``: that part is not what the source has now.
    """

    store: str
    counts: dict[str, int] = {}
    resumed: bool = False
    restarted: bool = False


class Initialization(Struct, frozen=True):
    """Tables that were made or migrated. ``former``: the version before; empty if there were
    none; ``repaired``: what was missing or switched off."""

    place: str
    former: str
    version: str
    role_made: bool
    repaired: list[str]


class HnswResult(Struct):
    """Result of building an HNSW index over one model's vectors.

    ``recall``: share of the nearest 10 that it finds; None when none was built.
    """

    model: str
    rows: int
    kept: bool = False
    recall: float | None = None
    expansion: int = 0
    note: str = ""


class IndexState(Struct):
    """State of an index relative to the tables."""

    name: str
    entries: int
    behind: int
    healthy: bool
    note: str = ""
    extra: dict[str, Any] = {}


@runtime_checkable
class Maintenance(Protocol):
    """Checks of a store, and upkeep of its indexes."""

    def schema_version(self) -> str:
        """Version of the tables, which grows with each migration."""
        ...

    def check(self) -> list[str]:
        """Problems of the tables; empty when they are sound."""
        ...

    def count_encrypted(self) -> tuple[int, int]:
        """(encrypted rows, those of them whose key is missing)."""
        ...

    def index_states(self) -> list[IndexState]:
        """State of each index, its files verified byte by byte."""
        ...

    def rebuild_indexes(self) -> list[IndexState]:
        """Rebuilds every index from the tables. HNSW indexes are deleted; ``keep_hnsw`` builds new
        ones."""
        ...

    def build_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds an HNSW index over the vectors of each model, which takes minutes.

        Keeps those whose recall against a scan is good enough. ``progress`` is called with the
        number of rows added.
        """
        ...

    def keep_hnsw(self, progress: Callable[[int], None]) -> list[HnswResult]:
        """Builds or extends HNSW indexes that are missing or cover too little, like the background
        process; does nothing while that is running. Returns the attempts."""
        ...
