"""End of input, delayed until all earlier requests are answered.

The SDK cancels running requests when its input ends. A client that writes its requests and closes
its end, like a script in a pipe, would have some of them done and others not.
"""

from __future__ import annotations

from typing import Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

PATIENCE = 60.0  # seconds for answering the last requests


class Unanswered:
    """Requests without an answer."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._changed = anyio.Event()

    def came(self, item: SessionMessage | Exception) -> None:
        message = item.message if isinstance(item, SessionMessage) else None
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
    """A readable message stream that only ends when all requests are answered."""

    def __init__(self, stream: Any, unanswered: Unanswered) -> None:
        self._stream = stream
        self._unanswered = unanswered

    async def receive(self) -> SessionMessage | Exception:
        try:
            item: SessionMessage | Exception = await self._stream.receive()
        except anyio.EndOfStream:
            await self._unanswered.none_left()
            raise
        self._unanswered.came(item)
        return item

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
