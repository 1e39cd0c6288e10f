"""The tables whose rows are no records, which ``records.kinds`` describes: what numbers, signs,
erases and searches them walks this list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from thalamus.records.kinds import kinds, numbered


class Table(Struct, frozen=True):
    """A table.

    ``number``: the column with a number that no other row ever had; ``chained``: the columns with
    the number of a row and with what the next row continues. ``signed``: each change of a row gets
    a signature, which does not cover the ``derived`` columns. ``of``: what a row belongs to: an
    entry, by its ``key``; a fact, by its key; or a record, by its kind and id. ``repeats``: its
    rows are derived from others or name them, so that a word which only they contain is left over
    from a deleted row.
    """

    number: str = ""
    chained: tuple[str, str] | None = None
    signed: bool = False
    derived: tuple[str, ...] = ()
    of: Literal["", "entry", "fact", "record"] = ""
    repeats: bool = False


def without(table: str, column: str, value: str) -> str:
    """SQL condition: no row of a table or view has this value."""
    return f"NOT EXISTS (SELECT 1 FROM {table} WHERE {table}.{column} = {value})"


# in the order in which the rows of a unit of work are signed
TABLES: Mapping[str, Table] = {
    "space": Table("id", signed=True, derived=("count", "last")),
    "removal": Table("n", signed=True),
    "encrypted": Table(signed=True, of="record", repeats=True),
    "fact_note": Table("n", signed=True, of="fact"),
    "fact_interval": Table("n", signed=True, of="fact"),
    "batch": Table("n", signed=True),
    "batch_item": Table(signed=True),
    "job": Table("n", signed=True),
    "event": Table("seq", chained=("seq", "hash")),
    "signature": Table(chained=("n", "chain"), repeats=True),
    "embedding": Table("n", of="entry", repeats=True),
    "concept": Table("n"),
    "about": Table(of="entry"),
}


def orphaned() -> Iterator[tuple[str, str]]:
    """Tables with the SQL condition of their rows that belong to nothing."""
    for name, table in TABLES.items():
        if table.of == "entry":
            kept = (without(kind.name, "key", f"{name}.key") for kind in numbered())
            yield name, " AND ".join(kept)
        elif table.of == "fact":
            yield name, without("fact", "key", f"{name}.fact")
        elif table.of == "record":
            hidden = (kind for kind in kinds() if kind.encrypted and kind.has_id)
            yield (
                name,
                " OR ".join(
                    f"(kind = '{kind.name}' AND {without(kind.name, 'id', f'{name}.id')})"
                    for kind in hidden
                ),
            )
