"""memory_store: proposes something to remember. The gate for writing decides, as with any
reflection."""

from __future__ import annotations

from typing import Any

from thalamus.policy import grounding
from thalamus.policy.reply_parsing import OFFERED_TYPES
from thalamus.policy.retention import rule_for
from thalamus.records import Memory, Provenance
from thalamus.tools.tool import Tool, ToolOutput, Workspace, parameters


def memory_store(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    turn, content = workspace.turn, " ".join(args["content"].split())
    grounds = grounding.TurnText(
        message=turn.message, answer="", evidence=[item.text for item in turn.evidence]
    )
    verdict, trust = grounding.judge(content, grounds)
    type = args.get("type", "observation")
    if verdict.decision == "refuse" and _repeats(content, turn.message):
        # "make a note that …": the whole of it is a request, and what is to be noted the user's
        return _proposed(content, type, 1.0, workspace)
    if verdict.decision == "refuse":
        return ToolOutput({"decision": "refuse", "reason": verdict.reason})
    return _proposed(content, type, trust, workspace)


def _repeats(content: str, message: str) -> bool:
    """Whether the message says it word for word."""
    said = " ".join(message.split()).rstrip(".!").casefold()
    return content.rstrip(".!").casefold() in said


def _proposed(content: str, type: str, trust: float, workspace: Workspace) -> ToolOutput:
    turn, context = workspace.turn, workspace.context
    scope = rule_for(context.rules(), type).scope
    workspace.proposals.append(
        Memory(
            content=content,
            type=type,
            scope="archival" if scope == "core" and trust < 1 else scope,
            created_at=turn.created_at,
            session=turn.session,
            user=turn.user,
            agent=turn.agent,
            trust=trust,
            provenance=Provenance(turn=turn.id, quote=grounding.quote(content, turn.message)),
        )
    )
    return ToolOutput({"decision": "proposed", "content": content}, text=f"Noted: {content}")


TOOLS = (
    Tool(
        name="memory_store",
        description="Keep a note of something that the user says and wants remembered.",
        parameters=parameters(
            ("content",),
            content={"type": "string", "minLength": 3, "maxLength": 500},
            type={"enum": list(OFFERED_TYPES)},
        ),
        result=parameters(
            ("decision",),
            decision={"enum": ["proposed", "refuse"]},
            content={"type": "string"},
            reason={"type": "string"},
        ),
        effect="write",
        function=memory_store,
    ),
)
