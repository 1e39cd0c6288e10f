"""The standard streams of the process, which may be a terminal, closed or full.

Text for people goes through ``say`` and ``complain``, records through ``write_bytes``, so that a
terminal is never sent control characters from elsewhere.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
import sys
from typing import TextIO

from thalamus.errors import OutputFailed, UsageError
from thalamus.text.visible import visible
from thalamus.text.width import columns, wrapped

PIPE = """Pipe it in: echo '{"record":"turn","message":"hi"}' | thalamus …"""
_PART = 1 << 20  # bytes read at a time
_status_width = [0]  # columns of the status that stands in the current line of standard error
_written = [0]  # characters and bytes written to standard output


class ClosedOutput(io.TextIOBase):
    """Standard output that the caller has closed: not a terminal, and writing to it fails."""

    encoding = "utf-8"

    @property
    def buffer(self) -> ClosedOutput:
        return self

    def write(self, _: object) -> int:
        raise OSError(errno.EBADF, "it is closed")


def hold_places() -> None:
    """Replaces closed streams by the null device, so that no file opened later gets their number;
    unreadable errors are discarded, and output fails when it is written."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        pass  # the lowest free number is used first
    os.close(descriptor)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stdout = ClosedOutput()


# -- output ----------------------------------------------------------------------------------------


def say(text: str = "") -> None:
    """Prints one line for people on standard output, made ``visible``: quoted text cannot break it.
    On a terminal it is broken between words. Raises ``OutputFailed``."""
    line = visible(text).replace("\n", "\\n")
    room = width()
    say_text(line if room is None else "\n".join(wrapped(line, room)))


def width() -> int | None:
    """The columns of standard output; None if it is not a terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def say_text(text: str, *, end: str = "\n") -> None:
    """Prints a text that may have several lines."""
    if sys.stdout is None:
        raise OutputFailed("it is closed")
    try:
        _print(text, end, sys.stdout)
        _written[0] += len(text) + len(end)
        sys.stdout.flush()
    except OSError as error:
        raise _failed(error) from None


def draw(text: str) -> None:
    """Writes text with our own control sequences to the terminal; quoted text must be ``visible``
    already. Raises ``OutputFailed``."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise _failed(error) from None


def complain(text: str, *, end: str = "\n") -> None:
    """Prints text for people on standard error, made ``visible``; on a terminal its lines are
    broken between words, in the place of a status. A failure to write is ignored: there is nowhere
    to report it."""
    with contextlib.suppress(OSError, ValueError):
        clear_status()
        if end == "\n" and sys.stderr.isatty():
            room = shutil.get_terminal_size().columns
            lines = visible(text).split("\n")
            text = "\n".join(part for line in lines for part in wrapped(line, room))
        _print(text, end, sys.stderr)
        sys.stderr.flush()


def status(text: str) -> None:
    """Writes a status at the beginning of the current line of standard error."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"\r{visible(text)}")
        sys.stderr.flush()
        _status_width[0] = columns(text.rstrip())


def clear_status() -> None:
    """Clears the status, if there is one."""
    if _status_width[0]:
        status(" " * _status_width[0])
        status("")


def write_bytes(data: bytes) -> None:
    """Writes bytes to standard output and flushes it. Raises ``OutputFailed``."""
    if sys.stdout is None:
        raise OutputFailed("it is closed")
    try:
        sys.stdout.buffer.write(data)
        _written[0] += len(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        raise _failed(error) from None


def written() -> int:
    """A number that grows with everything written to standard output."""
    return _written[0]


def flush() -> None:
    """Flushes standard output. Raises ``OutputFailed``."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise _failed(error) from None


def give_up() -> None:
    """Discards unwritten output, when standard output is full or its reader gone."""
    if not isinstance(sys.stdout, ClosedOutput | None):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_ours(error: OSError) -> bool:
    """True if an error that names no file is that of a standard stream."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF)


def _print(text: str, end: str, stream: TextIO) -> None:
    shown = visible(text) + end
    try:
        stream.write(shown)
    except UnicodeEncodeError:  # the locale lacks some characters
        encoding = stream.encoding or "ascii"
        stream.write(shown.encode(encoding, "backslashreplace").decode(encoding))


def _failed(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return error
    return OutputFailed(error.strerror or str(error))


# -- input -----------------------------------------------------------------------------------------


def typed() -> bool:
    """True if standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def can_ask() -> bool:
    """True if the user can be asked."""
    return typed() and sys.stderr.isatty()


def agreed(question: str) -> bool:
    """Asks a question; True for yes. Only if ``can_ask``."""
    complain(f"{question} [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def reply(question: str) -> str:
    """Asks a question and returns the reply; only if ``can_ask``."""
    complain(f"{question} ", end="")
    return sys.stdin.readline().strip()


def input_descriptor() -> int:
    """The descriptor of standard input. Raises ``UsageError`` if it is closed."""
    if sys.stdin is None:
        raise UsageError("Expected input, but standard input is closed.", fix=PIPE)
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
        raise UsageError(f"Cannot read standard input: {error.strerror}.") from None
