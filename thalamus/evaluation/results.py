"""The file of results: a header, then a line for each question or case as it is done.

A run that was stopped, however hard, is continued from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from thalamus.errors import BadRecord, UsageError
from thalamus.evaluation.parse import decode
from thalamus.records import Evaluation, EvaluationResult, MemoryCase, MemoryEvaluation

H = TypeVar("H", Evaluation, MemoryEvaluation)
R = TypeVar("R", EvaluationResult, MemoryCase)


@dataclass(frozen=True)
class Form(Generic[H, R]):
    """A kind of results file: the records of its ``header`` and of its lines, which ``command``
    writes it, and the fields of the header that are the ``same`` in all runs that share a file,
    each with the option that sets it."""

    header: type[H]
    result: type[R]
    command: str
    same: Mapping[str, str]

    @property
    def begins(self) -> bytes:
        """How the first line of such a file begins."""
        return f'{{"record":"{self.header.__struct_config__.tag}",'.encode()


_QUESTIONS = {"sha256": "file", "format": "--format", "level": "--level", "k": "-k"}
RANKINGS = Form(
    Evaluation,
    EvaluationResult,
    "eval retrieval",
    {**_QUESTIONS, "embedder": "--embedder", "reranker": "--reranker"},
)
_CASES = {"sha256": "file", "models": "--model", "embedder": "--embedder", "prompts": "prompts"}
KEPT = Form(MemoryEvaluation, MemoryCase, "eval memory", _CASES)
_OTHER_NAME = "Choose another --out, or delete the file."


class Results(Generic[R]):
    """Results being written. ``known`` holds those that an earlier run left, by id."""

    def __init__(self, file: IO[bytes] | None, known: dict[str, R]) -> None:
        self._file = file
        self.known: dict[str, R] = known

    def add(self, result: R) -> None:
        """Writes one result and hands it to the system at once."""
        if self._file is not None:
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()


@contextmanager
def writing(path: Path | None, header: H, form: Form[H, R]) -> Iterator[Results[R]]:
    """Results that go to ``path`` (nowhere when it is None), after those that are there.

    A last line that was torn is cut off. Raises ``UsageError`` when the file cannot be written,
    is none of results, belongs to other settings, or another process is writing it.
    """
    if path is None:
        nothing: dict[str, R] = {}
        yield Results(None, nothing)
        return
    try:
        file = path.open("a+b")
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from None
    with file:
        _lock(file, path)
        known = _resumed(file, path, header, form)
        yield Results(file, known)


def read(path: Path, form: Form[H, R]) -> tuple[H, list[R]]:
    """A results file: what it was measured with, and the results. A torn last line is left out.

    Raises ``UsageError`` for another file, ``BadRecord`` for a line that is no result.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from None
    lines = data.splitlines(keepends=True)
    header = _header(lines[0], form) if lines else None
    if header is None:
        fix = f"`thalamus {form.command} … --out FILE` writes one."
        raise UsageError(f"{path} is not a results file.", fix=fix)
    whole = [line for line in lines[1:] if line.endswith(b"\n")]
    results = [decode(line, n, form.result) for n, line in enumerate(whole, start=2)]
    return header, results


def _resumed(file: IO[bytes], path: Path, header: H, form: Form[H, R]) -> dict[str, R]:
    """The results that are there; an empty file gets its header."""
    file.seek(0)
    data = file.read()
    whole = data[: data.rfind(b"\n") + 1]
    there = _header(whole.split(b"\n", 1)[0] + b"\n", form)
    torn = not whole and (data.startswith(form.begins) or form.begins.startswith(data))
    if there is None and not torn:
        raise UsageError(f"{path} exists and is not a results file.", fix=_OTHER_NAME)
    results: list[R] = []
    if there is not None:
        try:
            _, results = read(path, form)
        except BadRecord as error:
            raise UsageError(f"{path}: {error}", fix=_OTHER_NAME) from None
        _check_settings(there, header, path, form)
    os.truncate(file.fileno(), len(whole))
    if not whole:
        file.write(msgspec.json.encode(header) + b"\n")
        file.flush()
    return {result.id: result for result in results}


def _header(line: bytes, form: Form[H, R]) -> H | None:
    """The first line of a results file; None when it is another line, or torn."""
    try:
        return decode(line, 1, form.header) if line.endswith(b"\n") else None
    except BadRecord:
        return None


def _check_settings(there: H, header: H, path: Path, form: Form[H, R]) -> None:
    for name, option in form.same.items():
        before, now = getattr(there, name), getattr(header, name)
        if before != now:
            problem = f"{path} has results of another {option} ({_said(before)}, not {_said(now)})"
            raise UsageError(problem, fix=_OTHER_NAME)


def _said(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in sorted(value.items()))
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _lock(file: IO[bytes], path: Path) -> None:
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise UsageError(f"Another process is writing {path}.", fix=_OTHER_NAME) from None
