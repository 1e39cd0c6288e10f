"""Live events of a chat for other processes of the same user: nothing is written to disk."""

from __future__ import annotations

import contextlib
import logging
import os
import selectors
import socket
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.records import Event
from thalamus.records.json_line import to_line
from thalamus.serving.sockets import is_alive, place_of, sockets

if TYPE_CHECKING:
    from thalamus.config import Config

log = logging.getLogger(__name__)

KEPT = 2_000  # events of this chat that are kept for who wants them from the start
MOST = 10_000  # events that wait for one listener; of a slower one the next are dropped
GRACE = 0.5  # seconds at the end in which listeners get what waits for them
PART = 1 << 16  # bytes read at a time
START = b"start\n"  # what a listener sends to get what happened before, too
LOST = "events_lost"  # the name of the event that says how many were dropped


class Broadcast:
    """Offers events on a Unix socket, as JSON lines, from a thread of its own.

    ``add`` takes an event in any thread and never waits, whoever listens. A listener first gets an
    event ``chat`` that says whose these are, sends a line, and then gets what happens. Where no
    socket can be made there is no broadcast, and the log says why.
    """

    def __init__(self, config: Config, session: str) -> None:
        self._greeting = {"pid": os.getpid(), "session": session, "user": config.user or None}
        self._config = config
        self._lock = threading.Lock()
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._listeners: dict[socket.socket, _Listener] = {}
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._wake, self._woken = socket.socketpair()
        self._wake.setblocking(False)
        self._woken.setblocking(False)

    def __enter__(self) -> Broadcast:
        try:
            path, server = _listen(self._config)
        except OSError as error:
            log.info("no live events: %s", error)
            return self
        self._thread = threading.Thread(
            target=self._serve, args=(server, path), name="broadcast", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._ring()
        if self._thread is not None:
            self._thread.join(2 * GRACE)
        self._wake.close()
        self._woken.close()

    def add(self, event: Event) -> None:
        """Takes an event. What was forgotten is not told to who comes later."""
        with self._lock:
            if event.name == "forgotten":
                self._kept.clear()
            self._kept.append(event)
            waiting = [one for one in self._listeners.values() if one.ready]
            for listener in waiting:
                listener.add(event)
        if waiting:
            self._ring()

    def _ring(self) -> None:
        """Wakes the thread; when its bell is full it is awake."""
        with contextlib.suppress(OSError):
            self._wake.send(b"x")

    # Runs in its own thread:

    def _serve(self, server: socket.socket, path: Path) -> None:
        try:
            with selectors.DefaultSelector() as selector, server:
                selector.register(server, selectors.EVENT_READ)
                selector.register(self._woken, selectors.EVENT_READ)
                while not self._closing.is_set():
                    self._look(selector, server, None)
                selector.unregister(server)
                self._drain(selector, server)
        except Exception:
            log.exception("live events ended")
        finally:
            path.unlink(missing_ok=True)
            for connection in list(self._listeners):
                connection.close()

    def _drain(self, selector: selectors.BaseSelector, server: socket.socket) -> None:
        """Sends what waits, for a moment."""
        from time import monotonic

        until = monotonic() + GRACE
        while any(one.waits for one in self._listeners.values()) and monotonic() < until:
            self._look(selector, server, until - monotonic())

    def _look(
        self, selector: selectors.BaseSelector, server: socket.socket, timeout: float | None
    ) -> None:
        """Waits until something can be read or written, and does it."""
        for connection, listener in list(self._listeners.items()):
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if listener.waits else 0)
            selector.modify(connection, wanted)
        for key, mask in selector.select(timeout):
            if key.fileobj is server:
                self._accept(selector, server)
            elif key.fileobj is self._woken:
                self._woken.recv(PART)
            else:
                self._serve_one(selector, self._listeners[key.fileobj], mask)  # type: ignore[index]

    def _accept(self, selector: selectors.BaseSelector, server: socket.socket) -> None:
        connection, _ = server.accept()
        connection.setblocking(False)
        listener = _Listener(connection)
        first = Event(name="chat", at="", data=self._greeting)
        listener.add(first)
        with self._lock:
            self._listeners[connection] = listener
        selector.register(connection, selectors.EVENT_READ)

    def _serve_one(self, selector: selectors.BaseSelector, one: _Listener, mask: int) -> None:
        """Reads what a listener wants, and sends what it takes now; drops one that went."""
        try:
            if mask & selectors.EVENT_READ:
                self._hear(one)
            if mask & selectors.EVENT_WRITE:
                one.send(self._lock)
        except OSError:
            selector.unregister(one.connection)
            with self._lock:
                del self._listeners[one.connection]
            one.connection.close()

    def _hear(self, one: _Listener) -> None:
        said = one.connection.recv(PART)
        if not said:
            raise ConnectionResetError
        with self._lock:
            if not one.ready and said == START:
                for event in self._kept:
                    one.add(event)
            one.ready = True


class _Listener:
    """A connection, and what waits to be sent on it. ``ready`` once it said what it wants."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.ready = False
        self._events: deque[Event] = deque()
        self._lost = 0
        self._rest = b""

    @property
    def waits(self) -> bool:
        """Whether something is to be sent."""
        return bool(self._rest or self._events)

    def add(self, event: Event) -> None:
        """Has an event sent, unless too many wait already."""
        if len(self._events) >= MOST:
            self._lost += 1
            return
        if self._lost:
            self._events.append(Event(name=LOST, at=event.at, data={"count": self._lost}))
            self._lost = 0
        self._events.append(event)

    def send(self, lock: threading.Lock) -> None:
        """Sends as much as the connection takes now. Raises ``OSError`` when it is gone."""
        with contextlib.suppress(BlockingIOError):
            while self.waits:
                if not self._rest:
                    with lock:
                        event = self._events.popleft()
                    self._rest = _line(event)
                sent = self.connection.send(self._rest)
                self._rest = self._rest[sent:]


def _line(event: Event) -> bytes:
    try:
        return to_line(event)
    except (TypeError, ValueError) as error:  # a plugin may put anything on a turn
        log.warning("an event %s cannot be sent: %s", event.name, error)
        return b""


def _listen(config: Config) -> tuple[Path, socket.socket]:
    """A socket that listens, and its path; those that dead processes left are removed. Raises
    ``OSError``."""
    for path in sockets(config):
        if not is_alive(path):
            path.unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        for path in _names(place_of(config, make=True)):
            try:
                server.bind(str(path))
                break
            except OSError:
                if not path.exists():
                    raise
        path.chmod(0o600)
        server.listen()
    except BaseException:
        server.close()
        raise
    return path, server


def _names(folder: Path) -> Iterator[Path]:
    """Names for the socket of this process, which may have several."""
    for number in range(100):
        yield folder / f"{os.getpid()}-{number}.sock"
