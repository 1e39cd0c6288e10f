"""Changes of facts, entities and predicates by hand, each in a transaction of its own."""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, structs

from thalamus.errors import UsageError
from thalamus.memory.facts import entities
from thalamus.memory.facts import history as fact_history
from thalamus.memory.facts.assertion import add, add_note, put_predicate, retire
from thalamus.memory.facts.entities import resolve_facts
from thalamus.memory.facts.propagation import log_change
from thalamus.memory.undo.batches import CURRENT, keep, new_batch, note_created
from thalamus.policy.entities import USER, key_of
from thalamus.policy.fact_lengths import too_long
from thalamus.policy.timeline import moment
from thalamus.records import (
    Fact,
    Link,
    Memory,
    Note,
    Predicate,
)
from thalamus.store import facts as fact_rows
from thalamus.store.encrypted import is_hidden
from thalamus.text.days import last_day
from thalamus.text.local_time import local_day
from thalamus.text.storable import rejected

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.values import Change, Vector
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun


def end(id: str, at: str, run: TurnRun) -> list[Change]:
    """Ends a fact, whatever was said in passing after that. Raises ``UsageError`` when it began
    later, or ended before."""

    def write(writer: Writer) -> list[Change]:
        fact = _fact(writer, id)
        if fact.retired_at is not None:
            raise UsageError(f"{id} is already retracted.")
        beginning = fact.valid_from or (None if fact.valid_to else fact.created_at)
        if beginning and moment(at) < moment(beginning):
            day, first = local_day(at, run.zone), local_day(beginning, run.zone)
            raise UsageError(
                f"invalid --at {day}: the fact began on {first}",
                fix=f"If it was never true, use `thalamus facts retract {id}`.",
            )
        stated = fact.stated_to
        if isinstance(stated, str) and moment(stated) < moment(at):
            raise UsageError(
                f"{id} ended on {last_day(stated, fact.metadata, run.zone)} already.",
                fix=f"`thalamus facts correct {id} --to DATE` changes when.",
            )
        known = fact_history.note_recorded_at(writer, id, "end", at)
        batch = data["batch"] = new_batch("end", writer, run.engine.clock, id)
        notes = fact_rows.notes(writer, id)
        later = [note for note in notes if note.kind == "mention" and moment(note.at) > moment(at)]
        before: dict[str, object] = {"note": "end", "at": at, "known": known}
        if later:
            before["mentions"] = [(note.at, note.recorded_at) for note in later]
        keep(writer, id, before, batch)
        for note in later:
            fact_history.remove_note(writer, id, note)
        return add_note(id, "end", at, writer)

    data: dict[str, Any] = {"fact": id}
    return _by_hand("fact_ended", data, write, run)


def retract(id: str, reason: str | None, run: TurnRun) -> list[Change]:
    """Retracts a fact that never was true. Raises ``UsageError`` when it is retracted already, or
    is not a fact."""

    def write(writer: Writer) -> list[Change]:
        _fact(writer, id)
        changes = retire(id, writer)
        if changes is None:
            raise UsageError(f"{id} is already retracted.")
        data["batch"] = new_batch("retract", writer, run.engine.clock, id)
        keep(writer, id, CURRENT, data["batch"])
        return changes

    data: dict[str, Any] = {"fact": id, "reason": reason}
    return _by_hand("fact_retracted", data, write, run)


def correct(
    id: str,
    run: TurnRun,
    *,
    object: str | None = None,
    begin: str | None = None,
    until: str | None = None,
    reason: str | None = None,
) -> tuple[Fact, list[Change]]:
    """Retires a wrong fact, and adds one with another object or other dates in its place, as if
    that had been stated. Returns the new fact."""
    if problem := too_long("object", object or ""):
        raise UsageError(f"The object {problem}.")
    if found := rejected(object):
        raise UsageError(f"The object {found[1]}.")
    corrections: list[Fact] = []
    vector = _vector_of_correction(id, object, run)

    def write(writer: Writer) -> list[Change]:
        old = _fact(writer, id)
        if old.retired_at is not None:
            raise UsageError(f"{id} is already retracted.")
        if is_hidden(old):
            fix = f"Retract it (`thalamus facts retract {id}`) and add the correct one."
            raise UsageError("The fact is encrypted, and its key is missing.", fix=fix)
        new = _corrected(old, object, begin, until, run.engine)
        if _statement_of(new) == _statement_of(old):
            raise UsageError(f"{id} already has these values.", fix="Nothing was changed.")
        new = structs.replace(new, id=run.engine.clock.new_id("fact", id, object, begin, until))
        data["by"] = new.id
        data["batch"] = new_batch("correct", writer, run.engine.clock, id)
        keep(writer, id, CURRENT, data["batch"])
        note_created(writer, new.stored_id, data["batch"])
        changes = retire(id, writer) or []
        add(new, writer, vector)
        writer.add(Link(source=new.stored_id, relation="supersedes", target=id))
        changes += resolve_facts(writer, [new.stored_id])
        corrections.append(new)
        return changes

    data: dict[str, Any] = {"fact": id, "reason": reason}
    changes = _by_hand("fact_corrected", data, write, run)
    return corrections[0], changes


