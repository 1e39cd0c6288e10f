"""The loop in which a model calls tools.

    ask → no calls: done
        → run them in order, add the results, ask again: six rounds at most

A model with tool support gets the tools natively. Any other model, and every small one, gets a JSON
Schema instead, with which it chooses one tool at a time, or none.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from thalamus.memory.structured_output import request_with_retry
from thalamus.models.protocol import ChatReply, Message, Role, Sized, ToolCalling, ToolRequest
from thalamus.policy.json_schema import object_schema
from thalamus.policy.reply_parsing import ReplyError, load_json
from thalamus.records import Issue
from thalamus.tools.tool import Tool

if TYPE_CHECKING:
    from thalamus.tools.call import Caller
    from thalamus.turn_run import TurnRun

ROUNDS = 6
NONE = "none"  # a model's choice of no tool


class LoopResult(Struct):
    """Result of a loop: the model's final text, its replies, and issues."""

    text: str = ""
    replies: list[ChatReply] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)


def run_tools(
    run: TurnRun, role: Role, messages: Sequence[Message], tools: Sequence[Tool], caller: Caller
) -> LoopResult:
    """Lets a role's model call ``tools`` until it makes no more calls. An invalid call is reported
    to the model once; a second one ends the loop with an issue. Raises the model's errors."""
    chat = run.engine.models.chat(role)
    small = isinstance(chat, Sized) and chat.small()
    native = isinstance(chat, ToolCalling) and chat.calls_tools() and not small
    ask = _ask_natively if native else _ask_by_schema
    result, talk, failed = LoopResult(), list(messages), False
    past_calls: set[tuple[str, str]] = set()
    for _ in range(ROUNDS):
        wanted = ask(run, role, talk, tools, result)
        # a repeated call makes no progress
        wanted = [call for call in wanted if _key(call) not in past_calls]
        if not wanted:
            return result
        past_calls.update(_key(call) for call in wanted)
        talk.append(Message("assistant", result.text, calls=tuple(wanted)))
        errors = [_run(call, caller, talk) for call in wanted]
        problem = next((error for error in errors if error), None)
        if problem and failed:
            result.issues.append(Issue(stage=role, code="invalid_call", message=problem))
            return result
        failed = problem is not None
    note = f"the model still called tools after {ROUNDS} rounds"
    result.issues.append(Issue(stage=role, code="too_many_rounds", message=note))
    return result


def _run(call: ToolRequest, caller: Caller, talk: list[Message]) -> str | None:
    """Runs one call and adds its result to the conversation; returns the error, if any."""
    try:
        args = json.loads(call.arguments or "{}")
    except ValueError as error:
        args = f"not JSON: {error}"
    result = caller.call(call.name, args)
    talk.append(Message("tool", caller.text(result), call_id=call.id))
    return result.error


def _key(call: ToolRequest) -> tuple[str, str]:
    return call.name, call.arguments


def _ask_natively(
    run: TurnRun, role: Role, talk: Sequence[Message], tools: Sequence[Tool], result: LoopResult
) -> list[ToolRequest]:
    """The calls that the model makes next. Adds its reply to the result."""
    reply = run.ask(role, list(talk), tools=tuple(tool.spec for tool in tools))
    result.replies.append(reply)
    result.text = reply.text
    return list(reply.calls)


def _ask_by_schema(
    run: TurnRun, role: Role, talk: Sequence[Message], tools: Sequence[Tool], result: LoopResult
) -> list[ToolRequest]:
    """The model's choice of a tool as JSON, none if two replies are unusable, which is an issue.
    Adds the replies to the result."""
    asked = request_with_retry(
        run,
        role,
        [_plain(message) for message in talk],
        _chosen,
        "Reply with the JSON object only.",
        choice_schema(tools),
    )
    result.replies += asked.replies
    result.issues += asked.issues
    result.text = asked.replies[-1].text
    return asked.value or []


def _chosen(text: str) -> list[ToolRequest]:
    """The choice that a reply states; prose is an answer and no choice. Raises ``ReplyError`` for
    JSON that names no tool."""
    if "{" not in text:
        return []
    chosen = load_json(text)
    name = chosen.get("tool") if isinstance(chosen, dict) else None
    if not isinstance(name, str) or not name:
        raise ReplyError("the object must have the name of a tool")
    if name == NONE:
        return []
    return [ToolRequest(id=name, name=name, arguments=json.dumps(chosen.get("arguments", {})))]


def choice_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """JSON Schema of a choice of one tool with arguments, or of none."""
    calls = [object_schema(tool={"const": tool.name}, arguments=tool.parameters) for tool in tools]
    return {"anyOf": [*calls, object_schema(tool={"const": NONE})]}


def _plain(message: Message) -> Message:
    """The message without calls: for a model without tool support, results are user messages."""
    if message.role == "tool":
        return Message("user", f"<tool_result>\n{message.content}\n</tool_result>")
    return Message(message.role, message.content)
