"""The standard streams of the process, which may be a terminal, closed or full."""

from __future__ import annotations

import os
import sys

from thalamus.errors import UsageError


def typed() -> bool:
    """Whether standard input is a terminal, at which somebody could type."""
    return sys.stdin is not None and sys.stdin.isatty()


def can_ask() -> bool:
    """Whether somebody is there to be asked."""
    return typed() and sys.stderr.isatty()


def agreed(question: str) -> bool:
    """Whether the answer to a question is yes; only where ``can_ask``."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def input_descriptor() -> int:
    """The descriptor of standard input. Raises ``UsageError`` when it is closed."""
    if sys.stdin is None:
        raise UsageError("Standard input is closed, and something is expected on it.", fix=PIPE)
    return sys.stdin.buffer.fileno()


def read_input(most: int = -1) -> bytes:
    """All of standard input, or its first ``most`` bytes. Raises ``UsageError``."""
    descriptor = input_descriptor()
    parts: list[bytes] = []
    left = most if most >= 0 else sys.maxsize
    while left and (part := read_some(descriptor, min(left, _PART))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def read_some(descriptor: int, most: int) -> bytes:
    """The next bytes of standard input, none at its end. Raises ``UsageError``."""
    try:
        return os.read(descriptor, most)
    except OSError as error:
        raise UsageError(f"Standard input cannot be read: {error.strerror}.") from None


PIPE = """Pipe it in: echo '{"record":"turn","message":"hi"}' | thalamus …"""
_PART = 1 << 20
