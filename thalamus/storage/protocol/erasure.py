"""Erasure of deleted content from a store's files, and the search for its residue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from msgspec import Struct

from thalamus.storage.protocol.maintenance import Backups
from thalamus.storage.protocol.store import Store
from thalamus.storage.protocol.values import Change

if TYPE_CHECKING:
    from thalamus.storage.protocol.maintenance import IndexState
    from thalamus.storage.protocol.writer import Writer

KEYS_TO_DROP = "keys_to_drop"  # key in ``meta``: ids of keys whose last row was deleted, as JSON
ERASURES = "erasures"  # key in ``meta``: number of erasures


class ErasedContent(Struct):
    """Deleted content, kept in memory only: for the search for residue, and for the receipt.

    ``texts``: (id, kind, text); ``vectors``: first bytes of embeddings and encrypted values;
    ``before`` and ``after``: the head of the ledger; ``changes``: facts whose intervals changed
    because of the deletion.
    """

    counts: dict[str, int] = {}
    texts: list[tuple[str, str, str]] = []
    names: list[str] = []
    vectors: list[bytes] = []
    keys: list[int] = []
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    changes: list[Change] = []


class Residue(Struct, frozen=True):
    """A remainder of forgotten content: its file, byte offset (-1: not a place in a file), and
    description. ``copy``: the file is not part of the store and was not touched."""

    file: str
    offset: int
    what: str
    copy: bool = False


class ResidueReport(Struct):
    """Result of the search for residue. ``words``: forgotten words that also occur in what was
    kept; ``rows``: searched in a database server, whose files are not read; ``limits``: what cannot
    be searched, in words."""

    files: int = 0
    rows: int = 0
    bytes: int = 0
    probes: int = 0
    found: list[Residue] = []
    words: list[str] = []
    copies: list[str] = []
    limits: list[str] = []


Holds = Callable[[bytes], bool]  # tests bytes for forgotten content
# removes forgotten content from a file; returns the bytes to be searched instead of it, if not all
Clean = Callable[[Holds], "bytes | None"]


@runtime_checkable
class Erasable(Protocol):
    """Erasure of deleted content from a store's files."""

    def mark(self) -> object:
        """A value that changes with every write to the store."""
        ...

    def forgetting(self) -> AbstractContextManager[Writer]:
        """A unit of work whose deletions can be erased completely: after it the store is
        ``unfinished``. Raises ``StoreBusy`` or ``StoreFull``, in which case nothing was deleted."""
        ...

    def unfinished(self) -> bool:
        """True when something was deleted and not yet erased from the files."""
        ...

    def erase(self, progress: Callable[[str], None]) -> list[str]:
        """Erases deleted content from the indexes and the files; returns the failures."""
        ...

    def orphans(self) -> dict[str, int]:
        """Number of rows in each table that are derived from records which do not exist."""
        ...

    def rebuild_indexes(self) -> list[IndexState]:
        """Rewrites the indexes."""
        ...

    def limits(self) -> list[str]:
        """Places that erasure and the search do not reach, in words."""
        ...

    def finished(self) -> None:
        """Records that nothing remains to be erased."""
        ...

    def residue(
        self,
        forgotten: ErasedContent,
        copies: Iterable[Path],
        progress: Callable[[str], None],
        outside: Mapping[Path, Clean] | None = None,
    ) -> ResidueReport:
        """Searches for residue in all files of the store, in those ``outside`` it, which are
        cleaned first, and in ``copies``."""
        ...


@runtime_checkable
class ErasableStore(Backups, Erasable, Store, Protocol):
    """A store that can forget, and search its own backups for residue."""
