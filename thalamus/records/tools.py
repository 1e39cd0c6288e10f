"""Tools, as listed by `thalamus tools`, and the results of calls."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from thalamus.records.base import Record, Unit


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


class ToolPerformance(Record, tag="tool_performance"):
    """Performance of a tool for tasks of one kind, computed from the ledger.

    ``context_signature``: the turn whose embedding stands for these tasks; null for the task that
    was asked about, or if no task has an embedding. ``outcome_score``: mean outcome of its calls, 0
    (failed, or corrected by the user later) to 1 (its result stands in the answer); ``n``: their
    number, or for a task that was asked about their weight by similarity and age; ``latency``: mean
    milliseconds. ``score``: what orders the tools for that task with ``tool_policy: ucb``.
    ``outcome_score``, ``latency`` and ``score`` are null for a tool that was never tried.
    """

    tool: str
    context_signature: str | None = None
    outcome_score: Unit | None = None
    n: Annotated[float, Meta(ge=0)] = 0
    latency: Annotated[int, Meta(ge=0)] | None = None
    score: float | None = None
