"""What collections read and write through: a store, or a unit of work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where


class Source(Protocol):
    """Reads rows: those of a store, or as a unit of work sees them."""

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]: ...


class Target(Source, Protocol):
    """Writes rows as well: a unit of work, whose layers sign and encrypt them."""

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int: ...

    def update(self, table: str, fields: Mapping[str, Any], where: Where) -> int: ...

    def delete(self, table: str, where: Where) -> int: ...
