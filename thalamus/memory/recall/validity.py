"""Periods in which memories and facts hold, in words for a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from msgspec import json

from thalamus.store import facts, memories
from thalamus.text.days import as_said, last_day
from thalamus.text.local_time import local_day

if TYPE_CHECKING:
    from thalamus.records import Evidence
    from thalamus.store.base import Store


def holding(store: Store, evidence: Sequence[Evidence], today: str, zone: tzinfo) -> dict[str, str]:
    """Periods in which pieces of evidence hold, by id: ``since 2026-05``, ``from 2026-12`` if that
    is after ``today``, ``on 2026-06-19``, ``2019 to 2026-03``, each with its last day. Undated
    evidence is left out."""
    found: dict[str, str] = {}
    ids = [item.id for item in evidence if item.kind == "memory"]
    for memory in memories.as_stored(store, ids):
        found[memory.id] = in_words(memory.valid_from, memory.valid_to, today)
    ids = [item.id for item in evidence if item.kind == "fact"]
    for fact in facts.as_stored(store, ids):
        metadata = fact.metadata or ""
        known = json.decode(metadata) if metadata.startswith("{") else {}
        found[fact.id] = fact_in_words(fact.valid_from, fact.valid_to, known, zone, today)
    return {id: text for id, text in found.items() if text}


def fact_in_words(
    begin: str | None, end: str | None, metadata: Mapping[str, Any], zone: tzinfo, today: str
) -> str:
    """The period of a fact, between two moments, in words; empty without dates."""
    return in_words(
        as_said(local_day(begin, zone), begin, metadata) if begin else None,
        last_day(end, metadata, zone) if end else None,
        today,
    )


def in_words(begin: str | None, end: str | None, today: str | None = None) -> str:
    """A period in words; empty without dates. One that begins after ``today`` is still to come."""
    if begin and end:
        preposition = "on" if len(begin) > len("2026-06") else "in"
        return f"{preposition} {begin}" if begin == end else f"{begin} to {end}"
    if begin:
        return f"from {begin}" if today and begin > today else f"since {begin}"
    return f"until {end}" if end else ""
