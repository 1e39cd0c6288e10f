"""Conversion of tools and calls to and from the format of OpenAI-compatible servers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from thalamus.models.protocol import ChatRequest, Message, ToolRequest, ToolSpec


def function_tools(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """The tools as in the field ``tools`` of a request; Ollama uses the same format."""
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
    """The messages with their calls and results."""
    return [_openai_message(message) for message in messages]


def _openai_message(message: Message) -> dict[str, Any]:
    converted: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        converted["tool_calls"] = [
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
        converted["tool_call_id"] = message.call_id
    return converted


def arguments_object(call: ToolRequest) -> dict[str, Any]:
    """Arguments of a call as an object; empty if the model wrote something else. Servers reject a
    whole conversation because of one such call."""
    try:
        found = json.loads(call.arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def with_ids(
    found: Sequence[tuple[str | None, str, str]], request: ChatRequest
) -> tuple[ToolRequest, ...]:
    """Calls from (id, name, arguments). A missing id is replaced by one that is unique in the
    conversation."""
    before = sum(len(message.calls) for message in request.messages)
    return tuple(
        ToolRequest(id or f"call_{number}", name, arguments)
        for number, (id, name, arguments) in enumerate(found, start=before + 1)
    )


class StreamedCalls:
    """Assembles the calls of a reply from the ``tool_calls`` of its events.

    An id and a name come once, the arguments in pieces; ``index`` identifies the call. Without it,
    a piece with a name starts a new call.
    """

    def __init__(self) -> None:
        self._calls: dict[int, dict[str, str]] = {}
        self._places: dict[int, int] = {}  # of the newest call with each index

    def feed(self, pieces: Any) -> None:
        """Adds the ``tool_calls`` of one event, which may be None. Raises ``TypeError`` or
        ``AttributeError`` for anything else."""
        for piece in pieces or []:
            function = piece.get("function") or {}
            index = piece.get("index")
            newest = max(self._calls, default=-1)
            if index is None:
                place = newest + (1 if function.get("name") else 0)
            else:
                place = self._places.get(int(index), int(index))
                known, id = self._calls.get(place, {}).get("id"), piece.get("id")
                if known and id and id != known:  # some servers give all calls the same index
                    place = newest + 1
                self._places[int(index)] = place
            call = self._calls.setdefault(place, {"id": "", "name": "", "arguments": ""})
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
    """Arguments as text; some servers send an object."""
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    return _text(value)
