"""Reader for LoCoMo (Maharana et al., ACL 2024): long conversations with some 150 questions
each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from thalamus.clock import format_time
from thalamus.errors import BadRecord
from thalamus.evaluation.parse import FIX, converted, decode, values
from thalamus.evaluation.protocol import Haystack, LeftOut, Level, Question
from thalamus.records import Memory

TYPES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = 5
_SESSION = re.compile(r"session_\d+")
_BETWEEN = re.compile(r"[\s;,]+")  # between several references in one string


class _QuestionRecord(Struct):
    question: str
    category: int
    evidence: list[str] = []
    answer: str | int | float | None = None


class _LocomoCase(Struct):
    conversation: dict[str, Any]
    qa: list[_QuestionRecord]
    sample_id: str = ""


class _Line(Struct):
    speaker: str
    dia_id: str
    text: str = ""
    blip_caption: str | None = None


def read(
    path: Path, level: Level, left_out: LeftOut, unanswerable: bool = False
) -> Iterator[Haystack]:
    """One haystack per conversation. See ``protocol.Reader``.

    Each utterance is a memory. The questions have no date and are asked one second after the last
    utterance. Gold is the ``evidence``, or its sessions. The adversarial questions are
    unanswerable.
    """
    for number, (line, text) in enumerate(values(path), start=1):
        case = decode(text, line, _LocomoCase)
        utterances = _utterances(case, line)
        memories = [memory for memory, _ in utterances]
        sessions = {memory.metadata["dia_id"]: memory.session or "" for memory in memories}
        last = max((at for _, at in utterances), default=datetime(1970, 1, 1, tzinfo=UTC))
        name = case.sample_id or str(number)
        questions = _questions(case, name, sessions, level, left_out, unanswerable)
        now = format_time(last + timedelta(seconds=1))
        if questions:
            yield Haystack(
                line=line,
                questions=[_with_time(question, now) for question in questions],
                records=list(memories),
                labels=[(dia_id,) for dia_id in (m.metadata["dia_id"] for m in memories)],
            )


def _utterances(case: _LocomoCase, line: int) -> list[tuple[Memory, datetime]]:
    """The utterances in order, as memories, with the time of their session."""
    talk = case.conversation
    names = [name for name in talk if _SESSION.fullmatch(name)]
    memories: list[tuple[Memory, datetime]] = []
    for name in sorted(names, key=lambda name: int(name.rpartition("_")[2])):
        utterances = converted(talk[name], line, list[_Line], f"conversation.{name}")
        at = _time(talk.get(f"{name}_date_time"), line, f"conversation.{name}_date_time")
        memories += [(_memory(utterance, name, at), at) for utterance in utterances]
    return memories


def _memory(utterance: _Line, session: str, at: datetime) -> Memory:
    shared = utterance.blip_caption
    parts = [utterance.text, f"[shares a photo: {shared}]" if shared else ""]
    text = " ".join(part for part in parts if part.strip())
    return Memory(
        content=f"{utterance.speaker}: {text}",
        type="dialogue",
        created_at=format_time(at),
        session=session,
        metadata={"dia_id": utterance.dia_id},
    )


def _questions(
    case: _LocomoCase,
    name: str,
    sessions: dict[str, str],
    level: Level,
    left_out: LeftOut,
    unanswerable: bool,
) -> list[Question]:
    questions = []
    for number, record in enumerate(case.qa, start=1):
        adversarial = record.category == ADVERSARIAL
        if adversarial and not unanswerable:
            left_out.questions["adversarial"] += 1
            continue
        references = [ref for text in record.evidence for ref in _BETWEEN.split(text) if ref]
        gold = [ref for ref in references if ref in sessions]
        left_out.references += len(references) - len(gold)
        if level == "session":
            gold = [sessions[ref] for ref in gold]
        if not gold:
            left_out.questions["no_evidence"] += 1
            continue
        kind = TYPES.get(record.category, str(record.category))
        questions.append(
            Question(
                id=f"{name}:{number}",
                text=record.question,
                gold=tuple(dict.fromkeys(gold)),
                type=kind,
                answer=None if record.answer is None or adversarial else str(record.answer),
                unanswerable=adversarial,
            )
        )
    return questions


def _with_time(question: Question, now: str) -> Question:
    from msgspec.structs import replace

    return replace(question, now=now)


def _time(text: object, line: int, field: str) -> datetime:
    """Parses a time such as ``2:15 pm on 7 March, 2024``."""
    try:
        found = datetime.strptime(str(text), "%I:%M %p on %d %B, %Y")
    except ValueError:
        problem = f"`{field}`: {text!r} is not a time such as 2:15 pm on 7 March, 2024"
        raise BadRecord(line, problem, field, fix=FIX) from None
    return found.replace(tzinfo=UTC)
