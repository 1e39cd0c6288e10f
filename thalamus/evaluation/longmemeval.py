"""Reader for LongMemEval (Wu et al., ICLR 2025): each question comes with a haystack of dated chat
sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Literal

from msgspec import Struct

from thalamus.clock import format_time
from thalamus.errors import BadRecord
from thalamus.evaluation.parse import FIX, decode, values
from thalamus.evaluation.protocol import Haystack, LeftOut, Level, Question, Storable
from thalamus.readers.protocol import Utterance, pair
from thalamus.records import Memory, Turn

ABSTENTION = "_abs"  # suffix of the id of an unanswerable question
_WEEKDAY = re.compile(r"\s*\(\w+\)\s*")


class _Message(Struct):
    role: Literal["user", "assistant"]
    content: str
    has_answer: bool | None = None


class _LongMemEvalCase(Struct):
    question_id: str
    question: str
    question_date: str
    haystack_session_ids: list[str]
    haystack_dates: list[str]
    haystack_sessions: list[list[_Message]]
    answer_session_ids: list[str]
    answer: str | int | float | None = None
    question_type: str = ""


def read(
    path: Path, level: Level, left_out: LeftOut, unanswerable: bool = False
) -> Iterator[Haystack]:
    """One haystack per question. See ``protocol.Reader``.

    Gold is ``answer_session_ids``, or the turns with a message marked ``has_answer``.
    """
    for line, text in values(path):
        case = decode(text, line, _LongMemEvalCase)
        if case.question_id.endswith(ABSTENTION) and not unanswerable:
            left_out.questions["abstention"] += 1
            continue
        haystack = _haystack(case, line, level, left_out)
        if haystack is None:
            left_out.questions["no_evidence"] += 1
        else:
            yield haystack


def _haystack(
    case: _LongMemEvalCase, line: int, level: Level, left_out: LeftOut
) -> Haystack | None:
    """The haystack of a case; None if it has no gold."""
    ids, dates, sessions = case.haystack_session_ids, case.haystack_dates, case.haystack_sessions
    if not len(ids) == len(dates) == len(sessions):
        problem = "`haystack_sessions`: expected as many `haystack_session_ids` and dates"
        raise BadRecord(line, problem, "haystack_sessions", fix=FIX)
    records: list[Storable] = []
    labels: list[tuple[str, ...]] = []
    gold_labels: list[str] = []
    for session, date, messages in zip(ids, dates, sessions, strict=True):
        begun = _time(date, line, "haystack_dates")
        messages_with_text = [message for message in messages if message.content.strip()]
        for record in _records(session, begun, messages_with_text):
            records.append(record)
            assert isinstance(record, (Turn, Memory))
            ref = record.ref if isinstance(record, Turn) else record.metadata["ref"]
            labels.append((ref or "",))
        gold_labels += _gold_labels(session, messages_with_text)
    gold = gold_labels
    if level == "session":
        gold = [session for session in case.answer_session_ids if session in set(ids)]
        left_out.references += len(case.answer_session_ids) - len(gold)
    abstains = case.question_id.endswith(ABSTENTION)
    if not gold and not abstains:
        return None
    question = Question(
        id=case.question_id,
        text=case.question,
        gold=tuple(dict.fromkeys(gold)),
        type=case.question_type,
        now=format_time(_time(case.question_date, line, "question_date")),
        answer=None if case.answer is None or abstains else str(case.answer),
        unanswerable=abstains,
    )
    return Haystack(line=line, questions=[question], records=records, labels=labels)


def _records(session: str, begun: datetime, messages_with_text: list[_Message]) -> list[Storable]:
    """Records of a session. Each user message with the answers to it is a turn; messages of the
    assistant before the first one are memories."""
    utterances = [
        Utterance(
            message.role == "user",
            message.content,
            format_time(begun + timedelta(seconds=position)),
            _label(session, position),
        )
        for position, message in enumerate(messages_with_text)
    ]
    before = list(takewhile(lambda utterance: not utterance.by_user, utterances))
    opening = [
        Memory(
            content=f"Assistant: {utterance.text}",
            type="dialogue",
            created_at=utterance.at,
            session=session,
            metadata={"ref": utterance.ref},
        )
        for utterance in before
    ]
    return [*opening, *pair(utterances[len(before) :], session, {})]


def _gold_labels(session: str, messages_with_text: list[_Message]) -> Iterator[str]:
    """Labels of the records with a message that has the answer."""
    owner: int | None = None
    for position, message in enumerate(messages_with_text):
        if message.role == "user":
            owner = position
        if message.has_answer:
            yield _label(session, position if owner is None else owner)


def _label(session: str, position: int) -> str:
    return f"{session}:{position + 1}"


def _time(text: str, line: int, field: str) -> datetime:
    """Parses a time such as ``2024/03/07 (Thu) 14:15``; the weekday is ignored."""
    try:
        found = datetime.strptime(_WEEKDAY.sub(" ", text), "%Y/%m/%d %H:%M")
    except ValueError:
        problem = f"`{field}`: {text!r} is not a time such as 2024/03/07 (Thu) 14:15"
        raise BadRecord(line, problem, field, fix=FIX) from None
    return found.replace(tzinfo=UTC)
