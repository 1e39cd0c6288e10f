"""Message streams on which every line gets an answer.

The SDK cancels running requests when its input ends. A client that writes its requests and closes
its end, like a script in a pipe, would have some of them done and others not; so the end of input
is delayed until all earlier requests are answered. A line that is not a message, which the SDK
drops, is answered with an error.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from typing import Any, BinaryIO

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from thalamus.serving.unreadable import problem_in

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


class Lines:
    """Messages in standard input, one per line. Empty lines and byte order marks are skipped, and
    a line that is not a message is answered on ``outgoing``."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = anyio.wrap_file(file)
        self._outgoing: Outgoing | None = None
        self._ready = anyio.Event()

    def answer_on(self, outgoing: Outgoing) -> None:
        """Sets the stream for answers to unreadable lines."""
        self._outgoing = outgoing
        self._ready.set()

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        while raw := await self._file.readline():
            line = raw.strip().removeprefix(BOM_UTF8).strip()
            problem = problem_in(line) if line else None
            if problem is not None:
                await self._ready.wait()
                assert self._outgoing is not None
                await self._outgoing.send(SessionMessage(problem))
            elif line:
                return line.decode()
        raise StopAsyncIteration


def claimed_input() -> BinaryIO:
    """Standard input for the protocol alone: other readers, such as child processes, find it
    empty."""
    private = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return os.fdopen(private, "rb", closefd=False)


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
        if isinstance(item, SessionMessage):
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
