"""Rows of a store, read and written unchanged in bulk: signatures, ciphertexts, counters and the
ledger included."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from thalamus.store.schema import table_names
from thalamus.store.tables import primary_key

if TYPE_CHECKING:
    from thalamus.store.keys import Keys
    from thalamus.store.signing.audit import StoreVerification
    from thalamus.store.tables import ColumnInfo, Tables

Row = tuple[Any, ...]


class BulkTable(Struct, frozen=True):
    """A table; ``keys``: its primary key, in whose order it is read."""

    name: str
    columns: list[ColumnInfo]
    keys: list[str]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def key_of(self, row: Row) -> Row:
        """Primary key of a row."""
        names = self.names
        return tuple(row[names.index(key)] for key in self.keys)


class BulkRows(ABC):
    """The rows of one tenant. ``place``: of the store, in words."""

    def __init__(self, tables: Tables, place: str) -> None:
        self.tables = tables
        self.place = place

    # -- as a source ------------------------------------------------------------------------------

    def described(self) -> list[BulkTable]:
        """The tables of rows, without the store-wide values and what is computed from the rows."""
        found = []
        for name in table_names():
            if name == "meta" or not (columns := self.tables.describe(name)):
                continue
            found.append(BulkTable(name, columns, primary_key(columns)))
        return found

    def values(self) -> dict[str, str]:
        """The store-wide values."""
        return dict(self.tables.values())

    def each(self, table: BulkTable, after: Row | None = None) -> Iterator[Row]:
        """The rows of a table in the order of their keys, perhaps only those ``after`` a key."""
        keys = ", ".join(f'"{name}"' for name in table.keys)
        columns = ", ".join(f'"{name}"' for name in table.names)
        query = f"SELECT {columns} FROM {table.name}"
        if after is not None:
            query += f" WHERE ({keys}) > ({', '.join('?' * len(after))})"
        yield from self._stream(*self.tables.translated(f"{query} ORDER BY {keys}", after or ()))

    @abstractmethod
    def _stream(self, query: str, values: Sequence[Any]) -> Iterator[Row]:
        """The rows of a query, without keeping all of them in memory."""

    # -- as a target ------------------------------------------------------------------------------

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """One transaction, or the one that is under way."""

    @abstractmethod
    def insert(self, table: BulkTable, rows: Sequence[Row]) -> None: ...

    @abstractmethod
    def build(self) -> None:
        """Computes what is not copied from the rows that are there."""

    @abstractmethod
    def verification(self, keys: Keys) -> AbstractContextManager[StoreVerification]:
        """A comparison of the rows with their signatures."""

    def last(self, table: BulkTable) -> Row | None:
        """The greatest key in a table; None without rows."""
        keys = ", ".join(f'"{name}"' for name in table.keys)
        order = ", ".join(f'"{name}" DESC' for name in table.keys)
        found = self.tables.fetch(f"SELECT {keys} FROM {table.name} ORDER BY {order} LIMIT 1")
        return tuple(found[0]) if found else None

    def empty(self) -> bool:
        """True without any row but the store-wide values."""
        return all(self.last(table) is None for table in self.described())

    def clear(self) -> None:
        """Deletes all rows; ``put_values`` then replaces the store-wide values."""
        for table in self.described():
            self.tables.delete(table.name, "true")

    def put_values(self, values: Mapping[str, str]) -> None:
        """Replaces the store-wide values. Remaining rows are not deleted first: anyone who waits
        for the lock of one would not find the new one."""
        if obsolete := self.values().keys() - values.keys():
            self.tables.delete("meta", "name IN (SELECT value FROM json_each(?))", obsolete)
        self.tables.put_values(values)
