"""Ctrl-C between two steps of long work rather than inside native code.

A signal that arrives inside usearch comes out of it as a SystemError or a MemoryError: an
interruption would look like a broken index.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thalamus.terminal.streams import complain


@contextmanager
def at_safe_points() -> Iterator[Callable[[], None]]:
    """Delays Ctrl-C; the returned function raises ``KeyboardInterrupt`` if it was pressed.

    A second Ctrl-C takes effect at once. For the main thread only.
    """
    pressed = False
    usual = signal.getsignal(signal.SIGINT)

    def hold(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, usual)
        complain("thalamus: stopping; press Ctrl-C again to stop immediately")

    def check() -> None:
        if pressed:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, hold)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, usual)
