"""Facts, what was recorded of them later, and when they are believed to hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from thalamus.storage.protocol.records import MutableRecords, Records

if TYPE_CHECKING:
    from thalamus.records import Fact, Note
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.values import FactQuery, FactState, Filter


class StoredFact(NamedTuple):
    """A fact as it is stored: an encrypted one without its object and metadata. ``entity`` and
    ``value`` are what its subject and object are compared by."""

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
    """When a fact (its key) holds, as it was believed from some time on, until another. Times have
    no Z (``records.history.sortable``). ``n``: in the order in which they were written."""

    fact: int
    valid_from: str
    valid_to: str | None
    believed_from: str
    believed_to: str | None
    n: int = 0


class SubjectCount(NamedTuple):
    """A subject as it is shown, whose it is, and how many facts are about it."""

    name: str
    user: str | None
    facts: int


class Facts(Records, Protocol):
    """The facts of a store."""

    def read(self, where: Filter, entity: str | None = None, history: bool = False) -> list[Fact]:
        """Facts, about one ``entity``, that hold (at ``where.as_of``, or now), or were believed to
        ``where.known_at``; with ``history`` all, in world order, each with what was recorded of it
        and believed about it."""
        ...

    def states(self, query: FactQuery) -> list[FactState]:
        """The facts that a query names, in the order in which they were stored."""
        ...

    def as_stored(self, where: Where) -> list[StoredFact]:
        """Facts without opening what is encrypted of them."""
        ...

    def with_history(self, fact: Fact) -> Fact:
        """The fact with everything that was recorded of it and believed about it."""
        ...

    def predicates(self, where: Where | None = None) -> list[str]:
        """The predicates of facts, each once."""
        ...

    def first_subject(self, where: Where) -> str | None:
        """The subject, as it is shown, of the fact that was stored first."""
        ...

    def subjects(self, where: Where | None = None) -> list[SubjectCount]:
        """What facts are about, with the number of facts."""
        ...

    def count_held(self, where: Where, at: str) -> int:
        """The number of facts that hold at a time, as is believed at present."""
        ...

    def notes(self, key: int) -> list[tuple[int, Note]]:
        """The notes of a fact with their numbers, in the order in which they came."""
        ...

    def beliefs(self, key: int) -> list[StoredBelief]:
        """When a fact holds, as it was ever believed, in the order in which it was written."""
        ...

    def change_pages(
        self, end: Literal["valid_from", "valid_to"], time: Any, where: Where | None = None
    ) -> Iterator[list[StoredBelief]]:
        """When facts began or ended, as is believed at present, newest first, a page at a time.
        ``time``: the condition on that time, ``where``: the one on the facts."""
        ...


class MutableFacts(Facts, MutableRecords, Protocol):
    """The same in a unit of work."""

    def add_note(self, key: int, note: Note) -> bool:
        """Adds a note to a fact; False when the same is there."""
        ...

    def delete_note(self, key: int, kind: str, at: str) -> bool:
        """Deletes a note of a fact; whether it was there."""
        ...

    def delete_notes(self, numbers: Collection[int]) -> None:
        """Deletes notes."""
        ...

    def add_beliefs(self, beliefs: Iterable[StoredBelief]) -> None:
        """Adds when facts hold; each gets the next number."""
        ...

    def end_belief(self, key: int, valid_from: str, valid_to: str | None, at: str) -> None:
        """Ends, at a time, the belief that a fact holds between two others."""
        ...

    def reopen_beliefs(self, numbers: Collection[int]) -> None:
        """Takes back that beliefs ended."""
        ...

    def delete_beliefs(self, numbers: Collection[int]) -> None:
        """Deletes beliefs."""
        ...
