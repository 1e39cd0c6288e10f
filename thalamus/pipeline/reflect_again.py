"""Repeated reflection on turns whose memories an earlier version made by rules.

All changes form one batch, which ``thalamus undo`` reverts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.memory.second_reflection import (
    begin_second_reflection,
    record_created,
    restore_derived,
    retire_derived,
)
from thalamus.memory.unfounded import unfounded
from thalamus.memory.write import write_records
from thalamus.pipeline.reflect import reflect
from thalamus.records import Issue, Memory, Reflection, Turn

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol.store import Store


@dataclass(frozen=True)
class ReadAgain:
    """Result for one turn: memories and facts retired and made, or the ``problem`` that left
    everything unchanged."""

    turn: str
    retired: int = 0
    made: int = 0
    problem: Issue | None = None


def reflect_again(context: Context, store: Store) -> Iterator[ReadAgain]:
    """Reflects again on turns whose memories are neither the user's words nor a model's sentence.
    If the model fails, the turn is left unchanged. Raises ``StoreBusy`` and ``StoreFull``."""
    found = unfounded(store)
    if not found:
        return
    batch = begin_second_reflection(store, context)
    for id, memories in found.items():
        turn = store.get(id)
        if isinstance(turn, Turn):
            yield _again(turn, memories, batch, context, store)


def _again(
    turn: Turn, memories: Sequence[Memory], batch: str, context: Context, store: Store
) -> ReadAgain:
    id = turn.id or ""
    with store.writing() as writer:
        facts = retire_derived(id, memories, batch, writer, context.zone)
    done = reflect(structs.replace(turn, issues=[]), context)
    if done.issues or done.reflection is None:
        with store.writing() as writer:
            restore_derived(memories, facts, batch, writer, context.zone)
        return ReadAgain(id, problem=next(iter(done.issues), None))
    [kept] = write_records([_complete(done.reflection, turn)], context)
    assert isinstance(kept, Reflection)
    with store.writing() as writer:
        made = record_created(kept, id, batch, writer)
    return ReadAgain(id, len(memories) + len(facts), made)


def _complete(reflection: Reflection, turn: Turn) -> Reflection:
    """The reflection with the turn's id, session, owner and time."""
    return structs.replace(
        reflection,
        turn=turn.id,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        created_at=turn.created_at,
    )
