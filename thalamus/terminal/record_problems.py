"""Explanations of invalid records in plain words: the field, its expected and its actual value, and
advice. Only imported for invalid records."""

from __future__ import annotations

import codecs
import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as types

from thalamus.errors import BadRecord
from thalamus.records import Record
from thalamus.records.base import tag_of
from thalamus.records.registry import RECORDS
from thalamus.terminal.lines import one_line
from thalamus.text.storable import rejected

SHORT = 40  # characters of a quoted value
PLAIN = "Records must be UTF-8 without a BOM: convert with `iconv -t UTF-8`, or save as UTF-8."
ONE_OBJECT = 'Each line must be one JSON object, such as {"record":"memory","content":"…"}'
SYNTAX = f"{ONE_OBJECT}: check its quotes, commas and brackets. `jq -c .` writes JSON on one line."
LIST = f"{ONE_OBJECT}. `jq -c '.[]'` writes each item of a list on a line of its own."
A_TIME = re.compile(r"(^|\.)(\w+_at|at|valid_from|valid_to|since|until|as_of)$")  # fields
# escapes in a string: skips pairs and finds unpaired surrogates
_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)|\\.", re.DOTALL)
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[][{}]')
_STEP = re.compile(r"\[(\d+|\.\.\.)\]|([^.\[]+)")
_BYTE = re.compile(r" \(byte (\d+)\)$")


# -- what is not JSON ------------------------------------------------------------------------------


def not_json(line: bytes, number: int, error: Exception) -> BadRecord:
    """The problem of a line that is not JSON; typical output of editors and other programs is
    recognized first."""
    if line.startswith(codecs.BOM_UTF8):
        return BadRecord(number, "starts with a byte order mark (BOM)", fix=PLAIN)
    if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return BadRecord(number, "encoded as UTF-16", fix=PLAIN)
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return BadRecord(number, f"not UTF-8 (byte {wrong.start + 1})", fix=PLAIN)
    if half := _half(line):
        field, escape = half
        problem = f"{escape} is an unpaired surrogate, half of a character"
        return BadRecord(number, f"`{field}`: {problem}" if field else problem, field)
    return BadRecord(number, f"not JSON: {_syntax(line, str(error))}", fix=SYNTAX)


def check_characters(line: bytes, number: int) -> None:
    """Raises ``BadRecord`` for a line of JSON with a character that databases reject."""
    if found := rejected(_value(line)):
        field, problem = found
        raise BadRecord(number, f"`{field}`: {problem}", field)


def _syntax(line: bytes, text: str) -> str:
    """The decoder's message in plain words, with positions counted from 1."""
    if "truncated" in text:
        return "it ends too early"
    if not line.lstrip().startswith((b"{", b"[", b'"')):
        return f"it starts with “{one_line(line.decode('utf-8', 'replace'), SHORT)}”"
    position = ""
    if found := _BYTE.search(text):
        position = f" (at byte {int(found.group(1)) + 1})"
    problem = _BYTE.sub("", text).removeprefix("JSON is malformed: ")
    if problem == "object keys must be strings":
        problem = "names must be in double quotes"
    return f"{problem}{position}"


def _half(line: bytes) -> tuple[str, str] | None:
    """The field and the escape of the first unpaired surrogate."""
    field = ""
    for token in _TOKEN.finditer(line):
        text = token.group().decode()
        for found in _ESCAPE.finditer(text):
            if found.group(1):
                return field, found.group(1)
        if line[token.end() :].lstrip().startswith(b":"):
            field = text[1:-1]
    return None


# -- JSON that is not the record that it should be -------------------------------------------------


class _Place(Struct, frozen=True):
    """The place in a record at which a decoder stopped. ``value`` and ``type``: the actual value
    and the expected type; None if unknown."""

    field: str
    value: Any
    type: types.Type | None


def invalid(
    error: msgspec.ValidationError, number: int, kind: type[Record], line: bytes
) -> BadRecord:
    """The problem of a line that is JSON, but not a record of this kind."""
    try:
        msgspec.json.decode(line)
    except msgspec.ValidationError:  # such as a number that is too large
        pass
    except msgspec.DecodeError as broken:  # further on
        return not_json(line, number, broken)
    text, _, path = str(error).partition(" - at `")
    place = _place(kind, _value(line), path.rstrip("`").removeprefix("$").lstrip("."))
    name = tag_of(kind)
    article = "an" if name[0] in "aeiou" else "a"
    fields = f"`thalamus schema {name}` prints the fields of {article} {name} record."
    if place.field == "record":
        return unknown_kind(place.value, number, [name])
    if place.field == "v" or place.field.endswith(".v"):
        problem, fix = (
            "must be 1, the only version of records",
            "Leave it out, or upgrade Thalamus.",
        )
        if isinstance(place.value, int) and not isinstance(place.value, bool):
            problem = f"unsupported record version {place.value} (only 1 is supported)"
            fix = "Upgrade Thalamus."
        return BadRecord(number, f"`{place.field}`: {problem}", place.field, fix=fix)
    if "unknown field" in text:
        return _unknown(text.split("`")[1], place, number, fields)
    if "missing required field" in text:
        missing = text.split("`")[1]
        wanted = _field_type(place.type, missing)
        described = f" ({expected(wanted)})" if wanted is not None else ""
        within = f"`{place.field}`: " if place.field else ""
        full = f"{place.field}.{missing}".strip(".")
        return BadRecord(number, f"{within}missing field `{missing}`{described}", full, fix=fields)
    if not place.field:
        fix = LIST if isinstance(place.value, list) else f"{ONE_OBJECT}."
        return BadRecord(number, f"not a record, but {shown(place.value)}", fix=fix)
    if place.type is None or "..." in place.field:  # inside the user's own data
        field = place.field.removesuffix("[...]")
        return BadRecord(number, f"`{field}`: {text[:1].lower()}{text[1:]}", field, fix=fields)
    problem = f"must be {expected(place.type)}, not {shown(place.value)}"
    if place.value == "" and any(isinstance(one, types.StrType) for one in _choices(place.type)):
        problem = "must not be empty"
    hint = _hint(place)
    fix = f"{hint} {fields}" if hint else fields
    return BadRecord(number, f"`{place.field}`: {problem}", place.field, fix=fix)


