"""Conversion between records and rows of their tables, by the registry of kinds."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from thalamus.records import Provenance
from thalamus.records.canonical import pack_json
from thalamus.records.kinds import Kind, kind_of

if TYPE_CHECKING:
    from thalamus.records import Record
    from thalamus.store.tables import Tables

R = TypeVar("R", bound="Record")

# identity of rows that belong to records, to detect existing ones
KEYS: dict[str, tuple[str, ...]] = {
    "batch_item": ("batch", "id"),
    "fact_note": ("fact", "kind", "at"),
    "link": ("source", "relation", "target"),
}


def read_columns(kind: Kind) -> tuple[str, ...]:
    """Columns that a record is built from."""
    plain = [name for name in kind.columns if name not in kind.unread]
    if kind.body:  # a row of an earlier version has an owner that is not in its body
        return ("body", *(name for name in plain if name in ("user", "agent")))
    return (*plain, *kind.flags, *kind.packed)


def decoded(record: type[R], rows: Iterable[Any]) -> Iterator[R]:
    """Records from rows with all columns of their table, one by one, not decrypted."""
    decode: Callable[[Any], R] | None = None
    for row in rows:
        decode = decode or _decoder(record, tuple(row.keys()))
        yield decode(row)


def every(tables: Tables, record: type[R], condition: str = "true") -> Iterator[R]:
    """The records of a kind that meet a condition, in storage order, one by one, not decrypted."""
    kind = kind_of(record)
    order = "key" if kind.has_key else ", ".join(kind.identity)
    query = f"SELECT * FROM {kind.name} WHERE {condition} ORDER BY {order}"
    return decoded(record, tables.execute(query))


@functools.cache
def _decoder(record: type[Record], names: tuple[str, ...]) -> Callable[[Sequence[Any]], Any]:
    """Function that builds a record from a row with columns of these names, among others."""
    make = _maker(record)
    places = [names.index(name) for name in read_columns(kind_of(record))]
    if len(places) == 1:
        return lambda row: make((row[places[0]],))
    values_of = itemgetter(*places)
    return lambda row: make(values_of(row))


@functools.cache
def _maker(record: type[Record]) -> Callable[[Sequence[Any]], Any]:
    """Function that builds a record from a row with the ``read_columns``."""
    kind = kind_of(record)
    if kind.body:
        return _body_maker(kind)
    plain = len(kind.columns) - len(kind.unread)
    flags = plain + len(kind.flags)
    names = read_columns(kind)
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


def _body_maker(kind: Kind) -> Callable[[Sequence[Any]], Any]:
    decode = msgspec.json.Decoder(kind.record).decode
    owners = read_columns(kind)[1:]

    def make(row: Sequence[Any]) -> Any:
        record = decode(row[0])
        for place, name in enumerate(owners, 1):
            setattr(record, name, row[place])
        record.__post_init__()
        return record

    return make


@functools.cache
def unpacker() -> tuple[Callable[[str], Any], Callable[[str | None], Any]]:
    """Decoders of metadata and of provenance."""
    metadata = msgspec.json.Decoder(dict[str, Any]).decode
    provenance = msgspec.json.Decoder(Provenance).decode
    return (
        lambda text: {} if text == "{}" else metadata(text),
        lambda text: provenance(text) if text else None,
    )


def row_of(
    kind: Kind, record: Any, derived: Mapping[str, Any]
) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Columns of a record's row, and their values. Raises ``KeyError`` when a derived one is
    missing."""
    columns, values_of = _row_maker(kind.record)
    return columns, values_of(record, derived)


@functools.cache
def _row_maker(
    record: type[Record],
) -> tuple[tuple[str, ...], Callable[[Any, Mapping[str, Any]], tuple[Any, ...]]]:
    """Columns of the rows of a kind, and a function that extracts the values from a record."""
    kind = kind_of(record)
    key = ("key",) if kind.numbered and "key" not in kind.derived else ()
    first = len(kind.columns)
    flags = range(first, first + len(kind.flags))
    packed = range(flags.stop, flags.stop + len(kind.packed))
    names = (*kind.columns, *kind.flags, *kind.packed)
    defaults = {field.name: field.default for field in msgspec.structs.fields(record)}
    unset = [place for place, name in enumerate(names) if defaults[name] is msgspec.UNSET]
    fields_of = attrgetter(*names, names[0])  # with a single name it would return the bare value
    given = (*kind.hashes, *kind.derived)

    def values_of(item: Any, derived: Mapping[str, Any]) -> tuple[Any, ...]:
        *values, _ = fields_of(item)
        for place in unset:
            values[place] = None if values[place] is msgspec.UNSET else values[place]
        for place in flags:
            values[place] = int(values[place])
        for place in packed:
            values[place] = pack(values[place])
        body = (msgspec.json.encode(item).decode(),) if kind.body else ()
        more = [derived[name] for name in given]
        return (*[derived[name] for name in key], *values, *more, *body)

    return (*key, *kind.stored), values_of


def columns_of(kind: Kind, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a record as column values."""
    columns = {}
    for name, value in fields.items():
        if name in kind.flags:
            value = int(value)
        elif name in kind.packed and not isinstance(value, str):
            value = pack(value)
        columns[name] = value
    return columns


def pack(value: Any) -> str | None:
    """A value as JSON, or NULL when it is empty: compact, with sorted names and without empty
    fields of a struct, so that equal values give the same text."""
    if isinstance(value, msgspec.Struct):
        value = {k: v for k, v in msgspec.structs.asdict(value).items() if v is not None} or None
    elif isinstance(value, list):
        value = msgspec.to_builtins(value)
    return None if value is None else pack_json(value)
