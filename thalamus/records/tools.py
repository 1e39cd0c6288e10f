"""Tools, as listed by `thalamus tools`, and the results of calls."""

from __future__ import annotations

from typing import Any, Literal

from thalamus.records.base import Record


class ToolDescription(Record, tag="tool"):
    """A tool. ``parameters`` and ``result`` are JSON Schemas; ``effect``: read, or write if it
    changes or proposes something; ``timeout`` (seconds) and ``max_bytes`` (of the result) apply to
    tools that are not built in; ``stages``: the stages that may use it."""

    name: str
    description: str
    parameters: dict[str, Any]
    result: dict[str, Any]
    effect: Literal["read", "write"]
    source: Literal["builtin", "plugin", "mcp"]
    timeout: float
    max_bytes: int
    stages: list[str] = []


class ToolResult(Record, tag="tool_result"):
    """Result of a manual tool call: the ``result``, or the ``error`` if it failed; ``ms``:
    milliseconds."""

    name: str
    args: dict[str, Any] = {}
    result: Any = None
    error: str | None = None
    ms: int = 0
