"""Readers by format name, and surveys of files."""

from __future__ import annotations

import importlib
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from thalamus.errors import BadRecord
from thalamus.evaluation.protocol import DatasetReader, Haystack, LeftOut, Level, Question

Format = Literal["longmemeval", "locomo", "plain"]
LEVELS: dict[Format, Level] = {"longmemeval": "session", "locomo": "turn", "plain": "turn"}
# modules with a name other than the format's
_MODULES: dict[Format, str] = {"plain": "read_records"}


class Survey(Struct, frozen=True):
    """Number of usable questions in a file, and what was left out."""

    questions: int
    left_out: LeftOut


def all_questions(
    path: Path, format: Format, unanswerable: bool = False
) -> tuple[list[Question], LeftOut]:
    """All questions of a file, and what was left out. Raises the errors of ``survey``."""
    left_out = LeftOut()
    found: dict[str, Question] = {}
    for haystack in _reader(format)(path, LEVELS[format], left_out, unanswerable):
        for question in haystack.questions:
            if question.id in found:
                problem = f"duplicate `id` {question.id!r}"
                fix = "Give each question an id of its own."
                raise BadRecord(haystack.line, problem, "id", fix=fix)
            found[question.id] = question
    return list(found.values()), left_out


def haystacks_of(
    path: Path, format: Format, wanted: Container[str], unanswerable: bool = False
) -> Iterator[Haystack]:
    """Haystacks with only the questions whose ids are ``wanted``; haystacks without any are
    skipped."""
    for haystack in _reader(format)(path, LEVELS[format], LeftOut(), unanswerable):
        chosen = [question for question in haystack.questions if question.id in wanted]
        if chosen:
            yield structs.replace(haystack, questions=chosen)


def survey(path: Path, format: Format, level: Level) -> Survey:
    """Reads a whole file once, so that an error at its end shows before the work begins.

    Raises ``BadRecord`` and ``UsageError`` like the reader, and ``BadRecord`` for a duplicate id.
    """
    left_out = LeftOut()
    seen: set[str] = set()
    for haystack in _reader(format)(path, level, left_out):
        for question in haystack.questions:
            if question.id in seen:
                problem = f"duplicate `id` {question.id!r}"
                raise BadRecord(
                    haystack.line, problem, "id", fix="Give each question an id of its own."
                )
            seen.add(question.id)
    return Survey(len(seen), left_out)


def haystacks(
    path: Path, format: Format, level: Level, limit: int | None = None
) -> Iterator[Haystack]:
    """Haystacks with the first ``limit`` usable questions."""
    for haystack in _reader(format)(path, level, LeftOut()):
        if limit is not None:
            haystack = structs.replace(haystack, questions=haystack.questions[:limit])
            limit -= len(haystack.questions)
        if haystack.questions:
            yield haystack
        if limit == 0:
            return


def _reader(format: Format) -> DatasetReader:
    module = _MODULES.get(format, format)
    reader: DatasetReader = importlib.import_module(f"thalamus.evaluation.{module}").read
    return reader
