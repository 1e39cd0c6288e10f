"""Tools and their calls as text: ``calculate(expression="12 * 7") → value: 84``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.terminal.lines import one_line, quoted

if TYPE_CHECKING:
    from thalamus.records.tools import ToolDescription, ToolPerformance

LONG = 240  # characters of arguments and result


def tool_lines(tools: Sequence[ToolDescription]) -> Iterator[str]:
    """A line for each tool: its name, its effect, its source and the stages that may use it."""
    longest = max((len(tool.name) for tool in tools), default=0)
    for tool in tools:
        stages = ", ".join(tool.stages) or "-"
        yield f"{tool.name:{longest}}  {tool.effect:5}  {tool.source:7}  {stages}"


def performance_lines(
    found: Sequence[ToolPerformance], text_of: Callable[[str], str]
) -> Iterator[str]:
    """A line for each tool and kind of task: outcome, number of calls, time, and the task or the
    score. ``text_of``: the message of a turn."""
    longest = max((len(one.tool) for one in found), default=0)
    for one in found:
        if one.outcome_score is None or one.latency is None:
            yield f"{one.tool:{longest}}  untried"
            continue
        line = f"{one.tool:{longest}}  {one.outcome_score:4.0%}  of {one.n:>5,g}"
        line += f"  {one.latency:>6,} ms"
        if one.score is not None:
            yield f"{line}  score {one.score:.3f}"
        elif one.context_signature:
            task = quoted(text_of(one.context_signature), 60)
            yield f"{line}  {task}  [{one.context_signature}]"
        else:
            yield line


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
