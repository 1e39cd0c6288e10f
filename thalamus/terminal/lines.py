"""Records as plain lines, the same on a terminal and in a pipe."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from thalamus.policy.persona import is_persona, persona_of
from thalamus.terminal.local import day, zone
from thalamus.text.days import as_said, last_day
from thalamus.text.visible import visible

if TYPE_CHECKING:
    from thalamus.records import Belief, Document, Evidence, Fact, Instruction, Memory, Verdict


_DAYS: Mapping[str, Any] = MappingProxyType({})  # metadata of a fact whose times are days
LISTED = 1_000  # characters of a text in a list
WEAK = 0.4  # relevance below which a match is marked: see docs/retrieval.md
_PLURALS = {
    "activity": "activities",
    "alias": "aliases",
    "entry": "entries",
    "memory": "memories",
    "summary": "summaries",
}


def one_line(text: str, most: int = 0) -> str:
    """The text on one line; cut to ``most`` characters when that is not 0."""
    line = visible(" ".join(text.split()))
    return f"{line[: most - 1]}…" if most and len(line) > most else line


def quoted(text: str, most: int = 0) -> str:
    """The text on one line between quotation marks."""
    return f"“{one_line(text, most)}”"


def statement(fact: Fact) -> str:
    """``user lives_in Lisbon``."""
    return one_line(f"{fact.subject} {fact.predicate} {fact.object}")


def interval(fact: Fact) -> str:
    """The time in which a fact is true in the world: ``since 2026-05-01``.

    If no more is known, from the time when it was said; ``--as-of`` does the same.
    """
    begun = fact.valid_from or fact.created_at
    if fact.valid_from is None and fact.valid_to and fact.valid_to <= (fact.created_at or ""):
        begun = None
    text = ", ".join(_interruptions(fact)) or span(begun, fact.valid_to, fact.metadata)
    return text + (f", retracted {day(fact.retired_at)}" if fact.retired_at else "")


def span(
    begun: str | None, ended: str | None, metadata: Mapping[str, Any] = _DAYS, word: str = ""
) -> str:
    """``2020-01-01 to 2020-12-31``, the first and the last day, after ``word``; ``since …`` or
    ``until …`` if one end is open. The precision of a day comes from the ``metadata`` of the
    fact."""
    first = as_said(day(begun), begun, metadata)
    last = last_day(ended, metadata, zone()) if ended else ""
    if begun and ended and ended <= begun:  # it never holds
        last = first
    if begun is None or begun.startswith("0001"):
        return f"until {last}"
    return f"{word}{first} to {last}" if ended else f"since {first}"


def _interruptions(fact: Fact) -> list[str]:
    """The intervals of a fact that was interrupted, if it was read as a whole and not as of a
    time."""
    from msgspec import UNSET

    beliefs = [] if fact.beliefs is UNSET else fact.beliefs
    intervals = sorted((b.valid_from, b.valid_to or "") for b in beliefs if b.believed_to is None)
    if len(intervals) < 2 or (fact.valid_to or "") != intervals[-1][1]:
        return []
    if (fact.valid_from or "") > intervals[0][0]:
        return []
    return [span(begun, ended or None, fact.metadata) for begun, ended in intervals]


def fact_line(fact: Fact) -> str:
    """``user lives_in Lisbon  (since 2026-05-01)  [fact_…]``."""
    return f"{statement(fact)}  ({interval(fact)})  [{fact.id}]"


def belief_lines(fact: Fact) -> list[str]:
    """The beliefs about a fact at other times: ``believed from 2026-01-02 to 2026-05-08: it held
    since 2020-01-01``. None if the belief never changed."""
    from msgspec import UNSET

    beliefs = [] if fact.beliefs is UNSET else fact.beliefs
    past = [b for b in beliefs if b.believed_to and b.believed_from < b.believed_to]
    if not past:
        return []
    lines = []
    for when, some in groupby([*past, *(b for b in beliefs if b.believed_to is None)], _when):
        intervals = [span(b.valid_from, b.valid_to, fact.metadata, "from ") for b in some]
        lines.append(f"believed {when}: it held {', and '.join(intervals)}")
    return lines


def _when(belief: Belief) -> str:
    """``since 2026-05-08``, ``from 2026-01-02 to 2026-05-08``, or ``on 2026-05-08`` for one that
    ended the same day."""
    first, last = day(belief.believed_from), day(belief.believed_to)
    if not last:
        return f"since {first}"
    return f"on {first}" if first == last else f"from {first} to {last}"


def memory_line(memory: Memory) -> str:
    """``2026-05-08  preference  The user prefers short answers.  (about: answers)  [mem_…]``; what
    describes one of several personas names it."""
    remarks = f"  (about: {one_line(memory.topic)})" if memory.topic else ""
    if persona := persona_of_memory(memory):
        remarks += f"  (persona: {one_line(persona)})"
    kind = f"{memory.type:13}"
    text = one_line(memory.content, LISTED)
    if memory.seen > 1 and day(memory.seen_at) > day(memory.created_at):
        remarks += f"  (last said {day(memory.seen_at)})"
    line = f"{day(memory.created_at)}  {kind}  {text}{remarks}  [{memory.id}]"
    if memory.stale:
        line += f"  (no longer: {one_line(memory.stale)})"
    if memory.status == "quarantined":
        reason = one_line(memory.quarantine.reason) if memory.quarantine else ""
        return f"{line}  (quarantined{f': {reason}' if reason else ''})"
    return line if memory.status == "active" else f"{line}  ({memory.status})"


def changed_memory_line(memory: Memory) -> str:
    """The line of a memory, with the fields that can be changed by hand."""
    marks = [memory.importance, memory.scope, *(["pinned"] if memory.pinned else [])]
    until = f", expires {day(memory.expires_at)}" if memory.expires_at else ""
    return f"{memory_line(memory)}  {', '.join(marks)}{until}"


def verdict_line(verdict: Verdict) -> str:
    """``released: The user has three children.  [mem_…]``"""
    return f"{verdict.reason}: {one_line(verdict.content)}  [{verdict.id}]"


def persona_of_memory(memory: Memory) -> str | None:
    """The persona that a memory describes; None if it describes none or applies to all."""
    return persona_of(memory.metadata) if is_persona(memory) else None


def is_weak(evidence: Evidence) -> bool:
    """True for evidence that has little to do with the question: it may only be there because
    nothing better is."""
    return evidence.relevance is not None and evidence.relevance < WEAK


def evidence_line(evidence: Evidence, most: int = LISTED) -> str:
    """``0.92 2026-05-08 memory The user prefers short answers. [mem_…]``; the text is cut to
    ``most`` characters, and weak evidence is marked."""
    text = one_line(evidence.text, most) + ("  (weak)" if is_weak(evidence) else "")
    if evidence.stale:
        text += f"  (no longer: {one_line(evidence.stale)})"
    start = f"{evidence.score:.2f}  {day(evidence.at):10}  {evidence.kind:8}"
    return f"{start}  {text}  [{evidence.id}]"


def instruction_line(item: Instruction) -> str:
    """``memory: moved Lisbon, topic travel, at most 5``: an instruction of a plan."""
    parts = [one_line(item.query)] if item.query.strip() else ["everything"]
    parts += [f"type {' or '.join(item.types)}"] if item.types else []
    for name in ("topic", "scope", "since", "until", "as_of"):
        if value := getattr(item, name):
            parts.append(f"{name.replace('_', ' ')} {one_line(value)}")
    return f"{item.mode}: {', '.join(parts)}, at most {item.limit}"


def document_line(document: Document) -> str:
    """One readable line about the result of reading a file."""
    if document.status == "failed":
        return f"failed     {document.path}: {document.reason} ({document.kind})"
    pages = document.pages if document.pages and document.pages > 1 else 0
    size = counted({"page": pages, "chunk": document.chunks, "character": document.characters})
    title = f" “{document.title}”" if document.title else ""
    return f"{document.status:10} {document.path}:{title} ({size}) [{document.id}]"


def counted(counts: Mapping[str, int]) -> str:
    """``12 turns, 1 memory``; ``nothing`` when all are 0."""
    parts = [
        f"{n:,} {name.replace('_', ' ') if n == 1 else plural(name)}"
        for name, n in counts.items()
        if n
    ]
    return ", ".join(parts) or "nothing"


def plural(name: str) -> str:
    """``memories`` for ``memory``."""
    *before, last = name.replace("_", " ").split(" ")
    return " ".join([*before, _PLURALS.get(last, f"{last}s")])
