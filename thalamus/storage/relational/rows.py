"""Records as rows of their tables, and back, by what the registry of kinds says."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.records.kinds import Kind, kind_of

if TYPE_CHECKING:
    from thalamus.records import Record
    from thalamus.storage.protocol import Where
    from thalamus.storage.relational.tables import Tables

# the primary key of each table that hangs on records
KEYS: dict[str, tuple[str, ...]] = {
    "batch": ("n",),
    "batch_item": ("batch", "id"),
    "embedding": ("space", "key"),
    "encrypted": ("kind", "id"),
    "fact_interval": ("n",),
    "fact_note": ("fact", "kind", "at"),
    "job": ("n",),
    "link": ("source", "relation", "target"),
    "removal": ("n",),
    "space": ("model",),
}


def find(
    tables: Tables,
    record: type[Any],
    where: Where | None = None,
    order: Sequence[str] = (),
    limit: int | None = None,
) -> list[Any]:
    """Records of a kind, as they stand in their table."""
    kind = kind_of(record)
    make = maker(kind.record)
    return [make(row) for row in tables.select(kind.name, _read(kind), where, order, limit)]


def each(tables: Tables, kind: Kind) -> Iterator[Any]:
    """All records of a kind in the order in which they were stored, one after the other."""
    make = maker(kind.record)
    order = ("key",) if kind.numbered or "key" in kind.derived else kind.identity
    for row in tables.each(kind.name, _read(kind), None, order):
        yield make(row)


def _read(kind: Kind) -> tuple[str, ...]:
    """The columns that a record is made of."""
    plain = [name for name in kind.columns if name not in kind.unread]
    return ("body",) if kind.body else (*plain, *kind.flags, *kind.packed)


@functools.cache
def maker(record: type[Record]) -> Callable[[Sequence[Any]], Any]:
    """What makes a record of a row with the columns ``_read``."""
    kind = kind_of(record)
    if kind.body:
        decode = msgspec.json.Decoder(record).decode
        return lambda row: decode(row[0])
    plain = len(kind.columns) - len(kind.unread)
    flags = plain + len(kind.flags)
    names = _read(kind)
    unpack = [msgspec.json.Decoder(type_).decode for type_ in kind.packed.values()]

    def make(row: Sequence[Any]) -> Any:
        values = list(row)
        for place in range(plain, flags):
            values[place] = bool(values[place])
        for place, decode in enumerate(unpack, flags):
            text = values[place]
            values[place] = None if text is None else {} if text == "{}" else decode(text)
        return record(**dict(zip(names, values, strict=True)))

    return make


def row_of(
    kind: Kind, record: Any, derived: Mapping[str, Any]
) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """The columns of a record's row, and their values. Raises ``KeyError`` when a derived one is
    missing."""
    columns = kind.stored if "key" in kind.derived or not kind.numbered else ("key", *kind.stored)
    fields = {name: _plain(getattr(record, name)) for name in kind.columns}
    fields |= {name: int(getattr(record, name)) for name in kind.flags}
    fields |= {name: pack(getattr(record, name)) for name in kind.packed}
    if kind.body:
        fields["body"] = msgspec.json.encode(record).decode()
    values = {**fields, **derived}
    return columns, tuple(values[name] for name in columns)


def _plain(value: Any) -> Any:
    return None if value is msgspec.UNSET else value


def pack(value: Any) -> str | None:
    """A value as JSON, or NULL when nothing is left of it: compact, with sorted names and without
    empty fields of a struct, so that the same value always gives the same text."""
    if isinstance(value, msgspec.Struct):
        value = {k: v for k, v in msgspec.structs.asdict(value).items() if v is not None} or None
    return None if value is None else pack_json(value)


def pack_json(value: Any) -> str:
    """Compact JSON with sorted names: the same value always gives the same text."""
    if value == {}:  # most metadata
        return "{}"
    return str(_encoder().encode(value))


@functools.cache
def _encoder() -> Any:
    import json  # 2 ms that a reader need not pay

    return json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
