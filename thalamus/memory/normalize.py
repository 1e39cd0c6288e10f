"""Normalization of records: fills in missing fields, converts times to one form, and validates."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET, Struct, json, structs, to_builtins

from thalamus.clock import LAST_YEAR, format_time, is_unending, parse_time
from thalamus.errors import RecordProblem
from thalamus.memory import memories
from thalamus.memory.draft import Storable
from thalamus.memory.facts import history as fact_history
from thalamus.memory.facts.intervals import registry_of
from thalamus.memory.standing.core import persona_for
from thalamus.memory.user.projects import current
from thalamus.names import too_long
from thalamus.policy import fact_lengths
from thalamus.policy.entities import subject_name
from thalamus.policy.id_conflicts import Names, other_in_fact, other_in_memory
from thalamus.policy.persona import NAME_KEY, persona_of, with_marks
from thalamus.policy.predicates import Registry
from thalamus.policy.projects import PROJECT
from thalamus.policy.retrieval_plan import MOST_PLANNED, problem_of
from thalamus.policy.vector import pack
from thalamus.records import Alias, Fact, Instruction, Memory, Plan, Provenance, Reflection, Turn
from thalamus.records.base import names_of
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden
from thalamus.text import partial_dates
from thalamus.text.local_time import midnight
from thalamus.text.storable import rejected

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

Predicates = Callable[[], Registry]
R = TypeVar("R", Memory, Fact)
S = TypeVar("S", bound=Struct)
TIMES = (
    "created_at recorded_at expires_at valid_from valid_to retired_at closed_at at updated_at"
    " undone_at"
).split()
INSTRUCTION_TIMES = ("since", "until", "as_of")
_TIMES_OF = {
    Memory: ("created_at", "recorded_at", "expires_at"),  # valid_from and valid_to are days
    Fact: tuple(name for name in TIMES if name in Fact.__struct_fields__),
}
# set by the store alone: with ``released`` anyone could bypass the injection check
SET_HERE: dict[str, object] = {"quarantine": None, "suspicious": None, "released": False}
_LONG_AGO = "0001-01-01"
_is_rfc_3339_utc = re.compile(
    r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:Z|\+00:00)"
).fullmatch


def normalize(record: Storable, run: TurnRun, now: str, predicates: Predicates) -> Storable:
    """A copy of the record with owner, times and session filled in, times in one form, and
    canonical names of ``predicates``, which is only called for facts.

    Raises ``RecordProblem`` naming the field that cannot be stored.
    """
    check_texts(record)
    _check_names(record)
    if isinstance(record, Turn):
        turn = begin_turn(normalize_times(record, ("created_at",)), run, here=False)
        if turn.plan is not None:
            turn = structs.replace(turn, plan=_plan_of(turn, turn.plan, run.engine))
        turn = _normalize_proposals(turn, run.engine, now, predicates)
        if turn.reflection is None:
            return turn
        reflection = _normalize_reflection(turn.reflection, turn, run.engine, now, predicates)
        return structs.replace(turn, reflection=reflection)
    if isinstance(record, Reflection):
        record = normalize_times(record, ("created_at",))
        return _normalize_reflection(record, record, run.engine, now, predicates)
    if isinstance(record, Plan):
        return _normalize_plan(record, run.engine, now)
    if isinstance(record, Memory):
        return _normalize_item(record, record, run.engine, now, predicates)
    return _normalize_item(record, record, run.engine, now, predicates)


def begin_turn(turn: Turn, run: TurnRun, *, here: bool = True) -> Turn:
    """Gives a turn its identity: session, time, owner, id; and the persona. ``here``: it is said
    now, in the current project; what is only stored may be from anywhere."""
    config = run.engine.config
    session = turn.session or config.session
    created_at = turn.created_at or run.engine.clock.stamp()
    id = own_id(turn)
    if id is None:
        store = run.engine.open_store(False)
        before = turn_rows.last_id(store, session, None) if store is not None else None
        number = next(run.engine.once("numbers of turns", itertools.count))
        parts = (before, session, created_at, turn.message, number)
        id = run.engine.clock.new_id("turn", *parts)
    persona, project = persona_for(turn, run), current(run) if here else None
    metadata = {PROJECT: project.stored_id} if project is not None else {}
    metadata |= turn.metadata
    return structs.replace(
        turn,
        id=id,
        metadata={**metadata, NAME_KEY: persona} if persona else metadata,
        session=session,
        created_at=created_at,
        user=turn.user or config.user or None,
        agent=turn.agent or config.agent or None,
    )


def _normalize_reflection(
    reflection: Reflection,
    owner: Turn | Reflection,
    engine: Engine,
    now: str,
    predicates: Predicates,
) -> Reflection:
    said_in = owner.id if isinstance(owner, Turn) else owner.turn

    def normalized(items: Sequence[R], name: str) -> list[R]:
        done = []
        for number, item in enumerate(items):
            try:
                done.append(
                    _normalize_item(_with_turn(item, said_in), owner, engine, now, predicates)
                )
            except RecordProblem as problem:
                problem.field = f"{name}[{number}].{problem.field}"
                raise
        return done

    return structs.replace(
        reflection,
        memories_to_store=normalized(reflection.memories_to_store, "memories_to_store"),
        facts=normalized(reflection.facts, "facts"),
    )


def _normalize_proposals(turn: Turn, engine: Engine, now: str, predicates: Predicates) -> Turn:
    if not turn.proposals:
        return turn
    proposed = Reflection(memories_to_store=turn.proposals)
    try:
        reflection = _normalize_reflection(proposed, turn, engine, now, predicates)
    except RecordProblem as problem:
        problem.field = problem.field.replace("memories_to_store", "proposals", 1)
        raise
    return structs.replace(turn, proposals=reflection.memories_to_store)


def _plan_of(turn: Turn, plan: Plan, engine: Engine) -> Plan:
    """The plan of a turn, for the same session and user. Raises ``RecordProblem``."""
    owned = structs.replace(
        plan,
        session=plan.session or turn.session,
        user=plan.user or turn.user,
        turn=plan.turn or turn.id,
        created_at=plan.created_at or turn.created_at,
    )
    if not owned.retrieval_instructions:
        return plan
    try:
        return _normalize_plan(owned, engine, turn.created_at or engine.clock.stamp())
    except RecordProblem as problem:
        problem.field = f"plan.{problem.field}"
        raise


def _normalize_plan(plan: Plan, engine: Engine, now: str) -> Plan:
    plan = normalize_times(plan, ("created_at",))
    session = plan.session or engine.config.session
    user = plan.user or engine.config.user or None
    if len(plan.retrieval_instructions) > MOST_PLANNED:
        count = len(plan.retrieval_instructions)
        problem = f"holds {count} instructions, and at most {MOST_PLANNED} are executed"
        raise RecordProblem("retrieval_instructions", problem)
    return structs.replace(
        plan,
        retrieval_instructions=normalize_instructions(plan.retrieval_instructions),
        id=plan.id or engine.clock.new_id("plan", plan.turn or user, session),
        session=session,
        user=user,
        created_at=plan.created_at or now,
    )


def normalize_instructions(
    instructions: Sequence[Instruction], field: str = "retrieval_instructions"
) -> list[Instruction]:
    """Instructions with normalized times. Raises ``RecordProblem`` naming the field of an invalid
    one, as a part of ``field``."""
    result = []
    for number, item in enumerate(instructions):
        try:
            result.append(normalize_times(item, INSTRUCTION_TIMES))
            if found := problem_of(item):
                raise RecordProblem(*found)
        except RecordProblem as problem:
            problem.field = f"{field}[{number}].{problem.field}"
            raise
    return result


def _with_turn(item: R, turn: str | None) -> R:
    """The item with its source turn, unless it names a source itself."""
    source = item.provenance or Provenance()
    if turn is None or source.turn or source.document:
        return item
    return structs.replace(item, provenance=structs.replace(source, turn=turn))


def _normalize_item(
    item: R,
    owner: Turn | Reflection | Memory | Fact,
    engine: Engine,
    now: str,
    predicates: Predicates,
) -> R:
    config = engine.config
    _check_names(item)
    changes = _changed_times(item, _TIMES_OF[type(item)])
    if isinstance(item, Fact):
        _check_lengths(item)
        changes |= _with_precision(item, changes)
    if not isinstance(owner, Turn):
        _check_sense(item, changes)
    created_at = changes.get("created_at") or item.created_at
    changes |= {
        "id": own_id(item),
        "created_at": created_at or owner.created_at or now,
        "recorded_at": changes.get("recorded_at") or item.recorded_at or now,
        "session": item.session or owner.session,
        "user": item.user or owner.user or config.user or None,
        "agent": item.agent or owner.agent or config.agent or None,
    }
    if isinstance(item, Fact):
        changes["predicate"] = predicates().name(item.predicate) or item.predicate
        changes["subject"] = subject_name(item.subject)
    else:
        changes |= SET_HERE
        persona = persona_of(owner.metadata) if isinstance(owner, Turn) else config.persona
        changes["metadata"] = with_marks(item, persona or "")
    _check_model(item)
    return structs.replace(item, **changes)


def normalize_times(record: S, names: Sequence[str] = TIMES, zone: tzinfo = UTC) -> S:
    """The record with these of its times as RFC 3339 in UTC; times without a zone are in ``zone``.
    Raises ``RecordProblem``."""
    changes = _changed_times(record, names, zone)
    return structs.replace(record, **changes) if changes else record


def _changed_times(record: Struct, names: Sequence[str], zone: tzinfo = UTC) -> dict[str, object]:
    """Normalized values of the times that are not normalized yet."""
    changes: dict[str, object] = {}
    for name in names:
        text = getattr(record, name, None)
        if text:
            try:
                if _is_rfc_3339_utc(text):
                    if datetime.fromisoformat(text).year > LAST_YEAR:  # raises for 31 February
                        raise ValueError
                    if not text.endswith("Z"):
                        changes[name] = f"{text[:19]}Z"
                elif (day := partial_dates.parse(text)) is not None and day.precision:
                    changes[name] = midnight(day.first, zone)
                else:
                    changes[name] = format_time(parse_time(text, zone))
            except ValueError:
                problem = f"{text!r} is not a date or time such as 2023-05-08T13:56:00Z"
                if is_unending(text):
                    problem = f"{text!r} is too late; leave out what has no end"
                raise RecordProblem(name, problem) from None
    return changes


def _with_precision(fact: Fact, times: Mapping[str, object]) -> dict[str, object]:
    """The precision of a fact's partial dates, and its end at the end of the year, month or day
    that it names. ``times``: its normalized times."""
    if "T" in (fact.valid_from or "T") and "T" in (fact.valid_to or "T"):
        return {}
    begin, end = partial_dates.parse(fact.valid_from), partial_dates.parse(fact.valid_to)
    start, stop = (
        str(times.get(name) or getattr(fact, name) or "") for name in ("valid_from", "valid_to")
    )
    if end is not None and "T" not in (fact.valid_to or ""):
        stop = midnight(end.after, UTC)
    dated = ((start, begin), (stop, end))
    precision = {at: day.precision for at, day in dated if day is not None and day.precision}
    ends: dict[str, object] = {"valid_to": stop} if stop else {}
    if not precision:
        return ends
    known = fact.metadata.get("precision")
    noted = {**(known if isinstance(known, Mapping) else {}), **precision}
    return {**ends, "metadata": {**fact.metadata, "precision": noted}}


# -- checks ----------------------------------------------------------------------------------------


def own_id(record: Any) -> str | None:
    """The id of a record; None also for a blank one."""
    return record.id if (record.id or "").strip() else None


def check_texts(record: Struct) -> None:
    """Raises ``RecordProblem`` for a text that databases reject."""
    if isinstance(record, (Memory, Fact)):
        record = structs.replace(record, embedding=UNSET)  # no text, and most of the record
    try:
        text = _json(record)
        if b"\\" not in text or b"\\u0000" not in text:  # the first is found many times faster
            return
    except UnicodeEncodeError:  # half of a surrogate pair
        pass
    if found := rejected(to_builtins(record, enc_hook=_no_text)):
        raise RecordProblem(*found)


def _check_names(record: Storable) -> None:
    """Raises ``RecordProblem`` for a name of an owner, a session or a project that is too long."""
    for field in names_of(type(record)):
        if problem := too_long(getattr(record, field) or ""):
            raise RecordProblem(field, problem)


def _check_lengths(fact: Fact) -> None:
    """Raises ``RecordProblem`` for a fact with a part that is too long."""
    for field in fact_lengths.LONGEST:
        if problem := fact_lengths.too_long(field, getattr(fact, field)):
            raise RecordProblem(field, problem)


def _no_text(value: object) -> None:
    """Placeholder for an array of numbers, which contains no text."""


_json = json.Encoder(enc_hook=_no_text).encode


def _check_sense(item: Memory | Fact, times: dict[str, object]) -> None:
    """Raises ``RecordProblem`` for a memory without words and a fact that ends before it begins.
    Model output for a turn is not checked: it must not cost the turn."""
    if isinstance(item, Memory):
        check_blank(item)
        return
    begin, end = (times.get(name) or getattr(item, name) for name in ("valid_from", "valid_to"))
    if end and parse_time(str(end)) < parse_time(str(begin or _LONG_AGO)):
        raise RecordProblem("valid_to", f"it ends before it begins ({begin})")


def check_blank(memory: Memory) -> None:
    """Raises ``RecordProblem`` for a memory without words."""
    content = memory.content
    if not content.strip() or not any(c.isprintable() and c != " " for c in content):
        raise RecordProblem("content", "must not be blank")


def check_vector(item: Memory | Fact) -> None:
    """Raises ``RecordProblem`` for an invalid embedding, or one without a model's name."""
    if item.embedding is UNSET:
        return
    _check_model(item)
    try:
        pack(item.embedding)
    except ValueError as error:
        raise RecordProblem("embedding", str(error)) from None


def _check_model(item: Memory | Fact) -> None:
    if item.embedding is not UNSET and not item.embedding_model:
        raise RecordProblem("embedding_model", "an embedding requires the name of its model")


def check_same_record(record: Memory | Fact, writer: Writer, dated: bool = True) -> None:
    """Raises ``RecordProblem`` when another memory or fact is stored under the id of ``record``,
    which would be overwritten. Encrypted content whose key is missing cannot be compared and is
    accepted.

    ``dated``: the record stated its own time.
    """
    field: str | None = None
    id = record.stored_id
    if isinstance(record, Memory):
        memory = memories.with_id(writer, id)
        if memory is not None and not (is_hidden(memory) or is_hidden(record)):
            field = other_in_memory(record, memory, dated)
    else:
        fact = fact_history.whole(writer, id)
        if fact is not None and not (is_hidden(fact) or is_hidden(record)):
            field = other_in_fact(
                record, fact, Names(registry_of(writer), list(writer.each(Alias)))
            )
    if field is not None:
        kind = "memory" if isinstance(record, Memory) else "fact"
        raise RecordProblem("id", f"{id} is already the id of a {kind} with another `{field}`")
