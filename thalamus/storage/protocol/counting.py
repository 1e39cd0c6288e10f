"""Counts by the database, without reading every record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from thalamus.storage.protocol.store import Store

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where


class Counting(Protocol):
    """Counts by the database, without reading every record."""

    def sizes(self) -> dict[str, int]:
        """Bytes on disk of the tables and of each index."""
        ...

    def recalls_between(
        self, times: Sequence[str], where: Where | None = None
    ) -> list[tuple[int, int]]:
        """(turns with evidence, pieces of evidence) of the turns in each period, as in
        ``count_between``."""
        ...

    def inactive_memories(self) -> dict[str, int]:
        """Number of memories by status, without active ones."""
        ...

    def quarantined_memories(self) -> list[str | None]:
        """Reasons for the quarantine of memories, as JSON; None for an encrypted one."""
        ...

    def most_recalled(self, limit: int) -> list[tuple[str, int]]:
        """(id, number of turns that it is evidence of), most often first."""
        ...

    def count_never_recalled(self, without: Sequence[str]) -> int:
        """Number of active non-core memories never used as evidence, excluding these types."""
        ...

    def oldest_never_recalled(self, without: Sequence[str], limit: int) -> list[str]:
        """Ids of the oldest of them."""
        ...

    def last_stages(self, entries: int) -> list[tuple[str, str]]:
        """(time, data as JSON) of stage entries among the last ``entries`` of the ledger, newest
        first."""
        ...


@runtime_checkable
class CountingStore(Store, Counting, Protocol):
    """A store with ``Counting``."""
