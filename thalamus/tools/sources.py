"""Conversion of tool calls to sources of a turn's context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.records import ContextSource, SourceItem, ToolCall, Turn

if TYPE_CHECKING:
    from thalamus.tools.call import Caller

# kind of source made from a tool's result, and its name
TITLES = {
    "chat_turns": "the last messages",
    "memories": "what is remembered",
    "facts": "facts",
    "documents": "documents",
    "notes": "notes",
    "world": "the world state",
    "manifest": "the state of the project",
    "tool": "the result of",
}


def source_of(call: ToolCall, caller: Caller, turn: Turn) -> ContextSource | None:
    """Source made from a call; None for a failed one. Evidence is referenced by its id; anything
    else is included as text."""
    tool = caller.toolbox.find(call.name, caller.workspace.stage)
    if call.error is not None or tool is None:
        return None
    title = TITLES[tool.kind] + (f" {tool.name}" if tool.kind == "tool" else "")
    found = call.result.get("ids") if isinstance(call.result, dict) else None
    if found is not None:
        items = [SourceItem(id=id) for id in found]
    elif tool.kind == "chat_turns":
        messages = call.result["messages"]
        items = [SourceItem(id=m["id"], text=f"{m['role']}: {m['content']}") for m in messages]
    elif isinstance(call.result, dict) and call.result.get("items") == []:
        items = []
    else:
        items = [SourceItem(text=line) for line in caller.text(call).splitlines() if line]
    return ContextSource(
        kind=tool.kind,
        title=title,
        items=items,
        tool=call.name,
        args=call.args,
        at=turn.created_at,
    )


def cut(source: ContextSource, tokens: int) -> ContextSource:
    """The source cut to ``tokens``, with a note of how much was left out."""

    kept: list[SourceItem] = []
    for item in source.items:
        tokens -= estimate_tokens(item.text or "")
        if tokens < 0 and kept:
            break
        kept.append(item)
    left = len(source.items) - len(kept)
    if not left:
        return source
    return structs.replace(source, items=kept, cut=f"{left} of {len(source.items)} left out")
