"""What a store gives and takes when something is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.policy.forget import Going, Piece
    from thalamus.records import Document, Link
    from thalamus.storage.protocol import Writer
    from thalamus.storage.shapes import Change


@dataclass
class Forgotten:
    """What went, kept in memory only: to look for what may be left of it, and for the receipt.

    ``texts``: (id, kind, text); ``vectors``: the beginnings of their embeddings and
    of what was encrypted; ``before`` and ``after``: the head of the ledger; ``changes``: the facts
    that hold otherwise without those that went.
    """

    counts: dict[str, int] = field(default_factory=dict)
    texts: list[tuple[str, str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    vectors: list[bytes] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    before: dict[str, object] = field(default_factory=dict)
    after: dict[str, object] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)


@dataclass(frozen=True)
class Residue:
    """Something that is left: in which file, at which byte (-1: not a place in a file), what it is.
    ``copy``: the file is no part of the store and was not touched."""

    file: str
    offset: int
    what: str
    copy: bool = False


@dataclass
class Search:
    """How the search for residue went. ``words`` of the forgotten still stand in what was kept."""

    files: int = 0
    bytes: int = 0
    probes: int = 0
    found: list[Residue] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    copies: list[str] = field(default_factory=list)


Holds = Callable[[bytes], bool]  # whether some bytes hold anything of what was forgotten
Clean = Callable[[Holds], None]  # takes what holds it out of a file
Forget = Callable[["Going", list[str]], Forgotten]


class Forgetful(Protocol):
    """What a store promises so that it can forget."""

    def pieces(self) -> Iterator[Piece]:
        """Every row but those of the ledger, to be judged."""
        ...

    def event_pieces(self) -> Iterator[Piece]:
        """The ledger's entries that still say something."""
        ...

    def all_links(self) -> Iterator[Link]:
        """All provenance links."""
        ...

    def also_called(self, subject: str) -> list[str]:
        """The other names of a subject, where the store keeps any."""
        ...

    def documents(self) -> list[Document]:
        """All documents."""
        ...

    def mark(self) -> tuple[int, ...]:
        """Something that is different after anybody wrote to the store."""
        ...

    def forgetting(self) -> AbstractContextManager[tuple[Forget, Writer]]:
        """One transaction: the first that it yields deletes what goes, and is given the names that
        were asked for. Raises ``StoreBusy`` or ``StoreFull``; then nothing was deleted."""
        ...

    def unfinished(self) -> bool:
        """Whether something was deleted and not yet erased from the files."""
        ...

    def erase(self, progress: Callable[[str], None]) -> list[str]:
        """Erases what was deleted from the indexes and the files; what could not be done."""
        ...

    def finished(self) -> None:
        """Notes that nothing is left to be erased."""
        ...

    def residue(
        self,
        forgotten: Forgotten,
        copies: Iterable[Path],
        progress: Callable[[str], None],
        beside: Mapping[Path, Clean] | None = None,
    ) -> Search:
        """Looks for what is left, in all files of the store, in those ``beside`` it, which are
        cleaned first, and in ``copies``."""
        ...

    def backups(self) -> list[Path]:
        """Where copies of the store were written, as far as is known."""
        ...
