"""Whether the terminal shows the keys that are pressed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_echo() -> Iterator[None]:
    """Keeps the terminal from showing keys in the middle of what is printed; they are kept, and the
    next prompt reads them. Ctrl-C works as ever."""
    with _echo(False):
        yield


@contextmanager
def with_echo() -> Iterator[None]:
    """Shows keys again for a question, or for another program, within ``without_echo``."""
    with _echo(True):
        yield


@contextmanager
def _echo(on: bool) -> Iterator[None]:
    import termios

    try:
        usual = termios.tcgetattr(sys.stdin)
    except (termios.error, ValueError, OSError, AttributeError):  # not a terminal
        yield
        return
    changed = [*usual]
    changed[3] = changed[3] | termios.ECHO if on else changed[3] & ~termios.ECHO
    termios.tcsetattr(sys.stdin, termios.TCSANOW, changed)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, usual)
