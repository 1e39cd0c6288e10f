"""Answers to requests that cannot be read: each has the id of its request, if that can be read, so
that no client waits for it."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from typing import Any

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thalamus.text.storable import storable

LONGEST_BEGINNING = 10_000  # bytes of a broken request in which its id is looked for
LONGEST = 1 << 20  # bytes of a request by HTTP that are kept to answer it


def problem_in(data: bytes) -> JSONRPCError | None:
    """The answer to data that is not a JSON-RPC message; None for a message."""
    try:
        message = jsonrpc_message_adapter.validate_json(data, by_name=False)
    except ValueError as error:
        found: list[Any] = getattr(error, "errors", list)()  # pydantic's
        if any(one["type"] == "json_invalid" for one in found):
            return _refused(data, PARSE_ERROR, _reason(data))
        return _refused(data, INVALID_REQUEST, "This is not a JSON-RPC message.")
    if not isinstance(message, JSONRPCNotification) or message.method.startswith("notifications/"):
        return None
    if "id" in _fields(data):  # of a form that the SDK takes for none
        return _refused(data, INVALID_REQUEST, "The id is neither a text nor a whole number.")
    return None


def _reason(data: bytes) -> str:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return f"This is not UTF-8 (byte {error.start + 1})."
    if isinstance(_parsed(data), dict):
        return "This is not JSON: a text in it has half of a character (a lone surrogate)."
    return "This is not JSON."


def _refused(data: bytes, code: int, message: str) -> JSONRPCError:
    """An error with the id of a request, if that can be read."""
    id = _fields(data).get("id")
    usable = isinstance(id, str | int) and not isinstance(id, bool) and storable(str(id)) == str(id)
    error = ErrorData(code=code, message=message)
    return JSONRPCError(jsonrpc="2.0", id=id if usable else None, error=error)


def _fields(data: bytes) -> dict[str, Any]:
    """Fields of a request, as far as it can be read; empty for anything else."""
    found = _parsed(data)
    if found is None:
        import json_repair

        beginning = data[:LONGEST_BEGINNING].decode(errors="replace")
        try:
            found = json_repair.loads(beginning, skip_json_loads=True)
        except (ValueError, RecursionError):  # it is nested too deeply
            return {}
    is_request = isinstance(found, dict) and "id" in found and "jsonrpc" in found
    return found if is_request else {}


def _parsed(data: bytes) -> Any:
    """JSON with any text in it; None where it is not JSON."""
    try:
        return json.loads(data.decode(errors="surrogateescape"))
    except (ValueError, RecursionError):
        return None


class WithIds:
    """An ASGI application whose refusals of unreadable requests have the id of the request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(receive, send)
        await self._app(scope, exchange.receive, exchange.send)


class _Exchange:
    """A request by HTTP with its answer, which is held back if it is a refusal."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._request = bytearray()
        self._start: Message | None = None

    async def receive(self) -> Message:
        message = await self._receive()
        body: bytes = message.get("body", b"")
        if not self._request:
            body = body.removeprefix(BOM_UTF8)
        if len(self._request) <= LONGEST:
            self._request += body
        return {**message, "body": body} if "body" in message else message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 400:
            self._start = message
            return
        if self._start is None:
            await self._send(message)
            return
        start, self._start = self._start, None
        readable = len(self._request) > LONGEST or not self._request
        problem = None if readable else problem_in(bytes(self._request))
        if problem is not None:
            body = problem.model_dump_json(by_alias=True, exclude_unset=True).encode()
            size = (b"content-length", str(len(body)).encode())
            others = [pair for pair in start["headers"] if pair[0].lower() != size[0]]
            start = {**start, "headers": [*others, size]}
            message = {**message, "body": body, "more_body": False}
        await self._send(start)
        await self._send(message)
