"""Activities of other agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from thalamus.records.base import Record, Text, Unit

ActivityKind = Literal["turn", "tool_call", "file_edit"]


class Activity(Record, tag="activity"):
    """Something that another agent said or did. It is stored as a turn of that agent.

    ``kind``: a ``turn`` of a conversation (``message``: what it was told, ``answer``: what it
    said), a ``tool_call`` (``tool``, ``args``, and the ``result`` or the ``error``), or a
    ``file_edit`` (``path``, ``diff``). ``trust``: how far the agent can be believed, at most 0.5.
    """

    kind: ActivityKind
    agent: Text
    message: str | None = None
    answer: str | None = None
    tool: str | None = None
    args: dict[str, Any] = {}
    result: Any = None
    error: str | None = None
    path: str | None = None
    diff: str | None = None
    if TYPE_CHECKING:
        id: str = ""  # once stored
    else:
        id: str | None = None
    session: str | None = None
    user: str | None = None
    created_at: str | None = None
    trust: Unit = 0.5
    metadata: dict[str, Any] = {}
