"""Reader for custom questions: ``question``, ``gold``, and the records to ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from thalamus.errors import BadRecord, RecordProblem
from thalamus.evaluation.parse import FIX, decode, moment, values
from thalamus.evaluation.protocol import Haystack, LeftOut, Level, Question, Storable
from thalamus.memory.normalize import check_vector, normalize_times
from thalamus.records import Fact, Memory, Text


class _RecordsCase(Struct, forbid_unknown_fields=True):
    question: Text
    gold: Annotated[list[Text], Meta(min_length=1)]
    records: list[Storable] | None = None
    id: Text | None = None
    type: str = ""
    now: str | None = None
    answer: Text | None = None


def read(
    path: Path, level: Level, left_out: LeftOut, unanswerable: bool = False
) -> Iterator[Haystack]:
    """One haystack per line with records, including the questions of the lines after it.

    If the first line has no records, all questions are for the user's own store. Every gold id must
    match a record's ``id`` or ``metadata.id``, or at session level its ``session``.
    """
    haystack: Haystack | None = None
    known: set[str] = set()
    for number, (line, text) in enumerate(values(path), start=1):
        case = decode(text, line, _RecordsCase)
        if case.records is not None or haystack is None:
            if haystack is not None:
                if haystack.records is None:
                    raise BadRecord(line, _MIXED, "records", fix=FIX)
                yield haystack
            haystack = _start_haystack(case.records, line)
            known = _names(haystack, level)
        haystack.questions.append(_question(case, number, line))
        if haystack.records is not None:
            _check_gold(case.gold, known, level, line)
    if haystack is not None:
        yield haystack


_MIXED = "`records`: the first question has none, so all questions are asked of your own store"


def _start_haystack(records: list[Storable] | None, line: int) -> Haystack:
    """A haystack without questions; its records are validated."""
    for index, record in enumerate(records or []):
        try:
            normalize_times(record)
            if isinstance(record, Memory | Fact):
                check_vector(record)
        except RecordProblem as problem:
            field = f"records[{index}].{problem.field}"
            raise BadRecord(line, f"`{field}`: {problem.problem}", field, fix=FIX) from None
    labels = [labels_of(record) for record in records or []]
    return Haystack(line=line, questions=[], records=records, labels=labels)


def labels_of(record: Storable) -> tuple[str, ...]:
    """Names of a record in gold."""
    own = record.metadata.get("id")
    return tuple(str(name) for name in (own, record.id) if name is not None)


def _names(haystack: Haystack, level: Level) -> set[str]:
    if level == "session":
        return {record.session for record in haystack.records or [] if record.session}
    return {name for names in haystack.labels for name in names}


def _check_gold(gold: list[str], known: set[str], level: Level, line: int) -> None:
    for index, name in enumerate(gold):
        if name not in known:
            what = "`session`" if level == "session" else "`id` or `metadata.id`"
            field = f"gold[{index}]"
            raise BadRecord(
                line, f"`{field}`: {name!r} is not the {what} of any record", field, fix=FIX
            )


def _question(case: _RecordsCase, number: int, line: int) -> Question:
    return Question(
        id=case.id or str(number),
        text=case.question,
        gold=tuple(dict.fromkeys(case.gold)),
        type=case.type,
        now=moment(case.now, line, "now") if case.now else None,
        answer=case.answer,
    )
