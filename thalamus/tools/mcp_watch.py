"""Observation of MCP servers apart from their answers: their end, their standard error, and the
SDK's logging, so that a server's noise stays out of ours."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import Any

from thalamus.logs import logger

log = logger(__name__)
_LINE = 1000  # characters per line of a server's standard error in the log
_LAST = 200  # characters of the last line in an error message
THREAD = "mcp "  # prefix of the names of session threads


class ObservedStream:
    """A message stream that reports each message to ``seen`` (False), and its end (True)."""

    def __init__(self, stream: Any, seen: Callable[[bool], None]) -> None:
        self._stream, self._seen = stream, seen

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Any:
        import anyio

        try:
            message = await self._stream.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._seen(True)
            raise
        self._seen(False)
        return message

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> ObservedStream:
        return self

    async def __anext__(self) -> Any:
        import anyio

        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> ObservedStream:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._stream.__aexit__(*error)


class ErrorLog:
    """A file for a server's standard error; its lines go to the log. ``last``: the last line."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.last = ""
        reading, writing = os.pipe()
        self.file = os.fdopen(writing, "w")
        self._thread = threading.Thread(
            target=self._copy, args=(reading,), name=f"{THREAD}{name} stderr", daemon=True
        )
        self._thread.start()

    def __enter__(self) -> ErrorLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def finish(self) -> None:
        """Waits briefly for the server's last output."""
        self._thread.join(0.5)

    def _copy(self, reading: int) -> None:
        with os.fdopen(reading, "rb") as lines:
            while line := lines.readline(_LINE):
                text = line.decode(errors="replace").strip()
                if text:
                    self.last = text[:_LAST]
                    log.info("MCP server %s: %s", self._name, text)


class OursToDebug(logging.Filter):
    """Filter that moves the SDK's messages about our sessions to our debug log: a server's errors
    become issues, not tracebacks on standard error."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not str(record.threadName).startswith(THREAD):
            return True
        log.debug("%s", record.getMessage())
        return False
