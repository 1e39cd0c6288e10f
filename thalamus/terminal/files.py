"""Files that are there completely or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from thalamus.errors import UsageError


@contextmanager
def replacing(name: str) -> Iterator[BinaryIO]:
    """A file to write bytes to, which takes its name only when the block ends well.

    ``-`` is standard output; pipes and devices are written to directly. Raises ``UsageError``
    when it cannot be written.
    """
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if path.exists() and not path.is_file():
        with _opened(path) as stream:
            yield stream
        return
    path = path.resolve()  # what a symbolic link points to is replaced, not the link
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _opened(part) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("wb")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
