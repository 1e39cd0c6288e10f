"""Facts: asserting, ending, retracting and correcting them, with the consequences for related
ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, json, structs

from thalamus.errors import UsageError
from thalamus.memory import entities, fact_history
from thalamus.memory.batches import keep, new_batch, note_created
from thalamus.memory.entities import Names, entity_key, entity_of, resolve, resolve_facts
from thalamus.memory.intervals import (
    FactGroup,
    disbelieve,
    group,
    group_of,
    groups_of,
    own_predicates,
    registry_of,
    statements,
)
from thalamus.memory.mark_stale import clear_marks, mark_dependents, update_marks
from thalamus.memory.personal import encrypted_ids
from thalamus.policy import timeline
from thalamus.policy.entities import fold
from thalamus.policy.staleness import ended_reason
from thalamus.policy.timeline import NoteKind, Repeat, Statement, moment
from thalamus.records import (
    Belief,
    Event,
    Fact,
    Link,
    Note,
    Predicate,
    Reflection,
    Turn,
    Verdict,
)
from thalamus.storage.protocol.encrypted import HIDDEN, is_hidden
from thalamus.storage.protocol.values import FactQuery
from thalamus.text.days import as_said
from thalamus.text.local_time import local_day

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.policy.predicates import Registry
    from thalamus.storage.protocol.values import Change, FactState, Vector
    from thalamus.storage.protocol.writer import Writer


CURRENT = {"retired_at": None}  # what a batch keeps of a fact that it retires


def registry(context: Context) -> Registry:
    """Predicates of the store, or the packaged ones without a store."""
    return registry_of(context.open_store(False))


def fact_text(fact: Fact) -> str:
    return f"{fact.subject} {fact.predicate} {fact.object}"


def assert_fact(
    fact: Fact, id: str, writer: Writer, vector: Vector | None, zone: tzinfo
) -> tuple[Fact, list[Verdict], list[Change]]:
    """Writes an asserted fact, under ``id`` if it is new, and resolves the intervals of its group.

    A known fact gets a note instead; an end without a beginning ends the known fact ("I no longer
    live there"). Returns the fact as it is stored, the verdicts, and the changed intervals.
    """
    text = fact_text(fact)
    plain = structs.replace(
        fact, embedding=UNSET, embedding_model=UNSET, replaces=UNSET, corrects=UNSET
    )
    names = entities.names(writer, fact.user)
    excluding = _group(fact, writer, names)
    states = writer.facts.states(structs.replace(excluding.query, retired=True))
    same = find(fact, writer) if fact.id else _same(fact, states)
    if same is not None:
        return structs.replace(plain, id=same), [_known(same, text)], []
    repeat = _repeated(fact, excluding, states) if fact.id is None else None
    if repeat is None:
        return _add_new(structs.replace(plain, id=id), excluding, writer, vector, names, zone)
    kept = structs.replace(plain, id=repeat.fact)
    changes = add_note(repeat.fact, repeat.kind, repeat.at, writer) if repeat.kind else []
    _note_precision([repeat.fact], repeat.at, fact, writer)
    if repeat.kind != "end":
        return kept, [_known(repeat.fact, text)], changes
    reason = f"held until {as_said(local_day(repeat.at, zone), repeat.at, fact.metadata)}"
    verdict = Verdict(
        decision="supersede", rule="ended", reason=reason, id=repeat.fact, content=text
    )
    return kept, [verdict], changes


def _add_new(
    fact: Fact,
    excluding: FactGroup,
    writer: Writer,
    vector: Vector | None,
    names: Names,
    zone: tzinfo,
) -> tuple[Fact, list[Verdict], list[Change]]:
    """Adds an unknown fact, with links to the facts that it ended."""
    id = fact.id or ""
    changes: list[Change] = []
    if fact.beliefs is not UNSET or fact.retired_at:
        add(fact, writer, vector, names)
    else:  # intervals are resolved below
        add(structs.replace(fact, beliefs=[]), writer, vector, names)
        moved = fact.subject_said is not UNSET  # in that case the group is that of another subject
        changes = resolve_facts(writer, [id]) if moved else resolve(writer, [excluding])
    text = fact_text(fact)
    verdict = Verdict(decision="add", rule="new", reason="new", id=id, content=text)
    ended = [change for change in changes if change.lost and change.id != id]
    for change in ended:
        writer.add(Link(source=id, relation="supersedes", target=change.id))
    _note_precision([change.id for change in ended], fact.valid_from, fact, writer)
    return fact, [verdict, *(_superseded(change, writer, zone) for change in ended)], changes


def _note_precision(ids: Sequence[str], at: str | None, source: Fact, writer: Writer) -> None:
    """Copies the precision of the source's dates to facts that begin or end at the same moment.
    Skips encrypted facts."""
    known = source.metadata.get("precision", {})
    if at is None or at not in known:
        return
    for id in set(ids) - set(encrypted_ids(writer, list(ids))):
        old = fact_history.with_id(writer, id)
        if old is not None:
            noted = {**old.metadata.get("precision", {}), at: known[at]}
            metadata = json.encode({**old.metadata, "precision": noted}).decode()
            writer.facts.update(id, metadata=metadata)


def forget_precision(ids: Iterable[str], writer: Writer) -> None:
    """Removes the precision of times at which these facts no longer begin or end. Skips encrypted
    facts."""
    wanted = list(ids)
    for id in set(wanted) - set(encrypted_ids(writer, wanted)):
        fact = fact_history.with_id(writer, id)
        known = fact.metadata.get("precision") if fact is not None else None
        if fact is None or not known:
            continue
        kept = {
            at: precision
            for at, precision in known.items()
            if at in (fact.valid_from, fact.valid_to)
        }
        if kept != known:
            rest = {name: value for name, value in fact.metadata.items() if name != "precision"}
            metadata = json.encode({**rest, "precision": kept} if kept else rest).decode()
            writer.facts.update(id, metadata=metadata)


def find(fact: Fact, writer: Writer) -> str | None:
    """Id of a stored fact with the same statement about the same time."""
    if fact.id:
        return fact.id if fact_history.is_stored(writer, fact.id) else None
    query = structs.replace(_group(fact, writer).query, retired=True)
    return _same(fact, writer.facts.states(query))


def _group(fact: Fact, writer: Writer, names: Names | None = None) -> FactGroup:
    """The group that an unstored fact would join."""
    key = entity_key(writer, fact.user, fact.subject, names)
    return group(registry_of(writer), fact.user, key, fact.predicate, fold(fact.object))


def _same(fact: Fact, states: Sequence[FactState]) -> str | None:
    """Id of the fact among these with the same statement about the same time."""
    value = fold(fact.object)
    dates = (fact.agent, fact.valid_from, fact.valid_to, fact.created_at, fact.retired_at)
    for s in states:
        same = (s.predicate, s.value) == (fact.predicate, value)
        if same and dates == (s.agent, s.stated_from, s.stated_to, s.created_at, s.retired_at):
            return s.id
    return None


def add(
    fact: Fact, writer: Writer, vector: Vector | None = None, names: Names | None = None
) -> None:
    """Adds a fact unchanged, with its history. Without beliefs it is believed to hold as stated
    since it was recorded. ``names``: its owner's aliases, if known."""
    subject = fact.subject if fact.subject_said is UNSET else fact.subject_said
    entity = entity_of(writer, fact.user, subject, names)
    beliefs = fact.beliefs
    if beliefs is UNSET:
        belief = Belief(
            valid_from=fact.valid_from or fact.created_at or "",
            valid_to=fact.valid_to,
            believed_from=fact.recorded_at or "",
            believed_to=fact.retired_at,
        )
        beliefs = [belief]
    whole = structs.replace(
        fact,
        subject=entity.name if fact.subject_said is UNSET else fact.subject,
        subject_said=subject,
        stated_from=fact.valid_from if fact.stated_from is UNSET else fact.stated_from,
        stated_to=fact.valid_to if fact.stated_to is UNSET else fact.stated_to,
        beliefs=beliefs,
    )
    if writer.add(whole, vector, entity=entity.key, value=fold(fact.object)):
        fact_history.add_history(writer, whole)


def retire(id: str, writer: Writer) -> list[Change] | None:
    """Retires a fact as never true: facts that it excluded are restored. None when it is retired
    already or missing."""
    states = writer.facts.states(FactQuery(ids=(id,)))
    if not states:
        return None
    excluded = group_of(registry_of(writer), states[0])
    return [disbelieve(writer, states[0]), *resolve(writer, [excluded])]


def resolve_imported(ids: Iterable[str], writer: Writer) -> list[Change]:
    """Resolves the groups of imported facts, which may exclude facts stored before."""
    wanted = set(ids)
    mixed = [
        group
        for group in groups_of(writer, sorted(wanted))
        if {state.id for state in writer.facts.states(group.query)} - wanted
    ]
    return resolve(writer, mixed)


def add_predicate(predicate: Predicate, writer: Writer) -> bool:
    """Adds a predicate from an export; False when it is defined like this already."""
    if structs.replace(predicate, source="own") in own_predicates(writer):
        return False
    _set_predicate(predicate, writer)
    return True


def _set_predicate(predicate: Predicate, writer: Writer) -> list[Change]:
    """Sets a predicate, renames facts that use one of its spellings, and resolves the groups
    concerned."""
    concerned = {predicate.name, predicate.opposite, registry_of(writer).opposite(predicate.name)}
    writer.put(structs.replace(predicate, source="own"))
    known = registry_of(writer)
    for name in writer.facts.predicates():
        if known.name(name) != name:
            concerned.add(known.name(name))
            writer.facts.update_where({"predicate": name}, predicate=known.name(name))
    groups: dict[FactGroup, None] = {}
    for name in sorted(filter(None, concerned)):
        for state in writer.facts.states(FactQuery(predicates=(name,))):
            groups[group_of(known, state)] = None
    return resolve(writer, groups)


def add_note(id: str, kind: NoteKind, at: str, writer: Writer) -> list[Change]:
    """Records that a fact was repeated or ended, and resolves its group."""
    states = writer.facts.states(FactQuery(ids=(id,), retired=True))
    note = Note(kind=kind, at=at, recorded_at=writer.now)
    if not states or not fact_history.add_note(writer, states[0].key, note):
        return []
    return resolve_facts(writer, [id])


def _repeated(fact: Fact, group: FactGroup, states: Sequence[FactState]) -> Repeat | None:
    """The known fact that this one repeats or ends."""
    states = [state for state in states if state.retired_at is None]
    known = statements(group, states)
    new = Statement(
        fact="",
        value=fact.predicate if len(group.predicates) > 1 else fold(fact.object),
        said=fact.created_at or "",
        start=fact.valid_from,
        end=fact.valid_to,
    )
    found = timeline.repeats(new, known, timeline.resolve_intervals(known))
    if found is None:
        return None
    [id] = [state.id for state in states if str(state.key) == found.fact]
    return Repeat(id, found.kind, found.at)


def _saying_same(id: str, writer: Writer) -> list[str]:
    """Ids of the facts with the same statement as this one, including itself."""
    for one in writer.facts.as_stored(id):
        same = FactQuery(
            user=one.user,
            entity=one.entity,
            predicates=(one.predicate,),
            value=one.value,
            retired=True,
        )
        return [state.id for state in writer.facts.states(same)]
    return []


def retract_corrected(fact: Fact, writer: Writer) -> tuple[Fact, list[Change]] | None:
    """Retires the fact of the same owner that this one corrects; None when it corrects none."""
    if fact.corrects is UNSET or not fact.corrects:
        return None
    old = fact_history.with_id(writer, fact.corrects)
    if old is None or old.retired_at is not None or old.user != fact.user:
        return None
    return old, retire(fact.corrects, writer) or []


def end_replaced(fact: Fact, kept: str, writer: Writer, context: Context) -> list[Verdict]:
    """Ends the fact that a new one replaces, at the beginning of the new one. Returns the verdicts
    on it and on its dependents."""
    if fact.replaces is UNSET or not fact.replaces or fact.replaces == kept:
        return []
    at = fact.valid_from or fact.created_at or writer.now
    period = as_said(local_day(at, context.zone), at, fact.metadata)
    verdicts = end_or_retract(fact.replaces, at, period, fact, writer, context)
    if verdicts:
        writer.add(Link(source=kept, relation="supersedes", target=fact.replaces))
    return verdicts


def end_or_retract(
    id: str,
    at: str,
    period: str,
    owner: Fact | Turn | Reflection,
    writer: Writer,
    context: Context,
) -> list[Verdict]:
    """Ends a fact of the same owner at the beginning of a ``period`` (a day, month or year); one
    that begins within it ends when the end was reported, one that begins later is retracted.
    Returns the verdicts on it and on its dependents; none when it had ended already."""
    old = fact_history.with_id(writer, id)
    if old is None or old.retired_at is not None or old.user != owner.user:
        return []
    if old.valid_to is not None and moment(old.valid_to) <= moment(at):
        return []
    beginning = old.valid_from or old.created_at or ""
    if local_day(beginning, context.zone).startswith(period):
        at = owner.created_at or writer.now
    if moment(beginning) >= moment(at):
        changes, name = retire(id, writer) or [], "fact_retracted"
        reason = "the user said otherwise"
        verdict = Verdict(decision="retract", rule="denied", reason=reason, id=id)
    else:
        changes, name = add_note(id, "end", at, writer), "fact_ended"
        reason = f"held until {local_day(at, context.zone)}"
        verdict = Verdict(decision="supersede", rule="ended", reason=reason, id=id)
    verdict = structs.replace(verdict, content=fact_text(old))
    return [verdict, *log_change(name, {"fact": id}, changes, writer, context)]


def log_correction(
    corrected: tuple[Fact, list[Change]], kept: Fact, writer: Writer, context: Context
) -> list[Verdict]:
    """Links a correction with the corrected fact, and records it in the ledger."""
    old, changes = corrected
    writer.add(Link(source=kept.id or "", relation="supersedes", target=old.id or ""))
    data = {"fact": old.id, "by": kept.id}
    verdict = Verdict(
        decision="retract",
        rule="corrected",
        reason="the user corrected it",
        id=old.id,
        content=fact_text(old),
    )
    return [verdict, *log_change("fact_corrected", data, changes, writer, context)]


def _known(id: str, text: str) -> Verdict:
    reason = "already known"
    return Verdict(decision="exists", rule="same_fact", reason=reason, id=id, content=text)


def _superseded(change: Change, writer: Writer, zone: tzinfo) -> Verdict:
    old = fact_history.with_id(writer, change.id)
    assert old is not None
    return Verdict(
        decision="supersede",
        rule="one_valued",
        reason=_held(old, change, zone),
        id=old.id,
        content=fact_text(old),
    )


def _held(old: Fact, change: Change, zone: tzinfo) -> str:
    if not change.after:
        return f"{old.predicate} has one value at a time; it no longer holds at any time"
    ends = [end for _, end in change.after if end]
    if len(change.after) > len(change.before):
        return f"{old.predicate} has one value at a time; it is interrupted"
    if not ends:  # another value held before it
        first = change.after[0][0]
        since = as_said(local_day(first, zone), first, old.metadata)
        return f"{old.predicate} has one value at a time; it holds since {since}"
    until = as_said(local_day(max(ends), zone), max(ends), old.metadata)
    return f"{old.predicate} has one value at a time; it held until {until}"


# -- by hand -------------------------------------------------------------------------------------


def end(id: str, at: str, context: Context) -> list[Change]:
    """Ends a fact. Raises ``UsageError`` when it began later."""

    def write(writer: Writer) -> list[Change]:
        fact = _fact(writer, id)
        if fact.retired_at is not None:
            raise UsageError(f"{id} is already retracted.")
        beginning = fact.valid_from or (None if fact.valid_to else fact.created_at)
        if beginning and moment(at) < moment(beginning):
            day, first = local_day(at, context.zone), local_day(beginning, context.zone)
            raise UsageError(
                f"invalid --at {day}: the fact began on {first}",
                fix=f"If it was never true, use `thalamus facts retract {id}`.",
            )
        known = fact_history.note_recorded_at(writer, id, "end", at)
        data["batch"] = new_batch("end", writer, context.clock, id)
        keep(writer, id, {"note": "end", "at": at, "known": known}, data["batch"])
        return add_note(id, "end", at, writer)

    data: dict[str, Any] = {"fact": id}
    return _by_hand("fact_ended", data, write, context)


def retract(id: str, reason: str | None, context: Context) -> list[Change]:
    """Retracts a fact that never was true. Raises ``UsageError`` when it is retracted already, or
    is not a fact."""

    def write(writer: Writer) -> list[Change]:
        _fact(writer, id)
        changes = retire(id, writer)
        if changes is None:
            raise UsageError(f"{id} is already retracted.")
        data["batch"] = new_batch("retract", writer, context.clock, id)
        keep(writer, id, CURRENT, data["batch"])
        return changes

    data: dict[str, Any] = {"fact": id, "reason": reason}
    return _by_hand("fact_retracted", data, write, context)


def correct(
    id: str,
    context: Context,
    *,
    object: str | None = None,
    begin: str | None = None,
    until: str | None = None,
    reason: str | None = None,
) -> tuple[Fact, list[Change]]:
    """Retires a wrong fact, and adds one with another object or other dates in its place, as if
    that had been stated. Returns the new fact."""
    corrections: list[Fact] = []
    vector = _vector_of_correction(id, object, context)

    def write(writer: Writer) -> list[Change]:
        old = _fact(writer, id)
        if old.retired_at is not None:
            raise UsageError(f"{id} is already retracted.")
        if is_hidden(old):
            fix = f"Retract it (`thalamus facts retract {id}`) and add the correct one."
            raise UsageError("The fact is encrypted, and its key is missing.", fix=fix)
        new = _corrected(old, object, begin, until, context)
        if _statement_of(new) == _statement_of(old):
            raise UsageError(f"{id} already has these values.", fix="Nothing was changed.")
        new = structs.replace(new, id=context.clock.new_id("fact", id, object, begin, until))
        data["by"] = new.id
        data["batch"] = new_batch("correct", writer, context.clock, id)
        keep(writer, id, CURRENT, data["batch"])
        note_created(writer, new.id or "", data["batch"])
        changes = retire(id, writer) or []
        add(new, writer, vector)
        writer.add(Link(source=new.id or "", relation="supersedes", target=id))
        changes += resolve_facts(writer, [new.id or ""])
        corrections.append(new)
        return changes

    data: dict[str, Any] = {"fact": id, "reason": reason}
    changes = _by_hand("fact_corrected", data, write, context)
    return corrections[0], changes


def _vector_of_correction(id: str, object: str | None, context: Context) -> Vector | None:
    """Embedding of the corrected fact, computed before the transaction begins; None when there is
    no such fact, or the embedder fails."""
    from thalamus.memory.draft import Draft
    from thalamus.memory.embeddings import embed

    store = context.open_store(False)
    old = store.get(id) if store is not None else None
    if store is None or not isinstance(old, Fact) or is_hidden(old):
        return None
    draft = Draft(structs.replace(old, object=object or old.object))
    problem = embed([draft], context)
    if problem is not None:
        context.failed("correct: embedding", problem)
    return draft.vector


def _statement_of(fact: Fact) -> tuple[object, ...]:
    """The statement of a fact, without the time at which it was recorded."""
    notes = [] if fact.notes is UNSET else [(note.kind, moment(note.at)) for note in fact.notes]
    stated = (fact.stated_from, fact.stated_to)
    dates = [moment(at) if isinstance(at, str) else None for at in stated]
    return fact.object, *dates, sorted(notes)


def _corrected(
    old: Fact, object: str | None, begin: str | None, until: str | None, context: Context
) -> Fact:
    assert old.notes is not UNSET
    notes = old.notes if begin is None else [n for n in old.notes if moment(n.at) >= moment(begin)]
    bounded = bool(old.stated_to) and old.stated_to is not UNSET
    stated_to = old.stated_to
    now = context.clock.stamp()
    if until is not None:
        notes = [note for note in notes if note.kind != "end"]
        if bounded:
            stated_to = until
        else:
            notes = [*notes, Note(kind="end", at=until, recorded_at=now)]
    stated_from = begin or old.stated_from
    start = stated_from or None if stated_from is not UNSET else None
    if start and until and moment(until) <= moment(start):
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


def merge(name: str, into: str, context: Context) -> list[Change]:
    """Merges the entity ``name`` into ``into``."""
    owner = context.config.user or None
    return _by_hand(
        "entities_merged",
        {},
        lambda writer: entities.merge(writer, name, into, owner),
        context,
        create=True,
    )


def unmerge(name: str, context: Context) -> list[Change]:
    """Separates a merged name. Raises ``UsageError`` when it is not merged."""

    def write(writer: Writer) -> list[Change]:
        changes = entities.unmerge(writer, name, context.config.user or None)
        if changes is None:
            raise UsageError(
                f"{name!r} is not merged.", fix="`thalamus facts entities` lists merged names."
            )
        return changes

    return _by_hand("entities_unmerged", {}, write, context)


def set_predicate(predicate: Predicate, context: Context) -> list[Change]:
    """Defines a predicate, and resolves the intervals that it affects."""
    return _by_hand(
        "predicate_set",
        {"predicate": predicate.name},
        lambda writer: _set_predicate(predicate, writer),
        context,
        create=True,
    )


def _by_hand(
    name: str,
    data: dict[str, Any],
    write: Callable[[Writer], list[Change]],
    context: Context,
    create: bool = False,
) -> list[Change]:
    """Runs a change in one transaction, with a ledger entry that has ids but no content."""
    store = context.create_store() if create else context.store
    with store.writing() as writer:
        changes = write(writer)
        log_change(name, data, changes, writer, context)
    return changes


def log_change(
    name: str,
    data: dict[str, Any],
    changes: Sequence[Change],
    writer: Writer,
    context: Context,
) -> list[Verdict]:
    """Adds a ledger entry about facts: their ids, and the reason if there is one. Marks dependents
    of facts that no longer hold; returns a verdict for each mark."""
    now = context.clock.stamp()
    known = {key: value for key, value in data.items() if value is not None}
    known["changed"] = [change.id for change in changes]
    writer.add_event(Event(name=name, at=now, data=known))
    return propagate(changes, writer, now, context.zone)


def propagate(changes: Sequence[Change], writer: Writer, now: str, zone: tzinfo) -> list[Verdict]:
    """Marks dependents of facts that no longer hold, and clears the marks of those that hold again.
    Returns a verdict for each mark. ``zone``: the user's time zone, for dates in the marks."""
    return [verdict for change in changes for verdict in _follow(change, writer, now, zone)]


def _follow(change: Change, writer: Writer, now: str, zone: tzinfo) -> list[Verdict]:
    """Marks the dependents of a fact that does not hold now; clears the marks when it does."""
    ids = _saying_same(change.id, writer)
    if timeline.holds(change.after, now):
        for id in ids:
            clear_marks(writer, id)
        return []
    found = (fact_history.with_id(writer, id) for id in ids)
    same = [fact for fact in found if fact is not None]
    if any(_holds(fact, now) for fact in same):
        return []
    ends = [end for _, end in change.after if end is not None]
    end = max(ends, key=moment, default=None)
    if not change.lost:  # only the end moved
        for fact in same:
            update_marks(writer, fact.id or "", _reason(fact, end, writer, zone))
        return []
    return [verdict for fact in same for verdict in _mark(fact, end, writer, zone)]


def _holds(fact: Fact, now: str) -> bool:
    interval = (fact.valid_from or timeline.BEGINNING, fact.valid_to)
    return fact.retired_at is None and timeline.holds([interval], now)


def mark_if_over(asserted: Fact, writer: Writer, now: str, zone: tzinfo) -> list[Verdict]:
    """Marks the dependents of a fact that was asserted as current, when earlier records show that
    it had ended by then."""
    fact = fact_history.with_id(writer, asserted.id or "") if asserted.valid_to is None else None
    if fact is None or fact.valid_to is None or moment(fact.valid_to) > moment(now):
        return []
    return _mark(fact, fact.valid_to, writer, zone)


def _mark(fact: Fact, end: str | None, writer: Writer, zone: tzinfo) -> list[Verdict]:
    """Marks the dependents of a fact that is over, unless its correction contains it and more."""
    if fact.retired_at and fact_history.extended(writer, {fact.id or "": fact.object}):
        return []
    return mark_dependents(writer, [fact.id or ""], _reason(fact, end, writer, zone))


def _reason(fact: Fact, end: str | None, writer: Writer, zone: tzinfo) -> str:
    encrypted = encrypted_ids(writer, [fact.id or ""])  # marks are plain text
    return ended_reason(structs.replace(fact, object=HIDDEN) if encrypted else fact, end, zone)


def _fact(writer: Writer, id: str) -> Fact:
    fact = fact_history.whole(writer, id)
    if fact is None:
        raise UsageError(f"{id} is not a fact.", fix=f"`thalamus why {id}` shows what it is.")
    return fact
