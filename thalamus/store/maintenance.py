"""Backups and checks of a store, and upkeep of its indexes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from thalamus.records.reports import Finding


class ServerState(Struct, frozen=True):
    """State of a database server. ``name``: with its version and extensions; ``now``: by its
    clock; ``changes``: of tables, by anything but Thalamus."""

    name: str
    now: datetime
    changes: list[Finding]


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
