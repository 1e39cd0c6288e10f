"""Tools and their calls as the servers that copy OpenAI want them, and as they send them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from thalamus.models.protocol import ChatRequest, Message, ToolRequest, ToolSpec


def function_tools(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """The tools as the field ``tools`` of a request has them; Ollama wants the same."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        }
        for tool in tools
    ]


def openai_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """The messages with the calls in them and the results of those."""
    return [_openai_message(message) for message in messages]


def _openai_message(message: Message) -> dict[str, Any]:
    made: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        made["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(arguments_object(call), ensure_ascii=False),
                },
            }
            for call in message.calls
        ]
    if message.call_id is not None:
        made["tool_call_id"] = message.call_id
    return made


def arguments_object(call: ToolRequest) -> dict[str, Any]:
    """The arguments of a call; none where the model wrote no JSON object. Servers refuse a whole
    conversation for one such call in it."""
    try:
        found = json.loads(call.arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def with_ids(
    found: Sequence[tuple[str | None, str, str]], request: ChatRequest
) -> tuple[ToolRequest, ...]:
    """Calls out of (id, name, arguments). Where the provider gave no id, one is made up that no
    other call of the conversation has."""
    before = sum(len(message.calls) for message in request.messages)
    return tuple(
        ToolRequest(id or f"call_{number}", name, arguments)
        for number, (id, name, arguments) in enumerate(found, start=before + 1)
    )


class StreamedCalls:
    """The calls of a reply, put together of what ``tool_calls`` holds in each event.

    An id and a name come once, the arguments in pieces; ``index`` says which call a piece is of.
    Without it, a piece with a name begins a new call.
    """

    def __init__(self) -> None:
        self._calls: dict[int, dict[str, str]] = {}

    def feed(self, pieces: Any) -> None:
        """Takes the ``tool_calls`` of one event, which may be None. Raises ``TypeError`` or
        ``AttributeError`` for something else than calls."""
        for piece in pieces or []:
            function = piece.get("function") or {}
            index = piece.get("index")
            if index is None:
                index = max(self._calls, default=-1) + (1 if function.get("name") else 0)
            call = self._calls.setdefault(int(index), {"id": "", "name": "", "arguments": ""})
            call["id"] = call["id"] or _text(piece.get("id"))
            call["name"] = call["name"] or _text(function.get("name"))
            call["arguments"] += _arguments(function.get("arguments"))

    def found(self) -> list[tuple[str | None, str, str]]:
        """(id, name, arguments) of each call, in order."""
        calls = (self._calls[index] for index in sorted(self._calls))
        return [(c["id"] or None, c["name"], c["arguments"] or "{}") for c in calls if c["name"]]


def _text(value: Any) -> str:
    if not isinstance(value, str | None):
        raise TypeError
    return value or ""


def _arguments(value: Any) -> str:
    """Some servers send the arguments as an object."""
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    return _text(value)
