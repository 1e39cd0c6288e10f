"""Handling of keys that are pressed while nothing is asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_echo() -> Iterator[None]:
    """Keeps the terminal from showing keys in the middle of what is printed; they are kept as they
    are, Ctrl-D too, and the next prompt reads them. Ctrl-C works as ever."""
    with _echo(False):
        yield


@contextmanager
def with_echo() -> Iterator[None]:
    """Shows keys again, and reads whole lines, for a question or for another program, within
    ``without_echo``."""
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
    modes = termios.ECHO | termios.ICANON
    changed[3] = changed[3] | modes if on else changed[3] & ~modes
    termios.tcsetattr(sys.stdin, termios.TCSANOW, changed)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, usual)
