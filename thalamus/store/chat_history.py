"""History of the chat: typed lines, in the file behind the arrow keys.

The format is prompt_toolkit's ``FileHistory``: a comment with the time, then the lines of one
entry, each after a ``+``.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from thalamus import files

Entry = tuple[bytes, str]  # bytes in the file, typed text
TRIES = 20  # attempts to rewrite a file that a chat is adding to


class ChatHistory:
    """The history in one file. ``dropped``: number of entries dropped; ``problems``: failures."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.dropped = 0
        self.problems: list[str] = []

    def count(self, selects: Callable[[str], bool]) -> int:
        """Number of entries that ``selects`` selects by their texts."""
        return sum(selects(text) for _, text in _entries(_read(self.path)))

    def drop(self, selects: Callable[[str], bool]) -> None:
        """Drops the entries that ``selects`` selects by their texts."""
        self._drop(lambda _, text: selects(text))

    def clean(self, holds: Callable[[bytes], bool]) -> None:
        """Drops the entries that ``holds`` selects by their bytes."""
        self._drop(lambda raw, _: holds(raw))

    def _drop(self, selects: Callable[[bytes, str], bool]) -> None:
        try:
            self.dropped += drop(self.path, selects)
        except OSError as error:
            problem = f"the chat history: {error.strerror or error}"
            self.problems += [problem] if problem not in self.problems else []


def drop(path: Path, selects: Callable[[bytes, str], bool]) -> int:
    """Rewrites the file without the entries selected by their bytes and text; returns how many. The
    others are preserved byte by byte. Raises ``OSError``.

    A chat that adds a line meanwhile waits (``exclusive_access``); if another program added one,
    the file is rewritten again, so that no line is lost.
    """
    path = path.resolve()
    if not path.exists():
        return 0
    dropped = 0
    with exclusive_access(path):
        for _ in range(TRIES):
            data = _read(path)
            kept = [raw for raw, text in _entries(data) if not selects(raw, text)]
            dropped = max(dropped, sum(1 for _ in _entries(data)) - len(kept))
            if not dropped or _replaced(path, data, b"".join(kept)):
                return dropped
    raise OSError(f"{path} is being written to")


@contextmanager
def exclusive_access(path: Path) -> Iterator[None]:
    """Prevents other Thalamus processes from writing to the file meanwhile."""
    folder = os.open(path.parent, os.O_RDONLY)  # a lock that leaves no file behind
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _entries(data: bytes) -> Iterator[Entry]:
    """Entries, each with the bytes before it; trailing bytes form an entry of their own."""
    raw: list[bytes] = []
    lines: list[bytes] = []
    for line in _lines(data):
        if lines and not line.startswith(b"+"):
            yield b"".join(raw), _text(lines)
            raw, lines = [], []
        raw.append(line)
        if line.startswith(b"+"):
            lines.append(line[1:])
    if raw:
        yield b"".join(raw), _text(lines)


def _lines(data: bytes) -> Iterator[bytes]:
    """Lines as prompt_toolkit reads them: only a line feed ends one."""
    parts = data.split(b"\n")
    yield from (part + b"\n" for part in parts[:-1])
    if parts[-1]:
        yield parts[-1]


def _text(lines: list[bytes]) -> str:
    return b"".join(lines).decode("utf-8", "replace").removesuffix("\n")


class _Changed(Exception):
    """Raised when something was added to the file meanwhile."""


def _replaced(path: Path, before: bytes, data: bytes) -> bool:
    """Replaces the file with ``data`` in one step; False if it was added to since."""
    try:
        with files.replacing(path) as out:
            out.write(data)
            files.flush(out)
            if path.read_bytes() != before:
                raise _Changed
    except _Changed:
        return False
    return True
