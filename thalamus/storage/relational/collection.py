"""What collections read and write through: a store, or a unit of work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from thalamus.security.encryption import Cipher
    from thalamus.storage.protocol import Rows
    from thalamus.storage.protocol.conditions import Where


class Source(Protocol):
    """Reads rows: those of a store, or as a unit of work sees them."""

    @property
    def rows(self) -> Rows:
        """The rows as they are to be read."""
        ...

    def guard(self) -> AbstractContextManager[None]:
        """Turns the failures of a database into errors that a user can act on."""
        ...

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        """Columns of rows, as rows that are read by name or by place. A column may be
        ``count(*)``, ``min(x)`` or ``max(x)``, of each ``group`` where there are any. With an
        order or a limit no condition may have more than some hundred values."""
        ...

    def query(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows of a query in SQL."""
        ...

    def find(self, kind: type[Any], where: Where | None = None) -> list[Any]:
        """Records of a kind, opened."""
        ...

    def open(self, record: Any) -> Any:
        """A record with what is encrypted of it, as far as its key is here."""
        ...

    def reading_cipher(self) -> Cipher | None:
        """What opens encrypted content; None without keys."""
        ...


class Target(Source, Protocol):
    """Writes rows as well: a unit of work, whose layers sign and encrypt them."""

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
        """Inserts rows and returns how many. Those whose primary key is there already are left
        out."""
        ...

    def update(self, table: str, fields: Mapping[str, Any], where: Where) -> int:
        """Sets columns of rows; how many rows."""
        ...

    def delete(self, table: str, where: Where) -> int:
        """Deletes rows; how many."""
        ...
