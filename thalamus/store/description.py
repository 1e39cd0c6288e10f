"""The tables whose rows are no records, which ``records.kinds`` describes: what numbers, signs,
erases and searches them walks this list."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from thalamus.records.kinds import kinds, numbered


class Table(Struct, frozen=True):
    """A table.

    ``number``: the column with a number that no other row ever had; ``chained``: the columns with
    the number of a row and with what the next row continues. ``signed``: each change of a row gets
    a signature, which does not cover the ``derived`` columns. ``orphaned``: SQL condition of rows
    whose record does not exist. ``repeats``: its rows are derived from others or name them, so
    that a word which only they contain is left over from a deleted row.
    """

    number: str = ""
    chained: tuple[str, str] | None = None
    signed: bool = False
    derived: tuple[str, ...] = ()
    orphaned: str = ""
    repeats: bool = False


def without(table: str, column: str, value: str) -> str:
    """SQL condition: no row of a table or view has this value."""
    return f"NOT EXISTS (SELECT 1 FROM {table} WHERE {table}.{column} = {value})"


def _without_entry(key: str) -> str:
    return " AND ".join(without(kind.name, "key", key) for kind in numbered())


_NO_RECORD = " OR ".join(
    f"(kind = '{kind.name}' AND {without(kind.name, 'id', 'encrypted.id')})"
    for kind in kinds()
    if kind.encrypted and kind.has_id
)
# in the order in which the rows of a unit of work are signed
TABLES: Mapping[str, Table] = {
    "space": Table("id", signed=True, derived=("count", "last")),
    "removal": Table("n", signed=True),
    "encrypted": Table(signed=True, orphaned=_NO_RECORD, repeats=True),
    "fact_note": Table("n", signed=True, orphaned=without("fact", "key", "fact_note.fact")),
    "fact_interval": Table("n", signed=True, orphaned=without("fact", "key", "fact_interval.fact")),
    "batch": Table("n", signed=True),
    "batch_item": Table(signed=True),
    "job": Table("n", signed=True),
    "event": Table("seq", chained=("seq", "hash")),
    "signature": Table(chained=("n", "chain"), repeats=True),
    "embedding": Table("n", orphaned=_without_entry("embedding.key"), repeats=True),
    "concept": Table("n"),
    "about": Table(orphaned=_without_entry("about.key")),
}
