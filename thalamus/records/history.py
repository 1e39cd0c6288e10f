"""The history of a fact: what was told of it later and what was believed about it, in rows of their
own (tables ``fact_note`` and ``fact_interval``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from thalamus.records.memories import Belief, Fact, Note

Select = Callable[..., list[Any]]  # storage.protocol.Reader.select
_NOTE = ("kind", "at", "recorded_at")
_BELIEF = ("valid_from", "valid_to", "believed_from", "believed_to")


def sortable(at: str) -> str:
    """A time as it stands in ``fact_interval``: its order as text is its order in time."""
    return at.removesuffix("Z")


def with_history(fact: Fact, select: Select) -> Fact:
    """The fact with everything that was recorded of it and believed about it."""
    found = select("fact", ("key", "subject_said", "stated_from", "stated_to"), {"id": fact.id})
    if not found:
        return fact
    key, said, stated_from, stated_to = found[0]
    notes = select("fact_note", _NOTE, {"fact": key}, order=("n",))
    beliefs = select("fact_interval", _BELIEF, {"fact": key}, order=("n",))
    made = structs.replace(
        fact,
        stated_from=stated_from,
        stated_to=stated_to,
        notes=[Note(kind=kind, at=at, recorded_at=recorded) for kind, at, recorded in notes],
        beliefs=[_belief(row) for row in beliefs],
    )
    if said is not None:
        made.subject_said = said
    return made


def _belief(row: Any) -> Belief:
    return Belief(**{name: at and f"{at}Z" for name, at in zip(_BELIEF, row, strict=True)})
