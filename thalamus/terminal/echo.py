"""Handling of keys pressed while the program is not asking for input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_echo() -> Iterator[None]:
    """Keeps the terminal from showing pressed keys in the middle of the output; they are kept,
    Ctrl-D included, for the next prompt. Ctrl-C works as usual."""
    with _echo(False):
        yield


@contextmanager
def with_echo() -> Iterator[None]:
    """Shows keys again and reads whole lines, for a question or another program within
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
