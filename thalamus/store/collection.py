"""Base classes of collections, which read and write through a store or a unit of work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.store.row_access import SelectableRows

if TYPE_CHECKING:
    from thalamus.records.kinds import Kind
    from thalamus.records.ownership import Owner
    from thalamus.store.conditions import Clause, Where
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.row_access import Rows
    from thalamus.store.spellings import Spellings


class RowReader(SelectableRows, Protocol):
    """Reads rows of a store, or as a unit of work sees them."""

    @property
    def rows(self) -> Rows:
        """The rows to be read."""
        ...

    @property
    def owner(self) -> Owner:
        """The user and agent whose rows are read."""
        ...

    def guard(self) -> AbstractContextManager[None]:
        """Converts the database's errors to Thalamus's own."""
        ...

    def query(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Rows of a query in SQL."""
        ...

    def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Rows of a query in SQL; see ``tables.Tables.fetch``."""
        ...

    def source(self, table: str, alias: str = "") -> str:
        """A table or view as written after ``FROM`` or ``JOIN`` in a query."""
        ...

    @property
    def spellings(self) -> Spellings:
        """Spellings of names in a store of an older version."""
        ...

    def find(
        self, kind: type[Any], where: Where | Clause | None = None, order: Sequence[str] = ()
    ) -> list[Any]:
        """Records of a kind, decrypted."""
        ...

    def open(self, record: Any) -> Any:
        """A record with its content decrypted, if its key is available."""
        ...

    def reading_cipher(self) -> Cipher | None:
        """Cipher for decryption; None without keys."""
        ...


class RowWriter(RowReader, Protocol):
    """Writes rows too: a unit of work, whose layers sign and encrypt them."""

    @property
    def acting(self) -> Owner:
        """The owner of what the present process does."""
        ...

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
        """Inserts rows and returns how many. Those whose primary key exists already are left
        out."""
        ...

    def update(self, table: str, fields: Mapping[str, Any], where: Where | Clause) -> int:
        """Sets columns of rows; returns how many rows."""
        ...

    def rename(self, kind: Kind, column: str, ids: Sequence[str], name: str) -> None:
        """Gives records another user, agent or session; see ``MutableRecords.rename``."""
        ...

    def delete(self, table: str, where: Where | Clause) -> int:
        """Deletes rows; returns how many."""
        ...
