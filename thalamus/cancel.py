"""Cancellation of work in another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancelled(BaseException):
    """The work was cancelled by its token. Like ``KeyboardInterrupt`` it is not an ``Exception``,
    so that failure handlers let it pass."""


class CancelToken:
    """A request to stop, passed to the work when it starts. Any thread can make it at any time; it
    cannot be revoked."""

    def __init__(self) -> None:
        self._cancelled = False
        self._stops: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def cancel(self) -> None:
        """Asks the work to stop."""
        with self._lock:
            self._cancelled = True
            stops = [*self._stops]
        for stop in stops:
            stop()

    @contextmanager
    def stopped_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """Surrounds work that cannot look at the token, because it waits for something: ``stop`` is
        called in the thread that cancels, and must end the wait. It must not raise."""
        with self._lock:
            self._stops.append(stop)
        try:
            self.raise_if_cancelled()
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)

    @property
    def cancelled(self) -> bool:
        """True if the work was asked to stop."""
        return self._cancelled

    def raise_if_cancelled(self) -> None:
        """Raises ``Cancelled`` if the work was asked to stop."""
        if self._cancelled:
            raise Cancelled
