"""What a unit of work does to memories that are there: the part of ``Writer`` for decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.records import Memory
    from thalamus.storage.shapes import Vector


class Decisions(Protocol):
    """Reads and changes memories by id, whatever their status."""

    def memory(self, id: str) -> Memory | None:
        """The memory with this id."""
        ...

    def reinforce(self, id: str, gain: float, at: str) -> None:
        """It was said again: strength, how often, when last."""
        ...

    def set_status(self, id: str, status: str) -> None:
        """Makes a memory active, superseded or quarantined."""
        ...

    def release(self, memory: Memory, vector: Vector | None = None) -> None:
        """Makes a quarantined memory active, as one that was stored just now."""
        ...

    def mark_stale(self, ids: Sequence[str], reason: str | None) -> list[str]:
        """Marks memories as perhaps no longer true, or takes the mark away (None); returns the
        ids of those that were changed."""
        ...

    def derived(self, id: str) -> list[str]:
        """The ids of what was derived from this, or is about it."""
        ...

    def quarantined_like(self, memory: Memory) -> str | None:
        """The id of a quarantined memory of the same owner with the same content."""
        ...

    def clear_quarantine(self, now: str) -> int:
        """Drops what has been in quarantine for long enough; how many that were."""
        ...
