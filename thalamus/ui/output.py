"""Output of commands, captured in the thread that runs them."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class ThreadOutput(io.TextIOBase):
    """A stream that captures the output of threads that ask for it, and passes other output to the
    original stream."""

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
        """UTF-8, because captured output may have any character."""
        return "utf-8"

    @contextmanager
    def catch(self, buffer: io.StringIO) -> Iterator[None]:
        """Captures the output of this thread."""
        before = getattr(self._caught, "buffer", None)
        self._caught.buffer = buffer
        try:
            yield
        finally:
            self._caught.buffer = before


def install() -> None:
    """Replaces the standard streams of the process by ones that can be captured."""
    if not isinstance(sys.stdout, ThreadOutput):
        sys.stdout = ThreadOutput(sys.stdout)
    if not isinstance(sys.stderr, ThreadOutput):
        sys.stderr = ThreadOutput(sys.stderr)


class Caught:
    """Captures the output of this thread inside the context; ``take`` returns it."""

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
        """The output since the last call."""
        text = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return text