def _vector_of_correction(id: str, object: str | None, run: TurnRun) -> Vector | None:
    """Embedding of the corrected fact, computed before the transaction begins; None when there is
    no such fact, or the embedder fails."""
    from thalamus.memory.draft import Draft
    from thalamus.memory.embeddings import embed

    store = run.engine.open_store(False)
    old = store.get(id) if store is not None else None
    if store is None or not isinstance(old, Fact) or is_hidden(old):
        return None
    draft = Draft(structs.replace(old, object=object or old.object))
    problem = embed([draft], run)
    if problem is not None:
        run.failed("correct: embedding", problem)
    return draft.vector


def _statement_of(fact: Fact) -> tuple[object, ...]:
    """The statement of a fact, without the time at which it was recorded."""
    notes = [] if fact.notes is UNSET else [(note.kind, moment(note.at)) for note in fact.notes]
    stated = (fact.stated_from, fact.stated_to)
    dates = [moment(at) if isinstance(at, str) else None for at in stated]
    return fact.object, *dates, sorted(notes)


def _corrected(
    old: Fact, object: str | None, begin: str | None, until: str | None, engine: Engine
) -> Fact:
    assert old.notes is not UNSET
    notes = old.notes if begin is None else [n for n in old.notes if moment(n.at) >= moment(begin)]
    bounded = bool(old.stated_to) and old.stated_to is not UNSET
    stated_to = old.stated_to
    now = engine.clock.stamp()
    if until is not None:
        notes = [note for note in notes if note.kind != "end"]
        if bounded:
            stated_to = until
        else:
            notes = [*notes, Note(kind="end", at=until, recorded_at=now)]
    stated_from = begin or old.stated_from
    start = stated_from or None if stated_from is not UNSET else None
    end = stated_to if isinstance(stated_to, str) else until
    if start and end and moment(end) <= moment(start):
        raise UsageError("--to must be later than --from.")
    return structs.replace(
        old,
        object=object or old.object,
        stated_from=start,
        stated_to=stated_to,
        valid_from=start,
        valid_to=None if stated_to is UNSET else stated_to,
        recorded_at=now,
        retired_at=None,
        quote=old.quote if object is None else None,
        notes=notes,
        beliefs=[],
    )


def merge(name: str, into: str, run: TurnRun) -> list[Change]:
    """Merges the entity ``name`` into ``into``. Raises ``UsageError`` for the user as ``name``."""
    owner = run.engine.config.user or None
    for given in (name, into):
        if problem := too_long("subject", given):
            raise UsageError(f"The name {problem}.")
    if key_of(name) == USER != key_of(into):
        raise UsageError(
            "The user is merged into nothing.",
            fix=f"`thalamus facts merge {quote(into)} user` makes it a name of yours.",
        )
    return _by_hand(
        "entities_merged",
        {},
        lambda writer: entities.merge(writer, name, into, owner),
        run,
        create=True,
    )


def unmerge(name: str, run: TurnRun) -> list[Change]:
    """Separates a merged name. Raises ``UsageError`` when it is not merged."""

    def write(writer: Writer) -> list[Change]:
        changes = entities.unmerge(writer, name, run.engine.config.user or None)
        if changes is None:
            raise UsageError(
                f"{name!r} is not merged.", fix="`thalamus facts entities` lists merged names."
            )
        return changes

    return _by_hand("entities_unmerged", {}, write, run)


def set_predicate(predicate: Predicate, run: TurnRun) -> list[Change]:
    """Defines a predicate, and resolves the intervals that it affects."""
    return _by_hand(
        "predicate_set",
        {"predicate": predicate.name},
        lambda writer: put_predicate(predicate, writer),
        run,
        create=True,
    )


def _by_hand(
    name: str,
    data: dict[str, Any],
    write: Callable[[Writer], list[Change]],
    run: TurnRun,
    create: bool = False,
) -> list[Change]:
    """Runs a change in one transaction, with a ledger entry that has ids but no content."""
    store = run.engine.create_store() if create else run.engine.store
    with store.writing() as writer:
        changes = write(writer)
        log_change(name, data, changes, writer, run)
    return changes


def _fact(writer: Writer, id: str) -> Fact:
    fact = fact_history.whole(writer, id)
    if fact is None or not writer.owner.reaches(fact):
        fix = f"`thalamus why {id}` shows what it is."
        if writer.by_id(Memory, id) is not None:
            fix += f" `thalamus memory edit {id}` changes a memory."
        raise UsageError(f"{id} is not a fact.", fix=fix)
    return fact
