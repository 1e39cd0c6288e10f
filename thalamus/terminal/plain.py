"""Records as plain lines, the same on a terminal and in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.records import Document, Fact, Memory


def day(moment: str | None) -> str:
    """The date of an RFC 3339 time; empty when there is none."""
    return (moment or "")[:10]


def one_line(text: str, most: int = 0) -> str:
    """The text on one line; cut to ``most`` characters when that is not 0."""
    line = " ".join(text.split())
    return f"{line[: most - 1]}…" if most and len(line) > most else line


def quoted(text: str, most: int = 0) -> str:
    """The text on one line between quotation marks."""
    return f"“{one_line(text, most)}”"


def statement(fact: Fact) -> str:
    """``user lives_in Lisbon``."""
    return one_line(f"{fact.subject} {fact.predicate} {fact.object}")


def interval(fact: Fact) -> str:
    """When a fact holds in the world: ``since 2026-05-01``. From when it was said on, if no more
    is known: so ``--as-of`` takes it too."""
    begun = day(fact.valid_from or fact.created_at)
    text = f"{begun} to {day(fact.valid_to)}" if fact.valid_to else f"since {begun}"
    return text + (f", retired {day(fact.retired_at)}" if fact.retired_at else "")


def fact_line(fact: Fact) -> str:
    """``user lives_in Lisbon  (since 2026-05-01)  [fact_…]``."""
    return f"{statement(fact)}  ({interval(fact)})  [{fact.id}]"


def memory_line(memory: Memory) -> str:
    """``2026-05-08  preference  The user prefers short answers.  (answers)  [mem_…]``."""
    topic = f"  ({memory.topic})" if memory.topic else ""
    kind = f"{memory.type:13}"
    line = f"{day(memory.created_at)}  {kind}  {one_line(memory.content)}{topic}  [{memory.id}]"
    if memory.stale:
        line += f"  (no longer: {one_line(memory.stale)})"
    if memory.status == "quarantined":
        why = memory.metadata.get("quarantine")
        reason = why.get("reason") if isinstance(why, dict) else None
        return f"{line}  (quarantined{f': {reason}' if reason else ''})"
    return line if memory.status == "active" else f"{line}  ({memory.status})"


def document_line(document: Document) -> str:
    """One readable line about what became of a file."""
    if document.status == "failed":
        return f"failed     {document.path}: {document.reason} ({document.kind})"
    pages = f"{document.pages} pages, " if document.pages and document.pages > 1 else ""
    size = f"{pages}{document.chunks} chunks, {document.characters:,} characters"
    title = f" “{document.title}”" if document.title else ""
    return f"{document.status:10} {document.path}:{title} ({size}) [{document.id}]"
