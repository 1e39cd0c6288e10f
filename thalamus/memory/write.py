"""Filling in what a record does not say about itself, before it is stored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from msgspec import UNSET, Struct, structs

from thalamus.clock import format_time, parse_time
from thalamus.memory.intervals import registry_of
from thalamus.policy.entities import subject_name
from thalamus.policy.same_record import Names, other_in_fact, other_in_memory
from thalamus.policy.sensitivity import personal
from thalamus.policy.vector import pack
from thalamus.records import Fact, Link, Memory, Provenance, Reflection, Turn
from thalamus.storage.protocol import is_hidden

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Verdict
    from thalamus.storage.protocol import Store, Writer


Storable = Turn | Memory | Fact | Reflection
R = TypeVar("R", Memory, Fact)
S = TypeVar("S", bound=Struct)
TIMES = "created_at recorded_at expires_at valid_from valid_to retired_at".split()
# what a memory does not say of itself: with ``released`` anyone could pass the injection check
OURS: dict[str, object] = {"quarantine": None, "suspicious": None, "released": False}
_LONG_AGO = "0001-01-01"
_in_form = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{2}:[0-9]{2}:[0-9]{2}Z").fullmatch


class RecordProblem(ValueError):
    """A record cannot be stored; ``field`` names where it is wrong, ``index`` which of several."""

    def __init__(self, field: str, problem: str, index: int = 0) -> None:
        super().__init__(problem)
        self.field = field
        self.index = index


def normalize_all(
    records: Sequence[Storable], context: Context, opened: Store | None = None
) -> list[Storable]:
    """``prepare`` for each; a ``RecordProblem`` tells which one it was. Whether an embedding is
    one is not looked at: it is packed next, which finds out."""
    prepared: list[Storable] = []
    now = context.clock.stamp()
    for index, record in enumerate(records):
        try:
            if isinstance(record, Memory):  # most of them when there are many
                prepared.append(_prepare_item(record, record, context, now))
            else:
                prepared.append(normalize(record, context, opened))
        except RecordProblem as problem:
            problem.index = index
            raise
    return prepared


def normalize(record: Storable, context: Context, opened: Store | None = None) -> Storable:
    """The record with owner, times and session filled in, times in one form.

    Raises ``RecordProblem`` naming the field of a time that is none.
    """
    now = context.clock.stamp()
    if isinstance(record, Turn):
        from thalamus.pipeline.retrieve import begin_turn  # 30 ms that other records need not pay

        turn = begin_turn(normalize_times(record, ("created_at",)), context, opened)
        if turn.reflection is None:
            return turn
        reflection = _prepare_reflection(turn.reflection, turn, context, now)
        return structs.replace(turn, reflection=reflection)
    if isinstance(record, Reflection):
        record = normalize_times(record, ("created_at",))
        return _prepare_reflection(record, record, context, now)
    if isinstance(record, Memory):
        return _prepare_item(record, record, context, now)
    return _prepare_item(record, record, context, now)


def _prepare_reflection(
    reflection: Reflection, owner: Turn | Reflection, context: Context, now: str
) -> Reflection:
    said_in = owner.id if isinstance(owner, Turn) else owner.turn

    def prepared(items: Sequence[R], name: str) -> list[R]:
        done = []
        for number, item in enumerate(items):
            try:
                done.append(_prepare_item(_said_in(item, said_in), owner, context, now))
            except RecordProblem as problem:
                problem.field = f"{name}[{number}].{problem.field}"
                raise
        return done

    return structs.replace(
        reflection,
        memories_to_store=prepared(reflection.memories_to_store, "memories_to_store"),
        facts=prepared(reflection.facts, "facts"),
    )


def _check_sense(item: Memory | Fact) -> None:
    """Raises ``RecordProblem`` for a memory without words and a fact that ends before it begins.
    What a model made of a turn is not asked: it must not cost the turn."""
    if isinstance(item, Memory):
        if not any(character.isprintable() and character != " " for character in item.content):
            raise RecordProblem("content", "it is blank")
    elif item.valid_to and parse_time(item.valid_to) < parse_time(item.valid_from or _LONG_AGO):
        raise RecordProblem("valid_to", f"it ends before it begins ({item.valid_from})")


def _said_in(item: R, turn: str | None) -> R:
    """With the turn that it came from, if it does not say itself where it came from."""
    source = item.provenance or Provenance()
    if turn is None or source.turn or source.document:
        return item
    return structs.replace(item, provenance=structs.replace(source, turn=turn))


def _prepare_item(
    item: R, owner: Turn | Reflection | Memory | Fact, context: Context, now: str
) -> R:
    config = context.config
    item = normalize_times(item)
    if not isinstance(owner, Turn):
        _check_sense(item)
    changes: dict[str, object] = {
        "created_at": item.created_at or owner.created_at or now,
        "recorded_at": item.recorded_at or now,
        "session": item.session or owner.session,
        "user": item.user or owner.user or config.user or None,
        "agent": item.agent or owner.agent or config.agent or None,
    }
    if isinstance(item, Fact):
        from thalamus.memory.facts import registry

        changes["predicate"] = registry(context).name(item.predicate) or item.predicate
        changes["subject"] = subject_name(item.subject)
    else:
        changes |= OURS
        if personal(item.content) and not item.is_document:
            changes["sensitivity"] = "personal"
    _check_model(item)
    return structs.replace(item, **changes)


def normalize_times(record: S, names: Sequence[str] = TIMES) -> S:
    """The record with these of its times as RFC 3339 in UTC. Raises ``RecordProblem``."""
    changes = {}
    for name in names:
        text = getattr(record, name, None)
        if text:
            try:
                if _in_form(text):
                    datetime.fromisoformat(text)  # raises for the 31st of February
                else:
                    changes[name] = format_time(parse_time(text))
            except ValueError:
                problem = f"{text!r} is not a date or time such as 2023-05-08T13:56:00Z"
                raise RecordProblem(name, problem) from None
    return structs.replace(record, **changes) if changes else record


def check_vector(item: Memory | Fact) -> None:
    """Raises ``RecordProblem`` for an embedding that is none, or has no model's name."""
    if item.embedding is UNSET:
        return
    _check_model(item)
    try:
        pack(item.embedding)
    except ValueError as error:
        raise RecordProblem("embedding", str(error)) from None


