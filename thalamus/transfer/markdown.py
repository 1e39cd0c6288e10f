"""Markdown export for reading: conversations and memories by day, then facts and documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from thalamus.policy.activities import is_activity
from thalamus.records import Document, Fact, Memory, Session, Turn
from thalamus.text.analyzer import fold
from thalamus.text.days import as_said, last_day
from thalamus.text.local_time import local, local_day
from thalamus.transfer.export import Selection, exported

if TYPE_CHECKING:
    from thalamus.memory.redaction import RedactedView
    from thalamus.store.base import Store


def export_markdown(
    store: Store,
    selection: Selection | None = None,
    zone: tzinfo = UTC,
    view: RedactedView | None = None,
) -> Iterator[str]:
    """Lines of a Markdown document, redacted by a ``view``. The text of ingested documents is not
    included."""
    sessions: dict[str, list[Turn | Memory]] = defaultdict(list)
    facts: list[Fact] = []
    documents: list[Document] = []
    for record in exported(store, selection or Selection(), view):
        if isinstance(record, Fact):
            facts.append(record)
        elif isinstance(record, Document):
            documents.append(record)
        elif isinstance(record, Turn) or (isinstance(record, Memory) and not record.is_document):
            sessions[record.session or ""].append(record)
    yield "# Memory"
    for session in sorted(sessions, key=lambda name: sessions[name][0].created_at or ""):
        yield from _session(session, sessions[session], zone)
    yield from _facts(facts, zone)
    yield from _documents(documents)


def session_markdown(session: Session, turns: Sequence[Turn], zone: tzinfo = UTC) -> Iterator[str]:
    """Lines of a conversation as a Markdown document: its title, then the exchanges by day."""
    yield f"# {_line(session.title or f'Session {session.id}')}"
    day = None
    for turn in turns:
        if (turn_day := local_day(turn.created_at, zone)) != day:
            day = turn_day
            yield from ("", f"## {day}")
        yield from _turn(turn, zone)


def _session(name: str, records: list[Turn | Memory], zone: tzinfo) -> Iterator[str]:
    yield from ("", f"## {_line(f'Session {name}' if name else 'Without a session')}")
    days: dict[str, list[Turn | Memory]] = defaultdict(list)
    for record in sorted(records, key=lambda record: record.created_at or ""):
        days[local_day(record.created_at, zone)].append(record)
    for day, of_day in days.items():
        yield from ("", f"### {day}")
        for record in of_day:
            if isinstance(record, Turn):
                yield from _turn(record, zone)
        kept = [record for record in of_day if isinstance(record, Memory)]
        if kept:
            yield from ("", "Kept:", "")
        for memory in kept:
            yield f"- {memory.type}: {_line(memory.content)}{_status(memory)}"


def _turn(turn: Turn, zone: tzinfo) -> Iterator[str]:
    speaker = turn.agent if is_activity(turn.metadata) else turn.user
    sides = (speaker or "User", turn.message), ("Answer", turn.answer)
    for who, text in sides:
        if text:
            yield from ("", f"**{_line(who)}** ({local(turn.created_at or '', zone)[11:16]})", "")
            yield from (f"> {line}".rstrip() for line in text.splitlines())


def _facts(facts: list[Fact], zone: tzinfo) -> Iterator[str]:
    if facts:
        yield from ("", "## Facts")
    before = None
    for fact in sorted(facts, key=_world_order):
        if fold(fact.subject) != before:
            before = fold(fact.subject)
            yield from ("", f"### {_line(fact.subject)}", "")
        words = f"{fact.predicate.replace('_', ' ')} {fact.object}"
        quote = f" (“{_line(fact.quote)}”)" if fact.quote else ""
        yield f"- {_line(words)}: {_interval(fact, zone)}{quote}"


def _world_order(fact: Fact) -> tuple[str, str, str]:
    return fold(fact.subject), fact.predicate, fact.valid_from or fact.created_at or ""


def _interval(fact: Fact, zone: tzinfo) -> str:
    first = fact.valid_from or fact.created_at
    begun = as_said(local_day(first, zone), first, fact.metadata)
    words = f"since {begun}"
    if fact.valid_to:
        words = f"{begun} to {last_day(fact.valid_to, fact.metadata, zone)}"
    if fact.retired_at:
        words += f", no longer believed since {local_day(fact.retired_at, zone)}"
    return words


def _documents(documents: list[Document]) -> Iterator[str]:
    if documents:
        yield from ("", "## Documents")
    for document in documents:
        pages = f", {document.pages} pages" if document.pages else ""
        yield from ("", f"### {_line(document.title or document.path)}", "")
        yield f"{_line(document.path)} ({document.chunks} chunks{pages})"
        if document.summary:
            yield from ("", _line(document.summary))


def _status(memory: Memory) -> str:
    return "" if memory.status == "active" else f" ({memory.status})"


def _line(text: str) -> str:
    """A text on one line, so that it cannot become a heading or end its list."""
    return " ".join(text.split())
