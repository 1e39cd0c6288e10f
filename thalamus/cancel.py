"""Cancelling work that goes on in another thread."""

from __future__ import annotations


class Cancelled(BaseException):
    """The work was cancelled by its token. Like ``KeyboardInterrupt`` it is not an ``Exception``,
    so that what handles failures lets it pass."""


class CancelToken:
    """A request to stop, handed to the work when it begins. Any thread may make it, at any time;
    it cannot be taken back."""

    def __init__(self) -> None:
        self._cancelled = False

    def cancel(self) -> None:
        """Asks the work to stop."""
        self._cancelled = True

    @property
    def cancelled(self) -> bool:
        """Whether the work was asked to stop."""
        return self._cancelled

    def raise_if_cancelled(self) -> None:
        """Raises ``Cancelled`` when the work was asked to stop."""
        if self._cancelled:
            raise Cancelled
