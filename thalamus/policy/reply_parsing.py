"""What a model writes as records: parsed tolerantly, validated strictly.

``ReplyError`` carries what the model is asked to correct.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from thalamus.policy.json_schema import object_schema
from thalamus.policy.persona import PERSONA_TYPES
from thalamus.records import IMPORTANCES, Importance, Instruction, Scope, Sensitivity

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
# those that a model is asked for: what is said of the assistant is read by rule, and a small model
# takes any request for a persona
OFFERED_TYPES = tuple(kind for kind in MEMORY_TYPES if kind not in PERSONA_TYPES)
_PERSONAL = ("personal", "private", "sensitive", "secret", "confidential", "high", "true")
MOST = 6  # memories, facts or instructions that one reply may hold

T = TypeVar("T", bound=msgspec.Struct)


class ReplyError(ValueError):
    """The reply is no such record; the message says why."""


class MemoryReply(msgspec.Struct):
    """A memory as a model gives it."""

    content: str
    type: Literal[MEMORY_TYPES] = "observation"  # type: ignore[valid-type]
    topic: str | None = None
    importance: Importance = "medium"
    sensitivity: Sensitivity = "normal"


class FactReply(msgspec.Struct):
    """A fact as a model gives it."""

    subject: str
    predicate: str
    object: str
    valid_from: str | None = None
    sensitivity: Sensitivity = "normal"


class ReflectionReply(msgspec.Struct):
    """What the reflection model answers."""

    memories_to_store: list[MemoryReply]
    facts: list[FactReply]


class PlanReply(msgspec.Struct):
    """What the planning model answers."""

    retrieval_instructions: list[Instruction]


class SummaryReply(msgspec.Struct):
    """What the summary model answers."""

    summary: str
    topic: str = ""


def _text(most: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": most}


def _list(items: dict[str, Any], most: int = MOST) -> dict[str, Any]:
    return {"type": "array", "items": items, "maxItems": most}


_NULLABLE = {"anyOf": [{"type": "string", "maxLength": 40}, {"type": "null"}]}

_SENSITIVITY = {"type": "string", "enum": list(get_args(Sensitivity))}

# Written by hand rather than generated: constrained decoders want short, flat schemas with limits
REFLECTION_SCHEMA = object_schema(
    memories_to_store=_list(
        object_schema(
            type={"type": "string", "enum": list(OFFERED_TYPES)},
            content=_text(300),
            topic=_text(40),
            importance={"type": "string", "enum": list(IMPORTANCES)},
            sensitivity=_SENSITIVITY,
            optional=["sensitivity"],
        )
    ),
    facts=_list(
        object_schema(
            subject=_text(60),
            predicate=_text(40),
            object=_text(120),
            valid_from=_NULLABLE,
            sensitivity=_SENSITIVITY,
            optional=["sensitivity"],
        )
    ),
)
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
    except msgspec.ValidationError as error:
        raise ReplyError(str(error)) from None


def parse_facts(text: str) -> ReflectionReply:
    """Facts in lines ``subject | predicate | object``, with ``| personal`` behind what is; or in
    JSON, where a model keeps to its habits. What is no such line is left out. Raises
    ``ReplyError`` for a reply without a fact that does not say that there is none."""
    if "{" in text:
        return parse(text, ReflectionReply)
    facts = [found for line in text.splitlines() if (found := _fact_line(line)) is not None]
    if not facts and not _NOTHING.match(text):
        raise ReplyError("it has no line “subject | predicate | object”")
    return ReflectionReply(memories_to_store=[], facts=facts[:MOST])


_NOTHING = re.compile(r"\W*(?:(?:nothing|none|no\s+facts?|n/?a|null)\b.{0,40})?\W*$", re.I)


def _fact_line(line: str) -> FactReply | None:
    parts = [part.strip(" \t*-•`\"'") for part in line.strip().strip("|").split("|")]
    if len(parts) not in (3, 4) or not all(parts[:3]) or max(map(len, parts)) > 120:
        return None
    personal = len(parts) == 4 and parts[3].lower() in _PERSONAL
    subject, predicate, object = parts[:3]
    sensitivity: Sensitivity = "personal" if personal else "normal"
    return FactReply(subject, predicate, object, sensitivity=sensitivity)


def load_json(text: str) -> Any:
    """The JSON value in a text: as it is, out of a code fence or prose, or repaired.

    Raises ``ReplyError`` when there is none.
    """
    stripped = text.strip().removeprefix("\ufeff")
    try:
        return json.loads(stripped)
    except ValueError:
        pass  # not plain JSON: look for it, then mend it
    start = min((i for i in (stripped.find("{"), stripped.find("[")) if i >= 0), default=-1)
    if start < 0:
        raise ReplyError("the reply has no JSON object")
    try:
        return json.JSONDecoder().raw_decode(stripped[start:])[0]
    except ValueError:
        import json_repair

        value = json_repair.loads(stripped[start:])
    if not isinstance(value, (dict, list)):
        raise ReplyError("the reply has no JSON object")
    return value


def _tolerate(value: Any, kind: type[msgspec.Struct]) -> Any:
    """Forgives what models do often and what cannot be misunderstood."""
    fields = msgspec.structs.fields(kind)
    lists = [field.name for field in fields if get_origin(field.type) is list]
    if isinstance(value, list) and lists:
        value = {lists[0]: value}
    if not isinstance(value, dict):
        raise ReplyError("the reply must be a JSON object")
    if kind is SummaryReply:
        return {name: item for name, item in value.items() if isinstance(item, str)}
    if len(lists) < len(fields):  # not a record of lists: as it is, without what it does not know
        return {field.name: value[field.name] for field in fields if field.name in value}
    if not any(name in value for name in lists):
        raise ReplyError(f"the object must have {' and '.join(lists)}")
    tidy = {name: value.get(name) or [] for name in lists}
    return {name: _items(found) for name, found in tidy.items()}


def _items(found: Any) -> Any:
    if isinstance(found, dict):
        found = [found]
    if not isinstance(found, list):
        return found
    return [_item(item) if isinstance(item, dict) else item for item in found[:MOST]]


_MAY_BE_NULL = ("topic", "scope", "since", "until", "as_of", "valid_from")


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
        if name in ("importance", "type", "mode") and isinstance(value, str):
            value = value.lower().replace(" ", "_")
        if name == "sensitivity":
            value = "personal" if str(value).lower() in _PERSONAL else "normal"
        tidy[name] = value
    return tidy
