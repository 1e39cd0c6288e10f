"""Live events of a chat for other processes of the same user, without writing to disk."""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.logs import logger
from thalamus.records import Event
from thalamus.records.json_line import to_line
from thalamus.serving.sockets import is_alive, place_of, sockets

if TYPE_CHECKING:
    from thalamus.config import Config

log = logger(__name__)

KEPT = 2_000  # events kept for listeners that want them from the start
MOST = 10_000  # events queued per listener; a slower one loses the next
GRACE = 0.5  # seconds at the end for sending queued events
PART = 1 << 16  # bytes read at a time
START = b"start\n"  # sent by a listener to also get earlier events
LOST = "events_lost"  # name of the event with the number of lost events


class Broadcast:
    """Offers events on a Unix socket as JSON lines, from its own thread.

    ``add`` accepts an event in any thread and never blocks. A listener first gets an event ``chat``
    with the process and session, sends a line, and then gets the events. If no socket can be
    created, there is no broadcast, and the log has the reason.
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
        """Adds an event. After an event ``forgotten``, earlier ones are no longer sent to new
        listeners."""
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
        """Wakes the thread; a full pipe means that it is awake."""
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
        """Sends queued events for a moment."""
        from time import monotonic

        until = monotonic() + GRACE
        while any(one.waits for one in self._listeners.values()) and monotonic() < until:
            self._look(selector, server, until - monotonic())

    def _look(
        self, selector: selectors.BaseSelector, server: socket.socket, timeout: float | None
    ) -> None:
        """Waits until a socket is readable or writable, and handles it."""
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
        """Reads a listener's request and sends as much as it takes; drops a closed connection."""
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
        request = one.connection.recv(PART)
        if not request:
            raise ConnectionResetError
        with self._lock:
            if not one.ready and request == START:
                for event in self._kept:
                    one.add(event)
            one.ready = True


class _Listener:
    """A connection with its queue. ``ready``: it has sent its request."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.ready = False
        self._events: deque[Event] = deque()
        self._lost = 0
        self._rest = b""

    @property
    def waits(self) -> bool:
        """True if something is queued."""
        return bool(self._rest or self._events)

    def add(self, event: Event) -> None:
        """Queues an event, unless the queue is full."""
        if len(self._events) >= MOST:
            self._lost += 1
            return
        if self._lost:
            self._events.append(Event(name=LOST, at=event.at, data={"count": self._lost}))
            self._lost = 0
        self._events.append(event)

    def send(self, lock: threading.Lock) -> None:
        """Sends as much as the connection takes. Raises ``OSError`` if it is closed."""
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
    """A listening socket and its path; removes sockets of dead processes. Raises ``OSError``."""
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
    """Possible socket paths of this process, which may have several."""
    for number in range(100):
        yield folder / f"{os.getpid()}-{number}.sock"
