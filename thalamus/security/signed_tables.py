"""Tables whose rows are signed, and what is signed of a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

import msgspec

from thalamus.records.kinds import kinds, numbered
from thalamus.security.signer import Signer
from thalamus.storage.protocol.rows import Connection, Rows

# tables whose rows belong to records -> columns that are not signed, because they are derived
_DEPENDENT: dict[str, tuple[str, ...]] = {
    "space": ("count", "last"),
    "removal": (),
    "encrypted": (),
    "fact_note": (),
    "fact_interval": (),
    "batch": (),
    "batch_item": (),
    "job": (),
}


def signed_tables() -> dict[str, tuple[str, ...]]:
    """Tables whose rows are signed, each with its unsigned columns."""
    return {**{kind.name: () for kind in kinds()}, **_DEPENDENT}


Version = tuple[str, int, str, bytes, bytes | None]  # kind, ref, name, tag, digest
_encode_name = msgspec.json.Encoder().encode


class SignedTable:
    """A signed table: its columns, and the identity of its rows."""

    def __init__(
        self,
        kind: str,
        columns: list[str],
        keys: list[str],
        by_number: bool,
        floats: Sequence[str] = (),
    ) -> None:
        self.kind = kind
        self.columns = columns
        self.keys = keys  # the primary key, then the id
        self.by_number = by_number  # the primary key is one integer
        self.places = [columns.index(key) for key in keys]
        self._floats = [columns.index(column) for column in floats if column in columns]
        self.name_values: Callable[[Sequence[Any]], tuple[Any, ...]] = (
            itemgetter(*self.places) if len(keys) > 1 else lambda row: (row[self.places[0]],)
        )
        self._signer: Signer | None = None
        self._digest: Callable[[Any], bytes] | None = None

    def as_read(self, row: list[Any]) -> tuple[Any, ...]:
        """A row to be written, in the form in which it will be read."""
        for place in self._floats:
            if row[place] is not None:
                row[place] = float(row[place])
        return tuple(row)

    def name(self, values: Sequence[Any]) -> str:
        """Name of the row with these values of ``keys``."""
        return _encode_name(values).decode()

    def ref(self, values: Sequence[Any], tag: bytes) -> int:
        """Number by which the signatures of a row are found."""
        if self.by_number and isinstance(values[0], int):
            return values[0]
        return int.from_bytes(tag[:8], "big", signed=True)

    def digest(self, signer: Signer, row: Sequence[Any]) -> bytes:
        if self._digest is None or self._signer is not signer:
            self._signer, self._digest = signer, signer.rows(self.kind, self.columns)
        return self._digest(row)

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
        if not (self.by_number and len(self.keys) == 2):
            return {}
        return {name[-1]: name for name, digest in touched.items() if digest is not None}

    def all(self, rows: Rows) -> Iterator[tuple[Any, ...]]:
        """Every row, sorted by key."""
        for row in rows.each(self.kind, self.columns, order=self.keys):
            yield tuple(row)


def tables(rows: Rows) -> dict[str, SignedTable]:
    """Signed tables of this store."""
    found = {}
    for kind, left_out in signed_tables().items():
        described = rows.describe(kind)
        columns = [column.name for column in described if column.name not in left_out]
        if not columns:
            continue
        primary = [column for column in described if column.key]
        keys = [column.name for column in sorted(primary, key=lambda column: column.key)]
        by_number = [column.type for column in primary] == ["INTEGER"]
        id_column = ["id"] if "id" in columns and "id" not in keys else []
        floats = [column.name for column in described if column.type == "REAL"]
        found[kind] = SignedTable(kind, columns, [*keys, *id_column], by_number, floats)
    return found


def narrowed(table: SignedTable, columns: Iterable[str]) -> SignedTable:
    """The table restricted to its former columns."""
    return SignedTable(table.kind, list(columns), table.keys, table.by_number)


def has_rows(db: Connection) -> bool:
    """True for a store with any record."""
    tables_ = ("document", *(kind.name for kind in numbered()))
    return any(db.execute(f"SELECT EXISTS (SELECT 1 FROM {t})").fetchone()[0] for t in tables_)
