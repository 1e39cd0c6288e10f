"""Cancellation of work in another thread."""

from __future__ import annotations


class Cancelled(BaseException):
    """The work was cancelled by its token. Like ``KeyboardInterrupt`` it is not an ``Exception``,
    so that failure handlers let it pass."""


class CancelToken:
    """A request to stop, passed to the work when it starts. Any thread can make it at any time; it
    cannot be revoked."""

    def __init__(self) -> None:
        self._cancelled = False

    def cancel(self) -> None:
        """Asks the work to stop."""
        self._cancelled = True

    @property
    def cancelled(self) -> bool:
        """True if the work was asked to stop."""
        return self._cancelled

    def raise_if_cancelled(self) -> None:
        """Raises ``Cancelled`` if the work was asked to stop."""
        if self._cancelled:
            raise Cancelled