def _check_model(item: Memory | Fact) -> None:
    if item.embedding is not UNSET and not item.embedding_model:
        raise RecordProblem("embedding_model", "an embedding needs the name of its model")


# -- noting: where a thing comes from as links, and what was decided as the ledger keeps it. --


def link_source(item: Memory | Fact, writer: Writer) -> None:
    """Links a memory or a fact to the turn and the document that it came from."""
    source = item.provenance
    for target in (source.turn, source.document) if source else ():
        if target:
            writer.add_link(Link(source=item.id or "", relation="derived_from", target=target))


def decision_entry(verdict: Verdict) -> dict[str, object]:
    """A verdict for the ledger: without a word of what it is about, which may be forgotten."""
    names = ("id", "decision", "rule", "reason")
    return {name: getattr(verdict, name) for name in names}


# -- A record that comes with the id of a stored one: it has to be that one. --


def check_same_record(
    record: Memory | Fact, writer: Writer, opened: Store, dated: bool = True
) -> None:
    """Raises ``RecordProblem`` when another memory or fact is stored under the id of ``record``:
    it would be lost. Encrypted content whose key is not here cannot be compared and is believed.

    ``dated``: whether the record itself said when it was said.
    """
    field: str | None = None
    id = record.id or ""
    if isinstance(record, Memory):
        memory = writer.memory(id)
        if memory is not None and not (is_hidden(memory) or is_hidden(record)):
            field = other_in_memory(record, memory, dated)
    else:
        fact = writer.fact(id)
        if fact is not None and not (is_hidden(fact) or is_hidden(record)):
            field = other_in_fact(record, fact, Names(registry_of(opened), opened.aliases()))
    if field is not None:
        kind = "memory" if isinstance(record, Memory) else "fact"
        raise RecordProblem("id", f"{id} is already the id of a {kind} with another `{field}`")
