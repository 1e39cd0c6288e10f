"""Rules by which the scripted model routes a message, calls tools and names topics.

They recognize a few plain wordings for demos and tests; any other message is answered without
tools. Pure functions of text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from thalamus.models.protocol import ToolSpec
from thalamus.models.scripted_rules import content
from thalamus.text.questions import is_question

_NUMBER = r"-?\d+(?:\.\d+)?"
_OPERATOR = r"(?:[-+*/×÷^]|\*\*)"
_EXPRESSION = re.compile(rf"(?<![\w.])\(*{_NUMBER}\)*(?:\s*{_OPERATOR}\s*\(*{_NUMBER}\)*)+(?![\w])")
_SHARE = re.compile(rf"(?<![\w.])(?P<share>{_NUMBER})\s?(?:%|percent) of (?P<whole>{_NUMBER})")
_SPACED = re.compile(rf"\s{_OPERATOR}\s|[*×÷^+]")  # not a date or a telephone number
_ASKS = re.compile(r"\b(?:what(?:'s| is)|how much is|calculate|compute|work out)\b", re.I)
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}")
_REST = r"(?P<said>[^.!?;\n]+)"
_PROJECT = re.compile(
    r"\b(?:my|our) (?:(?:new|current|next|main) )?project is (?:now |called |named )?"
    r"(?!(?:late|over|done|finished|going|not|still|on hold|about)\b)(?:the |an? )?" + _REST,
    re.I,
)
_GOALS = (
    re.compile(r"\badd (?P<said>[^.!?;\n]+?) to (?:my|our|the) (?:list of )?goals\b", re.I),
    re.compile(r"\bremind me (?:to|about|of|that) " + _REST, re.I),
)
_RECALLED = re.compile(r"\bwhat (?:did|have|had) (?:I|we)\b", re.I)
_OWN_LIFE = re.compile(r"\b(?:I|my|me|we|our)\b.*\?\s*$", re.I | re.S)
_TOPICS = 3


def route(message: str) -> dict[str, str]:
    """Route of a message: the world state and tools, the memory, or straight to the answer."""
    if expression(message) is not None:
        return {"route": "world", "reason": "It has something to calculate."}
    if _OWN_LIFE.search(message) or _RECALLED.search(message):
        return {"route": "context", "reason": "It asks about the user's own life."}
    if operations(message):
        return {"route": "world", "reason": "It says what the user is busy with."}
    return {"route": "answer", "reason": "It needs neither memories nor tools."}


def gather() -> dict[str, Any]:
    """A context that is always complete."""
    return {"complete": True, "next": None, "memory_request": None}


def topics(message: str) -> dict[str, list[str]]:
    """The first content words."""
    words = dict.fromkeys(w.lower() for w in content(message) if len(w) > 2 and not w.isdigit())
    return {"topics": list(words)[:_TOPICS]}


def calls(message: str, tools: Iterable[ToolSpec]) -> list[tuple[str, str]]:
    """(name, arguments as JSON) of the tool calls that a message plainly asks for."""
    wanted: list[tuple[str, dict[str, Any]]] = []
    for tool in tools:
        formula = expression(message) if tool.name == "calculate" else None
        changes = operations(message) if tool.name == "world_apply_ops" else []
        if formula is not None:
            wanted.append((tool.name, {_parameter(tool, "string", "expression"): formula}))
        if changes:
            wanted.append((tool.name, {_parameter(tool, "array", "operations"): changes}))
    return [(name, json.dumps(arguments, ensure_ascii=False)) for name, arguments in wanted]


def results_text(results: Sequence[str]) -> str:
    """Results of tools as text."""
    return " ".join(_shown(result) for result in results)


def expression(message: str) -> str | None:
    """The arithmetic expression in a message, with programming-language operators."""
    share = _SHARE.search(message)
    if share is not None:
        return f"{share['share']} / 100 * {share['whole']}"
    for found in _EXPRESSION.finditer(message):
        text = found.group()
        if _DATE.search(text) or text.count("(") != text.count(")"):
            continue
        if _SPACED.search(text) or _ASKS.search(message):
            return text.replace("×", "*").replace("÷", "/").replace("^", "**")
    return None


def operations(message: str) -> list[dict[str, str]]:
    """Changes of the world state (``WorldOperation``) that a message plainly asks for."""
    changes_found = []
    project = None if is_question(message) else _PROJECT.search(message)
    if project is not None:
        changes_found.append({"op": "set", "path": "project", "value": project["said"].strip()})
    for pattern in _GOALS:
        goal = pattern.search(message)
        if goal is not None:
            changes_found.append({"op": "append", "path": "goals", "value": goal["said"].strip()})
    return changes_found


def minimal_value(schema: dict[str, Any]) -> Any:
    """The smallest value that a JSON Schema allows, preferring null or empty ones."""
    kinds = [schema.get("type")] if isinstance(schema.get("type"), str) else schema.get("type", [])
    choices = schema.get("enum", [schema["const"]] if "const" in schema else [])
    alternatives = schema.get("anyOf") or schema.get("oneOf") or []
    if "null" in kinds or None in choices or any(a.get("type") == "null" for a in alternatives):
        return None
    if choices:
        return "none" if "none" in choices else choices[0]
    if alternatives:
        return minimal_value(alternatives[0])
    if "object" in kinds or "properties" in schema:
        properties = schema.get("properties", {})
        return {
            name: minimal_value(properties.get(name, {})) for name in schema.get("required", [])
        }
    empty = {"array": [], "boolean": False, "integer": 0, "number": 0, "string": ""}
    return next((empty[kind] for kind in kinds if kind in empty), None)


def _parameter(tool: ToolSpec, kind: str, otherwise: str) -> str:
    """Name of the tool's first parameter of the given type."""
    properties = tool.parameters.get("properties", {})
    return next((name for name, what in properties.items() if what.get("type") == kind), otherwise)


def _shown(result: str) -> str:
    try:
        value = json.loads(result)
    except ValueError:
        return result
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
