"""Files that are written completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from thalamus import files
from thalamus.errors import CannotWrite
from thalamus.terminal import streams


class Output(Protocol):
    """Something that accepts bytes."""

    def write(self, data: bytes, /) -> object: ...


class _StandardOutput:
    """Standard output, written to in large parts. Raises ``OutputFailed``."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def write(self, data: bytes, /) -> None:
        self._kept += data
        if len(self._kept) >= _PART:
            self.flush()

    def flush(self) -> None:
        data, self._kept = bytes(self._kept), bytearray()
        streams.write_bytes(data)


_PART = 1 << 16  # bytes


@contextmanager
def replacing(name: str, *, force: bool = True) -> Iterator[Output]:
    """A file for writing bytes that gets its name only if the block succeeds. Only its owner may
    read it, because it holds in plain text what the store may encrypt.

    ``-`` is standard output; pipes and devices are written to directly. Without ``force`` replacing
    a file is reported. Raises ``CannotWrite``.
    """
    if name == "-":
        output = _StandardOutput()
        yield output
        output.flush()
        return
    path = Path(name)
    with ExitStack() as stack:
        try:
            stream: Output
            if path.exists() and not path.is_file():
                stream = stack.enter_context(path.open("wb"))
            else:  # replaces the target of a symbolic link, not the link
                if path.exists() and not force:
                    text = f"thalamus: {path} is replaced. A later version will ask for --force."
                    streams.complain(text)
                target = path.resolve()
                stream = stack.enter_context(files.replacing(target))
        except OSError as error:
            raise CannotWrite(path, error) from None
        yield stream
