"""Message streams on which every line gets an answer.

The SDK cancels running requests when its input ends. A client that writes its requests and closes
its end, like a script in a pipe, would have some of them done and others not; so the end of input
is delayed until all earlier requests are answered. A line that is not a message, which the SDK
drops, is answered with an error.
"""

from __future__ import annotations

from typing import Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

PATIENCE = 60.0  # seconds for answering the last requests


class Unanswered:
    """Requests without an answer."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._changed = anyio.Event()

    def came(self, item: SessionMessage) -> None:
        message = item.message
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method.endswith("/cancelled"):
            self._done((message.params or {}).get("requestId"))

    def went(self, item: SessionMessage) -> None:
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._done(item.message.id)

    async def none_left(self) -> None:
        """Waits until all are answered, or ``PATIENCE`` has passed."""
        with anyio.move_on_after(PATIENCE):
            while self._ids:
                await self._changed.wait()

    def _done(self, id: Any) -> None:
        self._ids.discard(id)
        self._changed.set()
        self._changed = anyio.Event()


class Incoming:
    """A readable message stream that only ends when all requests are answered. Lines that cannot be
    read are answered on ``outgoing``."""

    def __init__(self, stream: Any, outgoing: Outgoing, unanswered: Unanswered) -> None:
        self._stream = stream
        self._outgoing = outgoing
        self._unanswered = unanswered

    async def receive(self) -> SessionMessage | Exception:
        while True:
            try:
                item: SessionMessage | Exception = await self._stream.receive()
            except anyio.EndOfStream:
                await self._unanswered.none_left()
                raise
            if isinstance(item, SessionMessage):
                self._unanswered.came(item)
                return item
            await self._outgoing.send(SessionMessage(_unreadable(item)))

    @property
    def last_context(self) -> Any:
        return self._stream.last_context

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> Incoming:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Incoming:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class Outgoing:
    """A writable message stream that records answers."""

    def __init__(self, stream: Any, unanswered: Unanswered) -> None:
        self._stream = stream
        self._unanswered = unanswered

    async def send(self, item: SessionMessage, /) -> None:
        await self._stream.send(item)
        self._unanswered.went(item)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Outgoing:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _unreadable(error: Exception) -> JSONRPCError:
    """The answer to a line that is not JSON, or not a message."""
    found: list[Any] = getattr(error, "errors", list)()  # pydantic's
    broken = any(one["type"] == "json_invalid" for one in found)
    code = PARSE_ERROR if broken else INVALID_REQUEST
    message = "This line is not JSON." if broken else "This line is not a JSON-RPC message."
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message))
