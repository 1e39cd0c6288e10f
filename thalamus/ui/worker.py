"""A thread in which an engine works for the screens, one request after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

E = TypeVar("E")
T = TypeVar("T")


class EngineWorker(Generic[E]):
    """Runs requests in a thread of its own, with an object that ``make`` makes there when the first
    of them comes, and that ``end`` closes.

    What ``make`` raises is raised by each request, and tried again by the next one.
    """

    def __init__(self, name: str, make: Callable[[], E], end: Callable[[E], object]) -> None:
        self._make = make
        self._end = end
        self._engine: E | None = None
        self._requests: SimpleQueue[tuple[Future[Any], Callable[[E], Any]] | None] = SimpleQueue()
        # a daemon: a model that cannot be interrupted does not keep the process
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def ask(self, request: Callable[[E], T]) -> Future[T]:
        """Has a request done; one that is cancelled before its turn comes is left out."""
        future: Future[T] = Future()
        self._requests.put((future, request))
        return future

    def close(self, patience: float) -> bool:
        """Ends the thread after what was asked for; whether it did in ``patience`` seconds."""
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
