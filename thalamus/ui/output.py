"""Output of commands, caught in the thread that they run in."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class ThreadOutput(io.TextIOBase):
    """A stream that takes what is written in a thread that catches it, and hands everything else
    to the stream whose place it takes."""

    def __init__(self, stream: Any) -> None:
        super().__init__()
        self._stream = stream
        self._caught = threading.local()

    def write(self, text: str) -> int:
        buffer = getattr(self._caught, "buffer", None)
        written: int = (self._stream if buffer is None else buffer).write(text)
        return written

    def flush(self) -> None:
        self._stream.flush()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """UTF-8: what is caught takes every character."""
        return "utf-8"

    @contextmanager
    def catch(self, buffer: io.StringIO) -> Iterator[None]:
        """Takes what this thread writes."""
        before = getattr(self._caught, "buffer", None)
        self._caught.buffer = buffer
        try:
            yield
        finally:
            self._caught.buffer = before


def install() -> None:
    """Has the standard streams of the process caught where somebody asks for it."""
    if not isinstance(sys.stdout, ThreadOutput):
        sys.stdout = ThreadOutput(sys.stdout)
    if not isinstance(sys.stderr, ThreadOutput):
        sys.stderr = ThreadOutput(sys.stderr)


class Caught:
    """Catches what this thread prints while the context is open; ``take`` gives it."""

    def __init__(self) -> None:
        self._buffer = io.StringIO()
        self._open: list[Any] = []

    def __enter__(self) -> Caught:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, ThreadOutput):
                context = stream.catch(self._buffer)
                context.__enter__()
                self._open.append(context)
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            self._open.pop().__exit__(None, None, None)

    def take(self) -> str:
        """The text so far, which is not given again."""
        text = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return text
