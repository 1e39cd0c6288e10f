"""Concepts, and which entries are about them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from thalamus.records import ConceptKind


class ConceptRow(NamedTuple):
    """A concept as it is stored; ``owner`` '' for nobody in particular. ``seen``: how many entries
    are about it."""

    n: int
    owner: str
    key: str
    name: str
    kind: ConceptKind
    seen: int = 0


class Concepts(Protocol):
    """The concepts of a store. They are named by their numbers, entries by their keys."""

    def read(
        self,
        owners: Sequence[str] | None = None,
        kind: str | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> list[ConceptRow]:
        """Concepts, those that most is about first: of these owners or of all; ``since``: only
        those that something is about which was said then or later."""
        ...

    def count(self) -> int:
        """The number of concepts."""
        ...

    def numbers(self, keys: Collection[str], owners: Collection[str] | None = None) -> list[int]:
        """The concepts that are compared by one of these texts, of these owners or of all."""
        ...

    def numbered(self, numbers: Collection[int]) -> dict[int, ConceptRow]:
        """Concepts by their numbers; how many entries are about them is not counted."""
        ...

    def degrees(self, numbers: Collection[int]) -> dict[int, int]:
        """The number of entries that are about each of these concepts."""
        ...

    def entries(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """(concept, entry) of everything that is about one of these concepts."""
        ...

    def of_entries(self, keys: Collection[int]) -> list[tuple[int, int]]:
        """(entry, concept) of everything that these entries are about."""
        ...

    def last_seen(self, numbers: Sequence[int]) -> dict[int, str]:
        """When the newest entry was said that is about each of these concepts."""
        ...

    def together(self, numbers: Sequence[int], limit: int) -> list[tuple[int, int, int]]:
        """(concept, other, how many entries other than facts are about both) of these concepts and
        others: of each the ``limit`` others that share most."""
        ...

    def missing(self, limit: int) -> list[tuple[int, str, str]]:
        """(key, kind of record, id) of the newest entries that can be found, are not encrypted,
        and are about no concept."""
        ...
