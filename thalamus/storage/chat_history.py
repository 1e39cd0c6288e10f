"""The chat's own history: the lines that were typed, in the file that the arrow keys read.

The form is prompt_toolkit's ``FileHistory``: a comment with the time, then the lines of one entry,
each behind a ``+``.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.policy.erasure import Phrases
from thalamus.policy.tokens import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from thalamus.config import Config

Entry = tuple[bytes, str]  # as it stands in the file, and what was typed
TRIES = 20  # how often a file is written again to which a chat adds meanwhile


def file_of(config: Config) -> Path:
    """Where the history is."""
    return config.state_dir / "history"


class SaysForgotten:
    """Whether an entry says something that is forgotten.

    ``names`` are looked for however short; of ``texts`` (messages, contents, quotes) those of a
    few words anywhere in an entry, shorter ones where they are all of it.
    """

    def __init__(self, names: Iterable[str], texts: Iterable[str]) -> None:
        self._phrases = Phrases()
        self._short: set[tuple[str, ...]] = set()
        for name in names:
            self._phrases.add(name, least=1)
        for text in texts:
            if not self._phrases.add(text):
                self._short.add(tuple(words(text)))

    def __call__(self, text: str) -> bool:
        said = tuple(words(text))
        return bool(said) and (said in self._short or self._phrases.found_in([text]))


def count(path: Path, goes: Callable[[str], bool]) -> int:
    """How many entries would go."""
    return sum(goes(text) for _, text in _entries(_read(path)))


def drop(path: Path, goes: Callable[[bytes, str], bool]) -> int:
    """Writes the file again without the entries that ``goes`` names by their bytes and their text;
    how many those were. The others stay as they are, byte by byte. Raises ``OSError``.

    A chat may add a line meanwhile: it waits (``alone``), and where something else did it is done
    again, so that none is lost.
    """
    path = path.resolve()
    if not path.exists():
        return 0
    gone = 0
    with exclusive_access(path):
        for _ in range(TRIES):
            data = _read(path)
            kept = [raw for raw, text in _entries(data) if not goes(raw, text)]
            gone = max(gone, sum(1 for _ in _entries(data)) - len(kept))
            if not gone or _replaced(path, data, b"".join(kept)):
                return gone
    raise OSError(f"{path} is being written to")


@contextmanager
def exclusive_access(path: Path) -> Iterator[None]:
    """Keeps other processes of ours from writing to the file meanwhile."""
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
    """The entries with what stands before each; what stands behind the last is one of its own."""
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
    """Lines as prompt_toolkit reads them: they end with a line feed and with nothing else."""
    parts = data.split(b"\n")
    yield from (part + b"\n" for part in parts[:-1])
    if parts[-1]:
        yield parts[-1]


def _text(lines: list[bytes]) -> str:
    return b"".join(lines).decode("utf-8", "replace").removesuffix("\n")


def _replaced(path: Path, before: bytes, data: bytes) -> bool:
    """Puts ``data`` in the place of the file in one step, unless it was added to since."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if path.read_bytes() != before:
            return False
        part.replace(path)
        return True
    finally:
        part.unlink(missing_ok=True)
