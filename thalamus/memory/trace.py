"""The ledger of a turn, read for people: behind ``trace``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalamus.records import Event, Fact, Memory, Turn

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store

FIRST_LOOK = 200  # entries of the ledger; more are read when they hold too few turns


def last_turns(store: Store, count: int, session: str | None = None) -> list[str]:
    """The ids of the last ``count`` turns in the ledger (of one session), oldest first."""
    look = FIRST_LOOK
    while True:
        entries = list(store.events(limit=look))
        found: dict[str, None] = {}
        for event in reversed(entries):
            if event.turn and session in (None, event.session):
                found.setdefault(event.turn)
        if len(found) >= count or len(entries) < look:
            return list(found)[:count][::-1]
        look *= 8


def stage_entries(events: list[Event]) -> list[dict[str, Any]]:
    """The data of the stages among a turn's ledger entries (fields of ``records.Step``)."""
    return [event.data for event in events if event.name == "stage"]


def issue_entries(events: list[Event]) -> list[dict[str, Any]]:
    """The data of the issues (fields of ``records.Issue``)."""
    return [event.data for event in events if event.name == "issue"]


def total(steps: list[dict[str, Any]], name: str) -> int:
    """The sum of ``ms``, ``tokens_in`` or ``tokens_out`` over stages."""
    return sum(int(step.get(name) or 0) for step in steps)


def text_of(store: Store, id: str, stage: str = "") -> str:
    """What an id stands for, in words; of a turn what ``stage`` used of it."""
    thing = store.get(id)
    if isinstance(thing, Turn):
        return thing.answer or "" if stage == "answer" else thing.message
    if isinstance(thing, Memory):
        return thing.content
    if isinstance(thing, Fact):
        return f"{thing.subject} {thing.predicate} {thing.object}"
    instructions = getattr(thing, "retrieval_instructions", [])
    return "; ".join(f"{item.mode}: {item.query}" for item in instructions)
