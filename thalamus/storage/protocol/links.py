"""Links between records: derivation, evidence, subject."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.records import Link

Ids = Collection[str] | str  # one id or several


class Links(Protocol):
    """The links of a store. ``relations`` restricts them to these."""

    def outgoing(self, ids: Ids, *relations: str) -> list[Link]:
        """Links whose source is one of these."""
        ...

    def incoming(self, ids: Ids, *relations: str) -> list[Link]:
        """Links whose target is one of these."""
        ...

    def around(
        self, ids: Ids, incoming: Collection[str], outgoing: Collection[str]
    ) -> tuple[list[Link], list[Link]]:
        """Links to these ids, and links from them, of these relations."""
        ...

    def targets(self, ids: Ids, *relations: str) -> list[str]:
        """Targets of the links from these ids."""
        ...

    def sources(self, ids: Ids, *relations: str) -> list[str]:
        """Sources of the links to these ids."""
        ...


class MutableLinks(Links, Protocol):
    """Links in a unit of work."""

    def add(self, links: Iterable[Link]) -> None:
        """Adds links; existing ones stay."""
        ...

    def delete(self, source: str, relation: str, target: str) -> bool:
        """Deletes a link; True when there was one."""
        ...
