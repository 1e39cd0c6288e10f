"""Tables whose rows are signed, and what is signed of a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from operator import itemgetter
from typing import Any

import msgspec

from thalamus.records.kinds import kinds
from thalamus.store.description import TABLES
from thalamus.store.signing.signer import Signer
from thalamus.store.tables import ColumnInfo, ColumnType, Tables, primary_key, quoted


def signed_tables() -> dict[str, tuple[str, ...]]:
    """Tables whose rows are signed, each with its columns that are not."""
    others = {name: table.derived for name, table in TABLES.items() if table.signed}
    return {**{kind.name: () for kind in kinds()}, **others}


Version = tuple[str, int, str, bytes, bytes | None]  # kind, ref, name, tag, digest
_encode_name = msgspec.json.Encoder().encode


class SignedTable:
    """A signed table: its columns in the order in which they are signed, and the identity of its
    rows. ``keys``: the primary key, then the id."""

    def __init__(self, kind: str, columns: Sequence[ColumnInfo], keys: list[str]) -> None:
        self.kind = kind
        self.columns = [column.name for column in columns]
        self.keys = keys
        self._described = columns
        primary = [column.type for column in columns if column.key]
        self._by_number = primary == ["int"]
        self.places = [self.columns.index(key) for key in keys]
        self._forms = [
            (place, _FORMS[column.type])
            for place, column in enumerate(columns)
            if column.type in _FORMS
        ]
        self.name_values: Callable[[Sequence[Any]], tuple[Any, ...]] = (
            itemgetter(*self.places) if len(keys) > 1 else lambda row: (row[self.places[0]],)
        )
        self._signer: Signer | None = None
        self._digest: Callable[[Any], bytes] | None = None

    def canonical(self, row: Iterable[Any]) -> list[Any]:
        """The values of a row in the form in which they are signed: the same for a row that is
        about to be written and for one that was read, whatever the database. A value that does not
        have the type of its column stays as it is."""
        values = list(row)
        for place, form in self._forms:
            values[place] = form(values[place])
        return values

    def name(self, values: Sequence[Any]) -> str:
        """Name of the row with these values of ``keys``."""
        return _encode_name(values).decode()

    def ref(self, values: Sequence[Any], tag: bytes) -> int:
        """Number by which the signatures of a row are found."""
        if self._by_number and isinstance(values[0], int):
            return values[0]
        return int.from_bytes(tag[:8], "big", signed=True)

    def digest(self, signer: Signer, row: Sequence[Any]) -> bytes:
        if self._digest is None or self._signer is not signer:
            self._signer, self._digest = signer, signer.rows(self.kind, self.columns)
        return self._digest(self.canonical(row))

    def version(self, signer: Signer, row: Sequence[Any]) -> Version:
        """A row in the form in which it is signed."""
        values = self.name_values(row)
        name = self.name(values)
        tag = signer.tag(self.kind, name)
        return self.kind, self.ref(values, tag), name, tag, self.digest(signer, row)

    def deleted(self, signer: Signer, values: tuple[Any, ...]) -> Version:
        """The deletion of a row, by its identity, in the form in which it is signed."""
        name = self.name(values)
        tag = signer.tag(self.kind, name)
        return self.kind, self.ref(values, tag), name, tag, None

    def moved(self, touched: dict[tuple[Any, ...], bytes | None]) -> dict[Any, tuple[Any, ...]]:
        """Former names of rows that may have got another key, by id."""
        if not (self._by_number and len(self.keys) == 2):
            return {}
        return {name[-1]: name for name, digest in touched.items() if digest is not None}

    def all(self, rows: Tables) -> Iterator[tuple[Any, ...]]:
        """Every row, sorted by key."""
        columns, keys = (", ".join(map(quoted, names)) for names in (self.columns, self.keys))
        yield from map(tuple, rows.execute(f"SELECT {columns} FROM {self.kind} ORDER BY {keys}"))

    def narrowed(self, columns: Iterable[str]) -> SignedTable:
        """The table with its former columns, in their order."""
        described = {column.name: column for column in self._described}
        return SignedTable(self.kind, [described[name] for name in columns], self.keys)


def tables(rows: Tables) -> dict[str, SignedTable]:
    """Signed tables of this store."""
    found = {}
    for kind, left_out in signed_tables().items():
        described = [column for column in rows.describe(kind) if column.name not in left_out]
        if described:
            found[kind] = signed_table(kind, described)
    return found


def signed_table(kind: str, described: Sequence[ColumnInfo]) -> SignedTable:
    """A table with these columns. They are signed in the order of their names: their places in the
    table depend on its history."""
    keys = primary_key(described)
    if "id" not in keys and any(column.name == "id" for column in described):
        keys.append("id")
    return SignedTable(kind, sorted(described, key=lambda one: one.name), keys)


# -- values ---------------------------------------------------------------------------------------


def _integer(value: Any) -> Any:
    """An integer that is a truth value or a decimal elsewhere."""
    if isinstance(value, (bool, Decimal)) and value == int(value):
        return int(value)
    return value


def _float(value: Any) -> Any:
    """A float as SQLite keeps it: without a negative zero, and none for what is not a number."""
    if isinstance(value, (int, float, Decimal)):
        value = float(value)
        return None if value != value else value + 0.0
    return value


def _bytes(value: Any) -> Any:
    return bytes(value) if isinstance(value, (bytearray, memoryview)) else value


_FORMS: dict[ColumnType, Callable[[Any], Any]] = {
    "int": _integer,
    "float": _float,
    "bytes": _bytes,
}
