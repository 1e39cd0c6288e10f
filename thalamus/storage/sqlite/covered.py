"""Which tables are sealed, and a row of theirs as what is signed.

A table is covered by naming it in ``COVERED``; its columns are taken from the table itself, so
that a column that is added is covered too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from thalamus.storage.sqlite.signing import Signer

# table -> columns that are not sealed, for they follow from other rows
COVERED: dict[str, tuple[str, ...]] = {
    "memory": (),
    "fact": (),
    "turn": (),
    "document": (),
    "link": (),
    "plan": (),
    "space": ("count", "last"),
    "removal": (),
    "sealed": (),
    "fact_note": (),
    "fact_interval": (),
    "alias": (),
    "predicate": (),
    "batch": (),
    "batch_item": (),
    "job": (),
}
Version = tuple[str, int, str, bytes, bytes | None]  # kind, ref, name, tag, digest
_encode_name = msgspec.json.Encoder().encode
AT_ONCE = 500  # rows read with one query


class Table:
    """A covered table: its columns, and what names a row of it."""

    def __init__(self, kind: str, columns: list[str], keys: list[str], by_number: bool) -> None:
        self.kind = kind
        self.columns = columns
        self.keys = keys  # the primary key, then the id
        self.by_number = by_number  # the primary key is one whole number
        self.places = [columns.index(key) for key in keys]
        self.listed = ",".join(f'"{column}"' for column in columns)
        self.name_values: Callable[[Sequence[Any]], tuple[Any, ...]] = (
            itemgetter(*self.places) if len(keys) > 1 else lambda row: (row[self.places[0]],)
        )
        self._signer: Signer | None = None
        self._digest: Callable[[Any], bytes] | None = None
        self.order = ",".join(f'"{key}"' for key in keys)

    def name(self, values: Sequence[Any]) -> str:
        """What names the row with these values, which are those of ``keys``."""
        return _encode_name(values).decode()

    def ref(self, values: Sequence[Any], tag: bytes) -> int:
        """The number by which the seals of a row are found."""
        if self.by_number and isinstance(values[0], int):
            return values[0]
        return int.from_bytes(tag[:8], "big", signed=True)

    def digest(self, signer: Signer, row: Sequence[Any]) -> bytes:
        if self._digest is None or self._signer is not signer:
            self._signer, self._digest = signer, signer.rows(self.kind, self.columns)
        return self._digest(row)

    def sealed(self, signer: Signer, row: Sequence[Any]) -> Version:
        """A row as what a seal is made of."""
        values = self.name_values(row)
        name = self.name(values)
        tag = signer.tag(self.kind, name)
        return self.kind, self.ref(values, tag), name, tag, self.digest(signer, row)

    def gone(self, signer: Signer, values: tuple[Any, ...]) -> Version:
        """The same of a row that is not there any more, by what named it."""
        name = self.name(values)
        tag = signer.tag(self.kind, name)
        return self.kind, self.ref(values, tag), name, tag, None

    def moved(self, touched: dict[tuple[Any, ...], bytes | None]) -> dict[Any, tuple[Any, ...]]:
        """By their ids, under which names the rows were that may have got another key."""
        if not (self.by_number and len(self.keys) == 2):
            return {}
        return {name[-1]: name for name, digest in touched.items() if digest is not None}

    def all(self, db: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
        """Every row, in the order of its key."""
        cursor = _plain_rows(db)
        yield from cursor.execute(
            f"SELECT {self.listed} FROM main.{self.kind} ORDER BY {self.order}"
        )

    def some(
        self, db: sqlite3.Connection, names: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[Any, ...]]:
        """The rows with these values of ``keys``, as far as they are there."""
        query = f"SELECT {self.listed} FROM main.{self.kind} WHERE "
        if not self.by_number:
            where = " AND ".join(f'"{key}" IS ?' for key in self.keys)
            for name in names:
                yield from _plain_rows(db).execute(query + where, name)
            return
        for start in range(0, len(names), AT_ONCE):
            part = [name[0] for name in names[start : start + AT_ONCE]]
            where = f'"{self.keys[0]}" IN ({",".join("?" * len(part))})'
            yield from _plain_rows(db).execute(query + where, part)

    def triggers(self) -> Iterator[str]:
        """What tells ``changed`` of every row that is written on this connection."""
        new = ",".join(f'NEW."{key}"' for key in self.keys)
        old = ",".join(f'OLD."{column}"' for column in self.columns)
        told = f"SELECT seal_changed('{self.kind}',1,{old});"
        written = f"SELECT seal_changed('{self.kind}',0,{new});"
        for when, what in (
            ("INSERT", written),
            (f"UPDATE OF {self.listed}", f"{told} {written}"),
            ("DELETE", told),
        ):
            name = f"seal_{self.kind}_{when.split()[0].lower()}"
            yield (
                f"CREATE TEMP TRIGGER IF NOT EXISTS {name} AFTER {when} ON main.{self.kind}"
                f" BEGIN {what} END"
            )


def _plain_rows(db: sqlite3.Connection) -> sqlite3.Cursor:
    cursor = db.cursor()
    cursor.row_factory = None
    return cursor


def tables(db: sqlite3.Connection) -> dict[str, Table]:
    """The covered tables that this store has."""
    found = {}
    for kind, left_out in COVERED.items():
        columns, keys, types = [], [], {}
        for row in db.execute(f"PRAGMA main.table_info({kind})"):
            types[row[1]] = str(row[2]).upper()
            if row[1] not in left_out:
                columns.append(str(row[1]))
            if row[5]:
                keys.append((row[5], str(row[1])))
        if not columns:
            continue
        primary = [name for _, name in sorted(keys)]
        by_number = len(primary) == 1 and types[primary[0]] == "INTEGER"
        also = ["id"] if "id" in columns and "id" not in primary else []
        found[kind] = Table(kind, columns, [*primary, *also], by_number)
    return found


def narrowed(table: Table, columns: Iterable[str]) -> Table:
    """The table as it was when it had only these columns."""
    return Table(table.kind, list(columns), table.keys, table.by_number)
