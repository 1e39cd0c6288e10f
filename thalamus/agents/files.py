"""Files of transcripts: JSON, one value in a file or one in a line, that may still be written."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.errors import DocumentError
from thalamus.readers.detect import unreadable
from thalamus.readers.open_file import open_regular

if TYPE_CHECKING:
    from thalamus.transfer.foreign.report import Report

MOST_VALUE = 256 << 20  # bytes of one value


def json_lines(path: Path, report: Report) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects in the lines of a file, with the numbers of the lines. Reports a file that cannot
    be read, and a line that is something else; the last one may be incomplete, because the agent is
    writing it."""
    try:
        with open_regular(path) as file:
            number = 0
            while line := file.readline(MOST_VALUE):
                number += 1
                value = decoded(line)
                if isinstance(value, dict):
                    yield number, value
                elif line.strip() and line.endswith(b"\n"):
                    report.problem(f"line {number} of {path} is not a JSON object; passed over")
    except (OSError, DocumentError) as error:
        report.problem(_problem(path, error))


def json_object(path: Path, report: Report) -> dict[str, Any]:
    """The object in a file; empty if there is something else, or it cannot be read, which is
    reported."""
    try:
        with open_regular(path) as file:
            data = file.read(MOST_VALUE + 1)
    except (OSError, DocumentError) as error:
        report.problem(_problem(path, error))
        return {}
    if len(data) > MOST_VALUE:
        report.problem(f"{path} has more than {MOST_VALUE >> 20} MB; passed over")
        return {}
    value = decoded(data)
    return value if isinstance(value, dict) else {}


def _problem(path: Path, error: OSError | DocumentError) -> str:
    known = unreadable(path, error) if isinstance(error, OSError) else error
    return str(known)


def found_in(path: Path, *patterns: str) -> list[Path]:
    """The file itself, or the files in a folder that match one of these patterns, those that were
    finished first before the others: a session that continues another may repeat it. Raises
    ``DocumentError`` for a path that does not exist."""
    if not path.exists():
        raise unreadable(path, FileNotFoundError(errno.ENOENT, "it does not exist"))
    if not path.is_dir():
        return [path]
    found = {file for pattern in patterns for file in path.rglob(pattern)}
    return sorted(found, key=lambda file: (_finished(file), file))


def _finished(file: Path) -> float:
    """When a file was last written; 0 for one that is gone."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def decoded(data: bytes | str) -> Any:
    """A JSON value; None if it is not valid. Python's decoder also takes halves of surrogate
    pairs, which agents written in JavaScript produce."""
    with suppress(msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return msgspec.json.decode(data)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
