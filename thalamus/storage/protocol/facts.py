"""Facts, their notes, and the periods in which they are believed to hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from thalamus.storage.protocol.records import MutableRecords, Records

if TYPE_CHECKING:
    from thalamus.records import Fact, Note
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.values import FactQuery, FactState, Filter


class StoredFact(NamedTuple):
    """A fact as stored, an encrypted one without its object and metadata. ``entity`` and ``value``
    are the keys by which its subject and object are compared."""

    key: int
    id: str
    user: str | None
    entity: str
    subject: str
    predicate: str
    object: str
    value: str
    valid_from: str | None
    valid_to: str | None
    retired_at: str | None
    metadata: str


class StoredBelief(NamedTuple):
    """A period in which a fact (its key) is believed to hold, with the time during which that was
    believed. Times have no Z (``records.history.sortable``). ``n``: number in order of writing."""

    fact: int
    valid_from: str
    valid_to: str | None
    believed_from: str
    believed_to: str | None
    n: int = 0


class SubjectCount(NamedTuple):
    """Display name and owner of a subject, and its number of facts."""

    name: str
    user: str | None
    facts: int


class Facts(Records, Protocol):
    """The facts of a store."""

    def read(self, where: Filter, entity: str | None = None, history: bool = False) -> list[Fact]:
        """Facts, about one ``entity``, that hold (at ``where.as_of``, or now), or were believed to
        at ``where.known_at``; with ``history`` all, in world order, each with its notes and
        beliefs."""
        ...

    def current(self, ids: Collection[str]) -> list[Fact]:
        """Those of these facts that are not retired."""
        ...

    def states(self, query: FactQuery) -> list[FactState]:
        """Facts that match a query, in storage order."""
        ...

    def matching(self, query: FactQuery) -> list[Fact]:
        """Facts that match a query, in storage order, as records."""
        ...

    def as_stored(self, ids: str | Sequence[str]) -> list[StoredFact]:
        """Facts with these ids, without decryption."""
        ...

    def find_stored(self, where: Where) -> list[StoredFact]:
        """Facts that match a condition, without decryption."""
        ...

    def with_history(self, fact: Fact) -> Fact:
        """The fact with all its notes and beliefs."""
        ...

    def predicates(self, where: Where | None = None) -> list[str]:
        """Predicates of facts, without duplicates."""
        ...

    def first_subject(self, where: Where) -> str | None:
        """Displayed subject of the fact that was stored first."""
        ...

    def subjects(self, where: Where | None = None) -> list[SubjectCount]:
        """Subjects of facts, with their number of facts."""
        ...

    def count_held(self, where: Where, at: str) -> int:
        """Number of facts that hold at a time, as currently believed."""
        ...

    def notes(self, key: int) -> list[tuple[int, Note]]:
        """Notes of a fact with their numbers, in order of writing."""
        ...

    def beliefs(self, key: int) -> list[StoredBelief]:
        """All beliefs about a fact, current and former, in order of writing."""
        ...

    def change_pages(
        self, end: Literal["valid_from", "valid_to"], time: Any, where: Where | None = None
    ) -> Iterator[list[StoredBelief]]:
        """Beginnings or ends of facts, as currently believed, newest first, in pages. ``time``:
        condition on that time, ``where``: on the facts."""
        ...


class MutableFacts(Facts, MutableRecords, Protocol):
    """Facts in a unit of work."""

    def add_note(self, key: int, note: Note) -> bool:
        """Adds a note to a fact; False when it has the same one."""
        ...

    def delete_note(self, key: int, kind: str, at: str) -> bool:
        """Deletes a note of a fact; True when there was one."""
        ...

    def add_beliefs(self, beliefs: Iterable[StoredBelief]) -> None:
        """Adds beliefs; each gets the next number."""
        ...

    def end_belief(self, key: int, valid_from: str, valid_to: str | None, at: str) -> None:
        """Ends, at a time, the belief that a fact holds between two others."""
        ...

    def reopen_beliefs(self, numbers: Collection[int]) -> None:
        """Removes the end of beliefs."""
        ...

    def delete_beliefs(self, numbers: Collection[int]) -> None:
        """Deletes beliefs."""
        ...
