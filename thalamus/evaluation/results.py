"""Results files: a header, then one line per question or case as it finishes.

A run that was interrupted, even by a crash, continues from its file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec
from msgspec import Struct

from thalamus.errors import BadRecord, CannotWrite, UsageError
from thalamus.evaluation.parse import decode
from thalamus.records.base import tag_of
from thalamus.records.evaluations import Evaluation, EvaluationResult, MemoryCase, MemoryEvaluation

H = TypeVar("H", Evaluation, MemoryEvaluation)
R = TypeVar("R", EvaluationResult, MemoryCase)


class ResultsForm(Struct, Generic[H, R], frozen=True):
    """A type of results file: the records of its ``header`` and its lines, the ``command`` that
    writes it, and the header fields that must be the ``same`` for all runs in a file, each with its
    option."""

    header: type[H]
    result: type[R]
    command: str
    same: Mapping[str, str]

    @property
    def begins(self) -> bytes:
        """The first bytes of such a file."""
        return f'{{"record":"{tag_of(self.header)}",'.encode()


_QUESTIONS = {"sha256": "file", "format": "--format", "level": "--level", "k": "-k"}
RANKINGS = ResultsForm(
    Evaluation,
    EvaluationResult,
    "eval retrieval",
    {**_QUESTIONS, "embedder": "--embedder", "reranker": "--reranker"},
)
_CASES = {"sha256": "file", "models": "--model", "embedder": "--embedder", "prompts": "prompts"}
KEPT = ResultsForm(MemoryEvaluation, MemoryCase, "eval memory", _CASES)
_OTHER_NAME = "Choose another --output, or delete the file."


class Results(Generic[R]):
    """Results being written. ``known``: those of an earlier run, by id."""

    def __init__(self, file: IO[bytes] | None, known: dict[str, R]) -> None:
        self._file = file
        self.known: dict[str, R] = known

    def add(self, result: R) -> None:
        """Writes one result and flushes it."""
        if self._file is not None:
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()


@contextmanager
def writing(path: Path | None, header: H, form: ResultsForm[H, R]) -> Iterator[Results[R]]:
    """Results written to ``path`` (None: nowhere) after existing ones.

    A torn last line is cut off. Raises ``UsageError`` if the file cannot be written, is not a
    results file, has other settings, or is being written by another process.
    """
    if path is None:
        nothing: dict[str, R] = {}
        yield Results(None, nothing)
        return
    try:
        file = path.open("a+b")
    except OSError as error:
        raise CannotWrite(path, error) from None
    with file:
        _lock(file, path)
        known = _resumed(file, path, header, form)
        yield Results(file, known)


def read(path: Path, form: ResultsForm[H, R]) -> tuple[H, list[R]]:
    """The header and results of a file, without a torn last line.

    Raises ``UsageError`` for another kind of file, ``BadRecord`` for an invalid line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from None
    lines = data.splitlines(keepends=True)
    header = _header(lines[0], form) if lines else None
    if header is None:
        fix = f"`thalamus {form.command} … --output FILE` writes one."
        raise UsageError(f"{path} is not a results file.", fix=fix)
    whole = [line for line in lines[1:] if line.endswith(b"\n")]
    results = [decode(line, n, form.result) for n, line in enumerate(whole, start=2)]
    return header, results


def _resumed(file: IO[bytes], path: Path, header: H, form: ResultsForm[H, R]) -> dict[str, R]:
    """The existing results; an empty file gets its header."""
    file.seek(0)
    data = file.read()
    whole = data[: data.rfind(b"\n") + 1]
    existing = _header(whole.split(b"\n", 1)[0] + b"\n", form)
    torn = not whole and (data.startswith(form.begins) or form.begins.startswith(data))
    if existing is None and not torn:
        raise UsageError(f"{path} exists and is not a results file.", fix=_OTHER_NAME)
    results: list[R] = []
    if existing is not None:
        try:
            _, results = read(path, form)
        except BadRecord as error:
            raise UsageError(f"{path}: {error}", fix=_OTHER_NAME) from None
        _check_settings(existing, header, path, form)
    os.truncate(file.fileno(), len(whole))
    if not whole:
        file.write(msgspec.json.encode(header) + b"\n")
        file.flush()
    return {result.id: result for result in results}


def _header(line: bytes, form: ResultsForm[H, R]) -> H | None:
    """The header in a first line; None for another line or a torn one."""
    try:
        return decode(line, 1, form.header) if line.endswith(b"\n") else None
    except BadRecord:
        return None


def _check_settings(existing: H, header: H, path: Path, form: ResultsForm[H, R]) -> None:
    for name, option in form.same.items():
        before, now = getattr(existing, name), getattr(header, name)
        if before != now:
            problem = (
                f"{path} has results of another {option} ({_as_text(before)}, not {_as_text(now)})"
            )
            raise UsageError(problem, fix=_OTHER_NAME)


def _as_text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in sorted(value.items()))
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _lock(file: IO[bytes], path: Path) -> None:
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise UsageError(f"Another process is writing {path}.", fix=_OTHER_NAME) from None
