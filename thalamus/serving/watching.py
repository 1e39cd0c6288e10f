"""Following the events of running chats from another process."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from thalamus.records import Event
from thalamus.serving.broadcast import PART, START
from thalamus.serving.sockets import sockets

if TYPE_CHECKING:
    from thalamus.config import Config

LOOK = 0.25  # seconds between searches for new chats
_NEXT = b"next\n"


class Seen(Struct, frozen=True):
    """An observation: a chat was ``found``, had an ``event``, or ``ended``; or no chat is running
    (``none``)."""

    what: Literal["found", "event", "ended", "none"]
    pid: int = 0
    event: Event | None = None


class Watch:
    """Events of all running and future chats of a store, as they happen.

    A chat that starts later is followed from its start; others from now on, or with ``since_start``
    from their start as far as they still have the events. Chats of other users than the configured
    one are skipped. Iteration never ends by itself.
    """

    def __init__(self, config: Config, *, since_start: bool = False) -> None:
        self._config = config
        self._since_start = since_start
        self._selector = selectors.DefaultSelector()
        self._known: set[Path] = set()
        self._decoder = msgspec.json.Decoder(Event)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def __iter__(self) -> Iterator[Seen]:
        self._find(START if self._since_start else _NEXT)
        if not self._selector.get_map():
            yield Seen("none")
        last_search = time.monotonic()
        while True:
            if self._selector.get_map():
                for key, _ in self._selector.select(LOOK):
                    yield from self._read(key.data)
            else:
                time.sleep(LOOK)
            if time.monotonic() - last_search >= LOOK:
                self._find(START)
                last_search = time.monotonic()

    def _find(self, wanted: bytes) -> None:
        """Connects to new chats."""
        try:
            present = set(sockets(self._config))
        except OSError:
            present = set()
        self._known &= present
        for path in sorted(present - self._known):
            self._known.add(path)
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                connection.connect(str(path))
                connection.sendall(wanted)
            except OSError:  # a chat that died or has just ended
                connection.close()
                continue
            self._selector.register(connection, selectors.EVENT_READ, _Source(connection))

    def _read(self, source: _Source) -> Iterator[Seen]:
        """Events sent by a chat; one that ends is dropped."""
        lines = source.read()
        for line in lines or ():
            try:
                event = self._decoder.decode(line)
            except msgspec.DecodeError:
                lines = None  # not a chat
                break
            if event.name == "chat" and not source.pid:
                user = event.data.get("user")
                if self._config.user and user not in (None, self._config.user):
                    yield from self._drop(source)
                    return
                source.pid = int(event.data.get("pid") or -1)
                yield Seen("found", source.pid, event)
            else:
                yield Seen("event", source.pid, event)
        if lines is None:
            yield from self._drop(source)

    def _drop(self, source: _Source) -> Iterator[Seen]:
        """Disconnects from a chat that ended or must not be followed."""
        self._selector.unregister(source.connection)
        source.connection.close()
        if source.pid:
            yield Seen("ended", source.pid)
        if not self._selector.get_map():
            yield Seen("none")


class _Source:
    """A connection to a chat; ``pid`` is 0 until the chat has sent it."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.pid = 0
        self._rest = b""

    def read(self) -> list[bytes] | None:
        """Complete lines received; None at the end."""
        try:
            data = self.connection.recv(PART)
        except OSError:
            data = b""
        if not data:
            return None
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line for line in lines if line]
