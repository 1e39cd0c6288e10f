"""memory_store: proposes a memory, which the gate for writing decides about like one from a
reflection."""

from __future__ import annotations

from typing import Any

from thalamus.policy.reply_parsing import OFFERED_TYPES
from thalamus.policy.retention import rule_for
from thalamus.records import Memory, Provenance
from thalamus.text.names import folded_words, names, numbers, stands
from thalamus.text.quotes import find
from thalamus.text.statements import share_said
from thalamus.tools.tool import Tool, ToolOutput, Workspace, parameters

LEAST_SHARE = 0.5  # least share of a note's words found in the message
REWORDED_TRUST = 0.8  # trust of a note in the model's words


def memory_store(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    turn, content = workspace.turn, " ".join(args["content"].split())
    message_words = folded_words(turn.message)
    known = {*message_words, *numbers(turn.message)}  # a number may be part of a word: B2, 5km
    wanted = [
        *numbers(content),
        *(name for name in names(content) if not stands(name, message_words)),
    ]
    unknown = [one for one in wanted if one not in known]
    if unknown or share_said(content, turn.message) < LEAST_SHARE:
        what = f"“{unknown[0]}”" if unknown else "it"
        return ToolOutput({"decision": "refuse", "reason": f"the user did not say {what}"})
    return _propose(content, args.get("type", "observation"), workspace)


def _propose(content: str, type: str, workspace: Workspace) -> ToolOutput:
    turn, run = workspace.turn, workspace.run
    span = find(content, turn.message)
    trust = 1.0 if span is not None else REWORDED_TRUST
    scope = rule_for(run.engine.rules(), type).scope
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
            provenance=Provenance(
                turn=turn.id, quote=span.of(turn.message) if span else turn.message
            ),
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
