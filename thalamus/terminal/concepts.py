"""Concepts as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.terminal.lines import fact_line, one_line
from thalamus.terminal.local import day

if TYPE_CHECKING:
    from thalamus.records.concepts import Concept, ConceptDetails


def concept_line(concept: Concept) -> str:
    """``   12  piano lesson  phrase, last 2026-05-01  (also keyboards)  [con_…]``."""
    last = f", last {day(concept.seen_at)}" if concept.seen_at else ""
    names = ", ".join(map(one_line, concept.aliases))
    also = f"  (also {names})" if names else ""
    whose = f"  (of {one_line(concept.user)})" if concept.user else ""
    name = one_line(concept.name)
    return f"{concept.seen:6}  {name}  {concept.kind}{last}{also}{whose}  [{concept.id}]"


def detail_lines(details: ConceptDetails) -> Iterator[str]:
    """A concept, then the entries about it, related concepts and facts."""
    yield concept_line(details.concept)
    if details.entries:
        yield ""
        yield "About it:"
        for entry in details.entries:
            yield f"  {day(entry.at)}  {entry.kind:8}  {one_line(entry.text, 100)}  [{entry.id}]"
    if details.related:
        yield ""
        yield "Related:"
        for other in details.related:
            yield f"{other.shared:6}  {one_line(other.name)}  [{other.id}]"
    if details.facts:
        yield ""
        yield "Facts:"
        for fact in details.facts:
            yield f"  {fact_line(fact)}"
