"""Reading and emptying of the ledger; ``Writer.add_event`` appends to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.records import Event
    from thalamus.storage.protocol.conditions import Where

GENESIS = "0" * 64  # hash before the first ledger entry
FORGOTTEN = "forgotten"  # name of the ledger entry that names emptied ones
# name of the entry that names those whose content was encrypted after they were chained
ENTRIES_ENCRYPTED = "entries_encrypted"


class Events(Protocol):
    """The entries of the ledger."""

    def read(
        self,
        turn: str | None = None,
        limit: int | None = None,
        since: str | None = None,
        *,
        of_all: bool = False,
    ) -> Iterator[Event]:
        """Entries that the store's owner reaches, or ``of_all`` owners, oldest first: of one turn,
        the last ``limit``, or those ``since`` a time."""
        ...

    def last(self) -> tuple[int, str]:
        """Number and hash of the last entry."""
        ...

    def data(self, where: Where, limit: int) -> list[str]:
        """Data of the last entries, as JSON, newest first."""
        ...


class MutableEvents(Events, Protocol):
    """The ledger in a unit of work."""

    def rename(self, column: str, name: str, new: str) -> None:
        """Gives the entries of a ``user`` or an ``agent`` to another."""
        ...

    def empty(self, numbers: Sequence[int]) -> None:
        """Removes the words from entries, whose hashes stay."""
        ...
