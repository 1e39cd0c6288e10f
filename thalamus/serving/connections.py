"""HTTP connections with limits, so that clients without a token keep nobody else from being
served: how many there are, and how long one may take to send a request."""

from __future__ import annotations

import asyncio
import resource
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

BACKLOG = 32  # connections that are accepted at once
PATIENCE = 15  # seconds for a request with its body to arrive
_MOST = 512  # connections at a time, where so many files may be open


class LimitedConnection(H11Protocol):
    """A connection that is closed when a request does not arrive in time; and, where there are too
    many, when it is the one that has waited for a request the longest."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._begun = 0.0  # when it began to wait for the request
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        there = [one for one in self.connections if isinstance(one, LimitedConnection)]
        there = [one for one in there if not one.transport.is_closing()]
        if len(there) > min(_MOST, files // 4):
            waiting = [one for one in there if one._end or not one._answering()]
            min(waiting, key=lambda one: one._begun, default=self).transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_waiting()
        elif self._end is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self) -> None:
        self._begun = self.loop.time()
        self._end = self.loop.call_later(PATIENCE, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
