"""Tools and their calls as text: ``calculate(expression="12 * 7") → value: 84``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.terminal.lines import one_line

if TYPE_CHECKING:
    from thalamus.records import ToolDescription

LONG = 240  # characters of arguments and result


def tool_lines(tools: Sequence[ToolDescription]) -> Iterator[str]:
    """A line for each tool: its name, its effect, its source and the stages that may use it."""
    longest = max((len(tool.name) for tool in tools), default=0)
    for tool in tools:
        stages = ", ".join(tool.stages) or "-"
        yield f"{tool.name:{longest}}  {tool.effect:5}  {tool.source:7}  {stages}"


def call_text(name: str, args: Mapping[str, object] | None) -> str:
    """A call as in code: the name of the tool with its named arguments."""
    given = ", ".join(f"{key}={_value(value)}" for key, value in (args or {}).items())
    return f"{one_line(name)}({one_line(given, LONG)})"


def outcome_text(result: object, error: str | None) -> str:
    """Outcome of a call: its result, the named fields of an object, or its error."""
    if error:
        return f"failed: {one_line(error, LONG)}"
    if isinstance(result, str):
        return one_line(result, LONG)
    if isinstance(result, dict) and result:
        return one_line(", ".join(f"{k}: {_part(v)}" for k, v in result.items()), LONG)
    return one_line(_part(result), LONG)


def _part(value: object) -> str:
    """A part of a result; of nested objects only their number."""
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        return "1 item" if len(value) == 1 else f"{len(value):,} items"
    if isinstance(value, list) and value:
        return ", ".join(map(_part, value))
    return value if isinstance(value, str) and value else _value(value)


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
