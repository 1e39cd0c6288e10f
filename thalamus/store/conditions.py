"""Conditions on rows, as values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from thalamus.records import Record


class ColumnComparison(Struct, frozen=True):
    """A comparison of a column with a value; with None: not null."""

    sign: Literal["<", "<=", ">", ">=", "<>"]
    value: Any


class Among(Struct, frozen=True):
    """A condition on a column: its value is among (or with ``none`` not among) those of ``column``
    in rows of another ``table``."""

    table: str
    column: str
    where: Where = {}
    none: bool = False


class Both(Struct, frozen=True):
    """A conjunction of two conditions on a column."""

    one: Any
    other: Any


class Either(Struct, frozen=True):
    """A disjunction of two conditions on a column."""

    one: Any
    other: Any


class Clause(NamedTuple):
    """A condition in SQL, as written after ``WHERE``, with the values of its placeholders. A list,
    tuple or set among them is one value, for ``IN (SELECT value FROM json_each(?))``."""

    text: str
    values: tuple[Any, ...] = ()


# column -> value, None for null, several values to choose from, or a condition
Where = Mapping[str, Any]
PRESENT = ColumnComparison("<>", None)


def linked_from(ids: Collection[str], relation: str) -> Among:
    """Condition on an id: a link of one of these records leads to it."""
    return Among("link", "target", {"source": tuple(ids), "relation": relation})


def linked_to(ids: Collection[str]) -> Among:
    """Condition on an id: a link leads from it to one of these records."""
    return Among("link", "source", {"target": tuple(ids)})


def above(value: Any) -> ColumnComparison:
    return ColumnComparison(">", value)


def below(value: Any) -> ColumnComparison:
    return ColumnComparison("<", value)


def at_most(value: Any) -> ColumnComparison:
    return ColumnComparison("<=", value)


def at_least(value: Any) -> ColumnComparison:
    return ColumnComparison(">=", value)


def beginning(prefix: str) -> Both:
    """Condition on a text: it begins with these characters."""
    return Both(at_least(prefix), below(f"{prefix}\U0010ffff"))


def other_than(value: Any) -> ColumnComparison:
    return ColumnComparison("<>", value)


class Encrypted(Struct, frozen=True):
    """A condition on the id of records of a kind: their content is (or with ``none`` is not)
    encrypted."""

    kind: type[Record]
    none: bool = False


class About(Struct, frozen=True):
    """A condition on the key of an entry: it has a concept with this key, of any owner."""

    concept: str
