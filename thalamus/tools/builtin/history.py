"""chat_history_tail: the last messages of this conversation."""

from __future__ import annotations

from typing import Any

from thalamus.memory.sessions import recent_turns
from thalamus.policy.prompts import fence
from thalamus.tools.tool import Tool, ToolOutput, Workspace, parameters


def chat_history_tail(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    turn, run = workspace.turn, workspace.run
    store = workspace.store
    limit = args.get("limit", 4)
    messages: list[dict[str, str]] = []
    if store is not None:
        session = turn.session or run.engine.config.session
        found = recent_turns(store, session, turn.user, limit + 1)
        for item in [item for item in found if item.id != turn.id][-limit:]:
            message = {"id": item.stored_id, "at": item.created_at or ""}
            messages.append({**message, "role": "user", "content": item.message})
            if item.answer:
                messages.append({**message, "role": "assistant", "content": item.answer})
    messages = messages[-limit:]
    text = "\n".join(f"{message['role']}: {fence(message['content'])}" for message in messages)
    return ToolOutput({"messages": messages}, text=text or "(nothing was said yet)")


TOOLS = (
    Tool(
        name="chat_history_tail",
        description="The last messages of this conversation.",
        parameters=parameters(limit={"type": "integer", "minimum": 1, "maximum": 50}),
        result=parameters(
            ("messages",),
            messages={
                "type": "array",
                "items": parameters(
                    ("id", "role", "content"),
                    **{name: {"type": "string"} for name in ("id", "at", "role", "content")},
                ),
            },
        ),
        function=chat_history_tail,
        kind="chat_turns",
    ),
)
