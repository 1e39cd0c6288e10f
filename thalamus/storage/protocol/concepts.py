"""Concepts and their entries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from thalamus.records.concepts import ConceptKind, ConceptName


class ConceptRow(NamedTuple):
    """A concept as stored; ``owner`` is '' for shared ones. ``seen``: number of its entries."""

    n: int
    owner: str
    key: str
    name: str
    kind: ConceptKind
    seen: int = 0


class Concepts(Protocol):
    """The concepts of a store, identified by number; entries are identified by key."""

    def read(
        self,
        owners: Sequence[str] | None = None,
        kind: str | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> list[ConceptRow]:
        """Concepts, those with the most entries first: of these owners or of all; ``since``: only
        those with an entry of that time or later."""
        ...

    def count(self) -> int:
        """The number of concepts."""
        ...

    def numbers(self, keys: Collection[str], owners: Collection[str] | None = None) -> list[int]:
        """Concepts with one of these keys, of these owners or of all."""
        ...

    def numbered(self, numbers: Collection[int]) -> dict[int, ConceptRow]:
        """Concepts by number, without the count of their entries."""
        ...

    def entries(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """(concept, entry) pairs of these concepts."""
        ...

    def of_entries(self, keys: Collection[int]) -> list[tuple[int, int]]:
        """(entry, concept) pairs of these entries."""
        ...

    def last_seen(self, numbers: Sequence[int]) -> dict[int, str]:
        """Time of the newest entry of each of these concepts."""
        ...

    def together(self, numbers: Sequence[int], limit: int) -> list[tuple[int, int, int]]:
        """(concept, other, number of common entries other than facts): for each of these concepts
        the ``limit`` others that share the most entries."""
        ...

    def missing(self, limit: int) -> list[tuple[int, str, str]]:
        """(key, kind of record, id) of the newest searchable, unencrypted entries without
        concepts."""
        ...


class MutableConcepts(Concepts, Protocol):
    """Concepts in a unit of work."""

    def set(
        self, about: Mapping[int, tuple[str, Sequence[ConceptName]]], *, new: bool = False
    ) -> None:
        """Replaces the concepts of entries, given by key as an owner and concepts of that owner
        (``new``: they had none). Concepts without entries are deleted when the unit of work
        ends."""
        ...

    def touch(self, keys: Sequence[int]) -> None:
        """Queues entries whose concepts are recomputed at the end of the unit of work."""
        ...
