"""Which rows are meant: conditions on columns, as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from thalamus.records import Record


class Comparison(Struct, frozen=True):
    """A condition on a column: it compares so with the value; with None: it is not null."""

    sign: Literal["<", "<=", ">", ">=", "<>"]
    value: Any


class Among(Struct, frozen=True):
    """A condition on a column: it is, or with ``none`` is not, one of the values of ``column`` in
    the rows of another ``table``."""

    table: str
    column: str
    where: Where = {}
    none: bool = False


class Both(Struct, frozen=True):
    """A condition on a column: it is what ``one`` says and what ``other`` says."""

    one: Any
    other: Any


# column -> what it has to be: a value, None for null, one of several values, or a condition
Where = Mapping[str, Any]
PRESENT = Comparison("<>", None)


def above(value: Any) -> Comparison:
    return Comparison(">", value)


def below(value: Any) -> Comparison:
    return Comparison("<", value)


def at_most(value: Any) -> Comparison:
    return Comparison("<=", value)


def other_than(value: Any) -> Comparison:
    return Comparison("<>", value)


class Encrypted(Struct, frozen=True):
    """A condition on the id of records of a kind: their content is encrypted, or with ``none`` it
    is not."""

    kind: type[Record]
    none: bool = False


class About(Struct, frozen=True):
    """A condition on the key of an entry: it is about a concept that is compared by this text,
    whoever's it is."""

    concept: str
