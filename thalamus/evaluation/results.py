"""The file of per-question results: a header, then a line for each question as it is answered.

A run that was stopped, however hard, is continued from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from thalamus.errors import BadRecord, UsageError
from thalamus.evaluation.reading import decode
from thalamus.records import Evaluation, EvaluationResult

_BEGINS = b'{"record":"evaluation",'
_SAME = {"sha256": "file", "format": "--format", "level": "--level", "k": "-k"}
_OTHER_NAME = "Choose another name with --out, or delete the file."


class Results:
    """Results being written. ``known`` holds those that an earlier run left, by id."""

    def __init__(self, file: IO[bytes] | None, known: dict[str, EvaluationResult]) -> None:
        self._file = file
        self.known = known

    def add(self, result: EvaluationResult) -> None:
        """Writes one result and hands it to the system at once."""
        if self._file is not None:
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()


@contextmanager
def writing(path: Path | None, header: Evaluation) -> Iterator[Results]:
    """Results that go to ``path`` (nowhere when it is None), after those that are there.

    A last line that was torn is cut off. Raises ``UsageError`` when the file cannot be written,
    is none of results, belongs to other settings, or another process is writing it.
    """
    if path is None:
        yield Results(None, {})
        return
    try:
        file = path.open("a+b")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    with file:
        _lock(file, path)
        known = _resumed(file, path, header)
        yield Results(file, known)


def read(path: Path) -> tuple[Evaluation, list[EvaluationResult]]:
    """A results file: what it was measured with, and the results. A torn last line is left out.

    Raises ``UsageError`` for another file, ``BadRecord`` for a line that is no result.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    lines = data.splitlines(keepends=True)
    header = _header(lines[0]) if lines else None
    if header is None:
        fix = "`thalamus eval retrieval … --out FILE` writes one."
        raise UsageError(f"{path} is no file of results.", fix=fix)
    whole = [line for line in lines[1:] if line.endswith(b"\n")]
    results = [decode(line, n, EvaluationResult) for n, line in enumerate(whole, start=2)]
    return header, results


def _resumed(file: IO[bytes], path: Path, header: Evaluation) -> dict[str, EvaluationResult]:
    """The results that are there; an empty file gets its header."""
    file.seek(0)
    data = file.read()
    whole = data[: data.rfind(b"\n") + 1]
    there = _header(whole.split(b"\n", 1)[0] + b"\n")
    torn = not whole and (data.startswith(_BEGINS) or _BEGINS.startswith(data))
    if there is None and not torn:
        raise UsageError(f"{path} is there and is no file of results.", fix=_OTHER_NAME)
    results: list[EvaluationResult] = []
    if there is not None:
        try:
            _, results = read(path)
        except BadRecord as error:
            raise UsageError(f"{path}: {error}", fix=_OTHER_NAME) from None
        _check_settings(there, header, path)
    os.truncate(file.fileno(), len(whole))
    if not whole:
        file.write(msgspec.json.encode(header) + b"\n")
        file.flush()
    return {result.id: result for result in results}


def _header(line: bytes) -> Evaluation | None:
    """The first line of a results file; None when it is another line, or torn."""
    try:
        return decode(line, 1, Evaluation) if line.endswith(b"\n") else None
    except BadRecord:
        return None


def _check_settings(there: Evaluation, header: Evaluation, path: Path) -> None:
    for name, option in {**_SAME, "embedder": "--embedder"}.items():
        before, now = getattr(there, name), getattr(header, name)
        if before != now:
            problem = (
                f"{path} holds results of another {option} ({_said(before)}, not {_said(now)})"
            )
            raise UsageError(problem, fix=_OTHER_NAME)


def _said(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _lock(file: IO[bytes], path: Path) -> None:
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise UsageError(f"Another process is writing {path}.", fix=_OTHER_NAME) from None
