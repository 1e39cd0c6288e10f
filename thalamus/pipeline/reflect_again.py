"""Repeated reflection on turns whose memories an earlier version made by rules.

All changes form one batch, which ``thalamus undo`` reverts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from thalamus.memory.facts import assertion as facts
from thalamus.memory.facts.propagation import propagate
from thalamus.memory.undo.batches import CURRENT, keep, new_batch, note_created, retire
from thalamus.memory.undo.restore import Effects, restore
from thalamus.memory.unfounded import SECOND_REFLECTION, unfounded
from thalamus.memory.write import write_records
from thalamus.pipeline.reflect import reflect
from thalamus.records import Event, Fact, Issue, Memory, Reflection, Turn
from thalamus.store import batches, links
from thalamus.store import facts as fact_rows
from thalamus.store import memories as memory_rows

if TYPE_CHECKING:
    from datetime import tzinfo

    from thalamus.store.values import Change
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

ACTION = "reflect_again"  # of the batch


class ReadAgain(Struct, frozen=True):
    """Result for one turn: memories and facts retired and made, or the ``problem`` that left
    everything unchanged."""

    turn: str
    retired: int = 0
    made: int = 0
    problem: Issue | None = None


def reflect_again(run: TurnRun) -> Iterator[ReadAgain]:
    """Reflects again on turns whose memories are neither the user's words nor a model's sentence.
    If the model fails, the turn is left unchanged. Raises ``StoreBusy`` and ``StoreFull``."""
    store = run.engine.store
    found = unfounded(store)
    if not found:
        return
    with store.writing() as writer:
        batch = new_batch(ACTION, writer, run.engine.clock)
    for id, memories in found.items():
        turn = store.get(id)
        if isinstance(turn, Turn):
            yield _again(turn, memories, batch, run)


def _again(turn: Turn, memories: Sequence[Memory], batch: str, run: TurnRun) -> ReadAgain:
    store = run.engine.store
    id = turn.stored_id
    ids = [memory.stored_id for memory in memories]
    with store.writing() as writer:
        retire(writer, ids, batch)
        derived = _retire_facts(id, batch, writer, run.zone)
    reflected = reflect(structs.replace(turn, issues=[]), run)
    if reflected.issues or reflected.reflection is None:
        with store.writing() as writer:
            _restore(ids, derived, batch, writer, run.zone)
        return ReadAgain(id, problem=next(iter(reflected.issues), None))
    [kept] = write_records([_complete(reflected.reflection, turn)], run)
    assert isinstance(kept, Reflection)
    with store.writing() as writer:
        made = _record_created(kept, id, batch, writer)
    return ReadAgain(id, len(ids) + len(derived), made)


def _retire_facts(turn: str, batch: str, writer: Writer, zone: tzinfo) -> list[str]:
    """Retires the facts extracted from a turn; returns their ids."""
    derived = links.sources(writer, turn, "derived_from")
    found = [fact for fact in fact_rows.current(writer, derived) if fact.quote]
    changes: list[Change] = []
    for fact in found:
        keep(writer, fact.stored_id, CURRENT, batch)
        changes += facts.retire(fact.stored_id, writer) or []
    propagate(changes, writer, writer.now, zone)
    return [fact.stored_id for fact in found]


def _restore(
    memories: Sequence[str], facts: Sequence[str], batch: str, writer: Writer, zone: tzinfo
) -> None:
    """Restores what was retired of a turn that could not be reflected on, and takes it out of the
    batch."""
    retired = [id for id in memory_rows.retired_by(writer, batch) if id in memories]
    restore(Effects([], [(id, CURRENT) for id in facts], retired), writer, zone)
    for id in facts:
        batches.delete_item(writer, batch, id)


def _record_created(reflection: Reflection, turn: str, batch: str, writer: Writer) -> int:
    """Records what was created from a turn, so that undoing the batch deletes it and the turn is
    not reflected on once more. Returns how many items that are."""
    records: list[Memory | Fact] = [*reflection.memories_to_store, *reflection.facts]
    created = [
        item.id
        for item in records
        if item.id and item.provenance is not None and item.provenance.turn == turn
    ]
    for id in dict.fromkeys(created):
        note_created(writer, id, batch)
    data = {"batch": batch, "made": created}
    writer.add_event(Event(name=SECOND_REFLECTION, at=writer.now, turn=turn, data=data))
    return len(created)


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
