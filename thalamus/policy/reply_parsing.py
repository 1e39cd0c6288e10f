"""Parsing of records in a model's reply: tolerant parsing, strict validation.

The message of ``ReplyError`` tells the model what to correct.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from thalamus.policy.json_schema import object_schema
from thalamus.policy.persona import PERSONA_TYPES
from thalamus.records import Instruction, Scope

MEMORY_TYPES = (
    "user_identity",
    "preference",
    "relationship",
    "project",
    "goal",
    "event",
    "skill",
    "topic_of_interest",
    "observation",
    *PERSONA_TYPES,
)
# types that a tool may save: the persona is only set by the user
OFFERED_TYPES = tuple(kind for kind in MEMORY_TYPES if kind not in PERSONA_TYPES)
MOST = 6  # instructions per reply

T = TypeVar("T", bound=msgspec.Struct)


class ReplyError(ValueError):
    """The reply is not the expected record; the message says why."""


class PlanReply(msgspec.Struct):
    """Reply of the planning model."""

    retrieval_instructions: list[Instruction]


class SummaryReply(msgspec.Struct):
    """Reply of the summary model."""

    summary: str
    topic: str = ""


def _text(most: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": most}


def _list(items: dict[str, Any], most: int = MOST) -> dict[str, Any]:
    return {"type": "array", "items": items, "maxItems": most}


_NULLABLE = {"anyOf": [{"type": "string", "maxLength": 40}, {"type": "null"}]}

# written by hand: constrained decoders need short, flat schemas with limits
PLAN_SCHEMA = object_schema(
    retrieval_instructions=_list(
        object_schema(
            mode={"type": "string", "enum": ["memory", "facts", "history", "document"]},
            query={"type": "string", "maxLength": 120},
            types=_list({"type": "string", "maxLength": 40}, most=3),
            topic=_NULLABLE,
            scope={"anyOf": [{"type": "string", "enum": list(get_args(Scope))}, {"type": "null"}]},
            limit={"type": "integer", "minimum": 1, "maximum": 10},
            optional=["types", "topic", "scope"],
        ),
        most=3,
    )
)
SUMMARY_SCHEMA = object_schema(summary=_text(900), topic=_text(40))


def parse(text: str, kind: type[T]) -> T:
    """The record in a model's reply. Raises ``ReplyError``."""
    value = _tolerate(load_json(text), kind)
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half of an escaped emoji
        raise ReplyError(str(error)) from None


def load_json(text: str) -> Any:
    """The JSON value in a text: plain, in a code fence or in prose, or repaired.

    Raises ``ReplyError`` if there is none, and for one that was cut off before it said anything.
    """
    try:
        return _load(text.strip().removeprefix("\ufeff"))
    except RecursionError:
        raise ReplyError("the reply is nested too deeply") from None


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass  # not plain JSON: find it, then repair it
    start = min((i for i in (text.find("{"), text.find("[")) if i >= 0), default=-1)
    if start < 0:
        raise ReplyError("the reply has no JSON object")
    try:
        return json.JSONDecoder().raw_decode(text[start:])[0]
    except ValueError:
        import json_repair

        try:
            value = json_repair.loads(text[start:])
        except ValueError as error:  # how it reports a recursion that is too deep
            raise RecursionError from error
    # of "{not JSON", a repair makes a list
    if not isinstance(value, list if text[start] == "[" else dict):
        raise ReplyError("the reply has no JSON object")
    if _is_empty(value) and not text.rstrip("` \n").endswith(("}", "]")):
        raise ReplyError("the reply ends before it says anything")
    return value


def _is_empty(value: Any) -> bool:
    """True if a value has no text and no number in it."""
    inner = value.values() if isinstance(value, dict) else value
    return all(
        _is_empty(one) if isinstance(one, (dict, list)) else one in ("", None) for one in inner
    )


def unwrapped(value: Any, names: Collection[str]) -> Any:
    """The object with one of these fields that a list consists of; any other value unchanged."""
    alone = value[0] if isinstance(value, list) and len(value) == 1 else None
    return alone if isinstance(alone, dict) and any(name in alone for name in names) else value


def _tolerate(value: Any, kind: type[msgspec.Struct]) -> Any:
    """Accepts common, unambiguous deviations of models."""
    fields = msgspec.structs.fields(kind)
    names = [field.name for field in fields]
    value = unwrapped(value, names)
    lists = [field.name for field in fields if get_origin(field.type) is list]
    if isinstance(value, list) and lists:
        value = {lists[0]: value}
    if not isinstance(value, dict):
        raise ReplyError("the reply must be a JSON object")
    if kind is SummaryReply:
        return {name: item for name, item in value.items() if isinstance(item, str)}
    if not any(name in value for name in names):
        raise ReplyError(f"the object must have {' and '.join(names)}")
    if len(lists) < len(fields):  # not a record of lists: unknown fields are dropped
        return {field.name: value[field.name] for field in fields if field.name in value}
    tidy = {name: value.get(name) or [] for name in lists}
    return {name: _items(found) for name, found in tidy.items()}


def _items(found: Any) -> Any:
    if isinstance(found, dict):
        found = [found]
    if not isinstance(found, list):
        return found
    return [_item(item) if isinstance(item, dict) else item for item in found[:MOST]]


_MAY_BE_NULL = ("topic", "scope", "since", "until", "as_of")


def _item(item: dict[str, Any]) -> dict[str, Any]:
    tidy = {}
    for name, value in item.items():
        if isinstance(value, str):
            value = value.strip()
        if name in _MAY_BE_NULL and value in ("", "null", "none", "None", "unknown"):
            value = None
        if name == "types":
            value = [value] if isinstance(value, str) and value else value or []
        if name == "query" and value is None:
            value = ""
        if name == "mode" and isinstance(value, str):
            value = value.lower().replace(" ", "_")
        tidy[name] = value
    return tidy
