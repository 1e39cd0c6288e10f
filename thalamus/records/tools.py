"""Tools, as `thalamus tools` shows them, and what came of a call."""

from __future__ import annotations

from typing import Any, Literal

from thalamus.records.base import Record


class ToolDescription(Record, tag="tool"):
    """A tool. ``parameters`` and ``result`` are JSON Schemas; ``effect``: read, or write for what
    changes or proposes something; ``timeout`` in seconds and ``max_bytes`` of the result hold for
    what is not built in; ``stages`` are those that may use it."""

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
    """What came of a call by hand: the ``result``, or the ``error`` because of which there is none;
    ``ms`` milliseconds."""

    name: str
    args: dict[str, Any] = {}
    result: Any = None
    error: str | None = None
    ms: int = 0
