"""Summary of a document: of the whole where it fits the model's context, otherwise of its parts
(map) and of their summaries together (reduce)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct, field

from thalamus.memory.structured_output import request_record
from thalamus.models.protocol import Message
from thalamus.policy import prompt_budget
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import SUMMARY_SCHEMA, SummaryReply
from thalamus.policy.summarization import extract_sentences
from thalamus.records import Issue
from thalamus.text.names import unsupported_name
from thalamus.text.statements import share_said

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun

SUPPORT = 0.6  # share of a summary's words that must be in the document
REPLY_ROOM = 900  # tokens kept free for the prompt's own words and the reply
LEAST_ROOM = 256  # tokens of text, at the cost of the reply
MOST_PARTS = 8  # parts summarized, so that a book takes minutes rather than hours
LONGEST = 900  # characters of a summary


class DocumentSummary(Struct):
    """``text`` and ``topic``, empty where no usable reply came; ``issues`` says why."""

    text: str = ""
    topic: str = ""
    issues: list[Issue] = field(default_factory=list)


def summarize_document(title: str, text: str, run: TurnRun) -> DocumentSummary:
    """Summarizes a document with at most ``MOST_PARTS`` + 1 model calls (each retried once when its
    reply is unusable). Stores nothing. Raises ``MODEL_ERRORS`` and ``Cancelled``."""
    return run.fitted(lambda: _summarized(title, text, run))


def _summarized(title: str, text: str, run: TurnRun) -> DocumentSummary:
    room = max(LEAST_ROOM, run.engine.models.chat("summary").context() - REPLY_ROOM)
    parts = split(text, room)
    if len(parts) == 1:
        return _of_part(title, text, run)
    selection = spread(parts, MOST_PARTS)
    summaries = [_of_part(title, part, run) for part in selection]
    usable = [part for part in summaries if part.text]
    if not usable:
        return summaries[0]
    summary = _of_summaries(title, usable, room, run)
    if len(selection) < len(parts):
        note = f"the summary is of {len(selection)} of {len(parts)} parts, from beginning to end"
        summary.issues.append(Issue(stage="summary", code="shortened", message=note))
    return summary


def split(text: str, tokens: int) -> list[str]:
    """Splits a text into parts of at most ``tokens``, at the end of a paragraph or a line where one
    ends in their second half."""
    parts = []
    while text:
        part = _beginning(text, tokens) or text[:1]
        if len(part) < len(text):
            end = max(part.rfind("\n\n"), part.rfind("\n"), part.rfind(". ") + 1)
            part = part[:end] if end > len(part) // 2 else part
        parts.append(part)
        text = text[len(part) :].lstrip()
    return parts or [""]


def spread(parts: list[str], most: int) -> list[str]:
    """At most ``most`` of the parts, evenly spaced from the first to the last."""
    if len(parts) <= most:
        return parts
    return [parts[round(n * (len(parts) - 1) / (most - 1))] for n in range(most)]


def _of_part(title: str, text: str, run: TurnRun) -> DocumentSummary:
    """The model's summary of a text that fits its context, if the text supports it."""
    prompt = run.engine.templates.fill("summary", TITLE=fence(title), DOCUMENT=fence(text))
    return _summary_by_model(prompt, text, run)


def _of_summaries(
    title: str, parts: list[DocumentSummary], room: int, run: TurnRun
) -> DocumentSummary:
    """One summary of the parts' summaries; their best sentences where the model gives none."""
    notes = _beginning("\n".join(f"- {part.text}" for part in parts), room)
    prompt = run.engine.templates.fill("condense", SUBJECT=fence(title), NOTES=fence(notes))
    summary = _summary_by_model(prompt, notes, run)
    topics = Counter(part.topic for part in parts if part.topic)
    summary.topic = topics.most_common(1)[0][0] if topics else summary.topic
    summary.text = (summary.text or extract_sentences([part.text for part in parts], LONGEST))[
        :LONGEST
    ]
    return summary


def _summary_by_model(prompt: str, text: str, run: TurnRun) -> DocumentSummary:
    reply = request_record(run, "summary", [Message("user", prompt)], SUMMARY_SCHEMA, SummaryReply)
    summary = DocumentSummary(issues=list(reply.issues))
    if reply.value is None:
        return summary
    if problem := unsupported(reply.value.summary, text):
        note = f"the summary was rejected: {problem}"
        summary.issues.append(Issue(stage="summary", code="ungrounded", message=note))
        return summary
    summary.text = " ".join(reply.value.summary.split())
    summary.topic = reply.value.topic.strip().lower()
    return summary


def _beginning(text: str, tokens: int) -> str:
    """The longest beginning that fits, found by bisection because tokens are only estimated."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if prompt_budget.estimate_tokens(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def unsupported(summary: str, text: str) -> str:
    """Words of a summary that the document does not support, or an empty string."""
    if (strange := unsupported_name(summary, text)) is not None:
        return f"“{strange}” is not in the document"
    if share_said(summary, text) < SUPPORT:
        return "most of its words are not in the document"
    return ""
