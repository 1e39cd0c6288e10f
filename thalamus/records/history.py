"""The history of a fact: later assertions and beliefs about it (tables ``fact_note`` and
``fact_interval``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from thalamus.records.memories import Belief, Fact, Note

Select = Callable[..., list[Any]]  # storage.protocol.Reader.select
_NOTE = ("kind", "at", "recorded_at")
_BELIEF = ("valid_from", "valid_to", "believed_from", "believed_to")


def sortable(at: str) -> str:
    """A time in the form of ``fact_interval``, where text order is time order."""
    return at.removesuffix("Z")


def with_history(fact: Fact, select: Select) -> Fact:
    """The fact with everything recorded and believed about it."""
    found = select("fact", ("key", "subject_said", "stated_from", "stated_to"), {"id": fact.id})
    if not found:
        return fact
    key, subject, stated_from, stated_to = found[0]
    notes = select("fact_note", _NOTE, {"fact": key}, order=("n",))
    beliefs = select("fact_interval", _BELIEF, {"fact": key}, order=("n",))
    full = structs.replace(
        fact,
        stated_from=stated_from,
        stated_to=stated_to,
        notes=[Note(kind=kind, at=at, recorded_at=recorded) for kind, at, recorded in notes],
        beliefs=[_belief(row) for row in beliefs],
    )
    if subject is not None:
        full.subject_said = subject
    return full


def _belief(row: Any) -> Belief:
    return Belief(**{name: at and f"{at}Z" for name, at in zip(_BELIEF, row, strict=True)})
