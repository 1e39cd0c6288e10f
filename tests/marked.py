"""A record of every kind with a mark in each of its fields."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import msgspec
from msgspec import inspect, structs

from thalamus.api import Thalamus
from thalamus.records import Document, Event, Fact, Insight, Memory, Record
from thalamus.records.kinds import Kind, kinds

MARK = "Zqxmark"
AT = "2026-05-08T13:56:00Z"
LATER = "2030-01-01T00:00:00Z"
# what a redacted view may show of a record that is not personal
OPEN: dict[type[Record], dict[str, str]] = {
    Memory: {"content": "Herons nest in the reeds.", "topic": "herons", "type": "project"},
    Fact: {"subject": "user", "predicate": "likes", "object": "herons"},
    Document: {
        "id": "doc_0123456789abcdefghjkm",
        "title": "The pond",
        "summary": "Herons come at dawn.",
        "topic": "ponds",
    },
}
PERSONAL = {Memory, Fact, Insight}


def fill(thalamus: Thalamus) -> None:
    """Stores a marked record of every kind; where a redacted view shows something, one that may be
    shown and one that is labelled as personal."""
    thalamus.store.import_memory(every_kind())
    with thalamus.database.writing() as writer:
        writer.add_event(Event(name="marked", at=AT, data={MARK: MARK}))


def every_kind() -> Iterator[Record]:
    for kind in kinds():
        shown = OPEN.get(kind.record, {})
        if kind.record in PERSONAL:
            yield marked(kind, "personal", {"sensitivity": "personal", "predicate": "likes"})
        yield marked(kind, "normal", {**shown, "sensitivity": "normal"})


def marked(kind: Kind, name: str, given: dict[str, Any]) -> Record:
    """A record with the mark wherever a text may be stored, and some fields as ``given``."""
    stored = {*kind.columns, *kind.flags, *kind.packed} - {*kind.unread}
    values = {
        field.name: given.get(field.name, _value(field.name, inspect.type_info(field.type)))
        for field in structs.fields(kind.record)
        if kind.body or field.name in stored
    }
    fixed = {"id": f"{MARK}_{kind.name}_{name}", "retired_at": None}
    values |= {key: fixed[key] for key in fixed.keys() & values.keys() - given.keys()}
    record: Record = msgspec.convert(values, kind.record)
    return record


def _value(name: str, type: inspect.Type) -> Any:
    """A value of a type, with the mark in every text."""
    if isinstance(type, inspect.UnionType):
        return _value(name, _first(type.types))
    if isinstance(type, inspect.LiteralType):
        return type.values[0]
    if isinstance(type, inspect.StrType):
        return "2026-05-08" if type.pattern else _text(name)
    if isinstance(type, (inspect.IntType, inspect.FloatType)):
        return 1
    if isinstance(type, inspect.BoolType):
        return False
    if isinstance(type, (inspect.ListType, inspect.VarTupleType)):
        return [_value(name, type.item_type)]
    if isinstance(type, inspect.DictType):
        return {MARK: _value(name, type.value_type)}
    if isinstance(type, inspect.StructType):
        return {field.name: _value(field.name, field.type) for field in type.fields}
    return MARK


def _first(types: Collection[inspect.Type]) -> inspect.Type:
    """The type of a union that holds most."""
    return next(one for one in types if not isinstance(one, inspect.NoneType))


def _text(name: str) -> str:
    if name in ("expires_at", "valid_to", "stated_to", "closed_at"):
        return LATER
    is_time = name.endswith("_at") or name in ("at", "valid_from", "stated_from")
    return AT if is_time else f"{MARK} {name}"
