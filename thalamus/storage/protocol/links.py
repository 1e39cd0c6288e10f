"""Links: which record was made of which, is evidence of which, or is about which."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.records import Link

Ids = Collection[str] | str  # one id or several


class Links(Protocol):
    """The links of a store. ``relations``: only those of one of these."""

    def outgoing(self, ids: Ids, *relations: str) -> list[Link]:
        """The links whose source is one of these."""
        ...

    def incoming(self, ids: Ids, *relations: str) -> list[Link]:
        """The links whose target is one of these."""
        ...

    def targets(self, ids: Ids, *relations: str) -> list[str]:
        """The ids to which links lead from one of these."""
        ...

    def sources(self, ids: Ids, *relations: str) -> list[str]:
        """The ids from which links lead to one of these."""
        ...


class MutableLinks(Links, Protocol):
    """The same in a unit of work."""

    def add(self, links: Iterable[Link]) -> None:
        """Adds links; those that are there already stay."""
        ...

    def delete(self, source: str, relation: str, target: str) -> bool:
        """Deletes a link; whether it was there."""
        ...
