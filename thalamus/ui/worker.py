"""A thread with an engine for the screens, which answers one request after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

E = TypeVar("E")
T = TypeVar("T")


class EngineWorker(Generic[E]):
    """Runs requests in its own thread, with an object that ``make`` creates there for the first of
    them and that ``end`` closes. An error of ``make`` is raised by each request, and the next one
    tries again."""

    def __init__(self, name: str, make: Callable[[], E], end: Callable[[E], object]) -> None:
        self._make = make
        self._end = end
        self._engine: E | None = None
        self._requests: SimpleQueue[tuple[Future[Any], Callable[[E], Any]] | None] = SimpleQueue()
        # a daemon: a model that cannot be interrupted does not keep the process
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def ask(self, request: Callable[[E], T]) -> Future[T]:
        """Queues a request; one that is cancelled before its turn is skipped."""
        future: Future[T] = Future()
        self._requests.put((future, request))
        return future

    def close(self, patience: float) -> bool:
        """Ends the thread after the queued requests; returns True if it ended within ``patience``
        seconds."""
        self._requests.put(None)
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (next_one := self._requests.get()) is not None:
            future, request = next_one
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if self._engine is None:
                    self._engine = self._make()
                result = request(self._engine)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
        if self._engine is not None:
            self._end(self._engine)