def unknown_kind(value: object, number: int, accepted: Sequence[str]) -> BadRecord:
    """The problem of a line whose ``record`` is not one of those ``accepted`` here."""
    choices = ", ".join(accepted)
    if not isinstance(value, str):
        one_of = "one of " if len(accepted) > 1 else ""
        problem = f"must be {one_of}{choices}, not {shown(value)}"
        return BadRecord(number, f"`record`: {problem}", "record")
    what = "is not accepted here" if value in RECORDS else "is not a kind of record"
    similar = difflib.get_close_matches(value, accepted, n=1)
    hint = f" Did you mean {similar[0]!r}?" if similar else ""
    return BadRecord(number, f"`record`: {value!r} {what} (accepted: {choices}).{hint}", "record")


def _unknown(name: str, place: _Place, number: int, fields: str) -> BadRecord:
    known = [field.name for field in _fields(place.type)]
    similar = difflib.get_close_matches(name, known, n=1)
    fix = fields
    hint = f" Did you mean `{similar[0]}`?" if similar else ""
    if not similar and "metadata" in known:
        hint = " Use `metadata` for data of your own."
    within = f"`{place.field}`: " if place.field else ""
    full = f"{place.field}.{name}".strip(".")
    return BadRecord(number, f"{within}unknown field `{name}`.{hint}", full, fix=fix)


def _value(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:  # e.g. a number that is too large
        return None


def _place(kind: type[Record], value: Any, path: str) -> _Place:
    """The place of a path such as ``evidence[0].kind``."""
    here: types.Type | None = types.type_info(kind)
    for index, name in _STEP.findall(path):
        here = _inner(here, name)
        if name:
            value = value.get(name) if isinstance(value, dict) else None
        else:
            value = value[int(index)] if index.isdigit() and isinstance(value, list) else None
    return _Place(path, value, here)


def _inner(type: types.Type | None, name: str) -> types.Type | None:
    """The type of a field, or of the items of a list if no name is given."""
    if name:
        return _field_type(type, name)
    for one in _choices(type):
        if isinstance(one, types.ListType):
            return _plain(one.item_type)
    return None


def _field_type(type: types.Type | None, name: str) -> types.Type | None:
    return next((_plain(field.type) for field in _fields(type) if field.name == name), None)


def _fields(type: types.Type | None) -> Sequence[types.Field]:
    return next((one.fields for one in _choices(type) if isinstance(one, types.StructType)), ())


def _choices(type: types.Type | None) -> Iterator[types.Type]:
    """The types of a union; else the type itself."""
    if isinstance(type, types.UnionType):
        yield from map(_plain, type.types)
    elif type is not None:
        yield type


def _plain(type: types.Type) -> types.Type:
    return _plain(type.type) if isinstance(type, types.Metadata) else type


# -- in words --------------------------------------------------------------------------------------


def expected(type: types.Type) -> str:
    """The words for a type: ``text``, ``a number from 0 to 1``, ``low, medium or high``. Null,
    which stands for a missing value, is left out."""
    if isinstance(type, types.UnionType):
        some = [one for one in _choices(type) if not isinstance(one, types.NoneType)]
        return " or ".join(map(expected, some))
    if isinstance(type, types.LiteralType):
        *others, last = map(str, type.values)
        return f"{', '.join(others)} or {last}" if others else last
    if isinstance(type, types.IntType):
        return f"a whole number{_range(type)}"
    if isinstance(type, types.FloatType):
        return f"a number{_range(type)}"
    for kind, words in _WORDS.items():
        if isinstance(type, kind):
            return words
    return "something else"


_WORDS: dict[type[types.Type], str] = {
    types.StrType: "text",
    types.BoolType: "true or false",
    types.ListType: "a list […]",
    types.StructType: "an object {…}",
    types.DictType: "an object {…}",
}


def _range(type: types.IntType | types.FloatType) -> str:
    if type.ge is not None and type.le is not None:
        return f" from {type.ge} to {type.le}"
    if type.ge is not None:
        return f", {type.ge} or more"
    return f", {type.le} or less" if type.le is not None else ""


def shown(value: object) -> str:
    """The words for a value: ``the text “5”``, ``the number 5``, ``a list``."""
    if value is None or isinstance(value, bool):
        return msgspec.json.encode(value).decode()
    if isinstance(value, str):
        return f"the text “{one_line(value, SHORT)}”" if value else "empty text"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "an object"


def _hint(place: _Place) -> str:
    """The advice for obvious mistakes."""
    kinds, value = [type(one) for one in _choices(place.type)], place.value
    if A_TIME.search(place.field) and types.StrType in kinds:
        return 'Write a date or a time in quotes, such as "2026-05-08".'
    if types.StrType in kinds and isinstance(value, (int, float)) and not isinstance(value, bool):
        return f'Write it in quotes: "{value}".'
    if not isinstance(value, str):
        return ""
    if types.BoolType in kinds:
        return "Write true or false, without quotes."
    if types.IntType in kinds or types.FloatType in kinds:
        return "Write a number, without quotes."
    for one in _choices(place.type):
        if isinstance(one, types.ListType) and isinstance(_plain(one.item_type), types.StrType):
            return f'Write it in brackets: ["{one_line(value, SHORT)}"].'
    return ""
