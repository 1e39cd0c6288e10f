"""Facts: asserting, ending and retracting them as statements say, and resolving their intervals.

``decide`` and ``decide_end`` only read; what they return is then written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, json, structs

from thalamus.memory.facts import entities
from thalamus.memory.facts import history as fact_history
from thalamus.memory.facts.entities import Names, entity_key, entity_of, resolve, resolve_facts
from thalamus.memory.facts.intervals import (
    disbelieve,
    group,
    group_of,
    groups_of,
    registry_of,
    statements,
)
from thalamus.memory.facts.propagation import log_change
from thalamus.policy import timeline
from thalamus.policy.speakers import PROPOSED_TRUST, outranks
from thalamus.policy.timeline import NoteKind, Repeat, Statement, moment
from thalamus.records import (
    Belief,
    Fact,
    Link,
    Note,
    Predicate,
    Reflection,
    Turn,
    Verdict,
)
from thalamus.store import facts
from thalamus.store.encryption import contents
from thalamus.text.analyzer import fold
from thalamus.text.days import as_said, last_day
from thalamus.text.local_time import local_day

if TYPE_CHECKING:
    from thalamus.policy.predicates import Registry
    from thalamus.store.reader import Reader
    from thalamus.store.values import Change, FactGroup, FactState, Vector
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun


def registry(run: TurnRun) -> Registry:
    """Predicates of the store, read once in a turn; the packaged ones without a store."""

    def read() -> Registry:
        return registry_of(run.engine.open_store(False))

    return read() if run.turn is None else run.once("predicates", read)


def fact_text(fact: Fact) -> str:
    return f"{fact.subject} {fact.predicate} {fact.object}"


class New(Struct, frozen=True):
    """A fact that is not known: it is added, and the intervals of its group are resolved."""

    group: FactGroup
    names: Names


class Known(Struct, frozen=True):
    """A fact that is stored under ``id``."""

    id: str


class Noted(Struct, frozen=True):
    """A fact that repeats a stored one, or ends it: a note is added to that, if it says more."""

    id: str
    key: int
    repeat: Repeat
    group: FactGroup


def decide(fact: Fact, reader: Reader, predicates: Registry | None = None) -> New | Known | Noted:
    """Change that an asserted fact makes. An end without a beginning ends the known fact ("I no
    longer live there"). ``predicates``: those of the store, if they were read in this unit of
    work."""
    names = entities.names(reader, fact.user)
    excluding = _group(fact, reader, names, predicates)
    states = facts.states_of_group(reader, excluding, retired=True)
    same = find(fact, reader) if fact.id else _same(fact, states)
    if same is not None:
        return Known(same)
    repeat = _repeated(fact, excluding, states) if fact.id is None else None
    if repeat is None:
        return New(excluding, names)
    [key] = [state.key for state in states if state.id == repeat.fact]
    return Noted(repeat.fact, key, repeat, excluding)


def assert_fact(
    fact: Fact,
    id: str,
    writer: Writer,
    vector: Vector | None,
    zone: tzinfo,
    predicates: Registry | None = None,
) -> tuple[Fact, list[Verdict], list[Change]]:
    """Writes an asserted fact as it is decided, under ``id`` if it is new. Returns it as it is
    stored, the verdicts, and the changed intervals. ``predicates``: see ``decide``."""
    plain = structs.replace(
        fact, embedding=UNSET, embedding_model=UNSET, replaces=UNSET, corrects=UNSET
    )
    change = decide(fact, writer, predicates)
    if isinstance(change, New):
        return _add_new(structs.replace(plain, id=id), change, writer, vector, zone)
    kept = structs.replace(plain, id=change.id)
    if isinstance(change, Known):
        return kept, [_known(change.id, fact_text(fact))], []
    return kept, *_add_note_of(fact, change, writer, zone)


def _add_note_of(
    fact: Fact, change: Noted, writer: Writer, zone: tzinfo
) -> tuple[list[Verdict], list[Change]]:
    """Adds a note to a stored fact that ``fact`` repeats or ends."""
    kind, at, text = change.repeat.kind, change.repeat.at, fact_text(fact)
    changes: list[Change] = []
    if kind:
        note = Note(kind=kind, at=at, recorded_at=writer.now)
        if fact_history.add_note(writer, change.key, note):
            changes = resolve(writer, [change.group])
    _note_precision([change.id], at, fact, writer)
    if kind != "end":
        return [_known(change.id, text)], changes
    reason = f"held until {last_day(at, fact.metadata, zone)}"
    verdict = Verdict(decision="supersede", rule="ended", reason=reason, id=change.id, content=text)
    return [verdict], changes


def _add_new(
    fact: Fact, new: New, writer: Writer, vector: Vector | None, zone: tzinfo
) -> tuple[Fact, list[Verdict], list[Change]]:
    """Adds an unknown fact, with links to the facts that it ended."""
    id = fact.stored_id
    changes: list[Change] = []
    if fact.beliefs is not UNSET or fact.retired_at:
        add(fact, writer, vector, new.names, new=True)
    else:  # intervals are resolved below
        add(structs.replace(fact, beliefs=[]), writer, vector, new.names, new=True)
        moved = fact.subject_said is not UNSET  # in that case the group is that of another subject
        changes = resolve_facts(writer, [id]) if moved else resolve(writer, [new.group])
    verdict = Verdict(decision="add", rule="new", reason="new", id=id, content=fact_text(fact))
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
    for id in set(ids) - contents.ids(writer, ids):
        old = fact_history.with_id(writer, id)
        if old is not None:
            noted = {**old.metadata.get("precision", {}), at: known[at]}
            metadata = json.encode({**old.metadata, "precision": noted}).decode()
            writer.change(Fact, id, metadata=metadata)


def forget_precision(ids: Iterable[str], writer: Writer) -> None:
    """Removes the precision of times at which these facts no longer begin or end. Skips encrypted
    facts."""
    wanted = list(ids)
    for id in set(wanted) - contents.ids(writer, wanted):
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
            writer.change(Fact, id, metadata=metadata)


def find(fact: Fact, reader: Reader) -> str | None:
    """Id of a stored fact with the same statement about the same time."""
    if fact.id:
        return fact.id if fact_history.is_stored(reader, fact.id) else None
    return _same(fact, facts.states_of_group(reader, _group(fact, reader), retired=True))


def _group(
    fact: Fact, reader: Reader, names: Names | None = None, predicates: Registry | None = None
) -> FactGroup:
    """The group that an unstored fact would join."""
    key = entity_key(reader, fact.user, fact.subject, names)
    known = predicates or registry_of(reader)
    return group(known, fact.user, key, fact.predicate, fold(fact.object))


def _same(fact: Fact, states: Sequence[FactState]) -> str | None:
    """Id of the fact among these with the same statement about the same time."""
    value = fold(fact.object)
    dates = (fact.agent, fact.valid_from, fact.valid_to, fact.created_at, fact.retired_at)
    for s in states:
        same = (s.predicate, s.value) == (fact.predicate, value)
        if outranks(fact.trust, s.trust):
            continue
        if same and dates == (s.agent, s.stated_from, s.stated_to, s.created_at, s.retired_at):
            return s.id
    return None


def add(
    fact: Fact,
    writer: Writer,
    vector: Vector | None = None,
    names: Names | None = None,
    *,
    new: bool = False,
) -> None:
    """Adds a fact unchanged, with its history. Without beliefs it is believed to hold as stated
    since it was recorded. ``names``: its owner's aliases, if known; ``new``: none has its id."""
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
    if writer.add(whole, vector, new=new, entity=entity.key, value=fold(fact.object)):
        fact_history.add_history(writer, whole)


def retire(id: str, writer: Writer) -> list[Change] | None:
    """Retires a fact as never true: facts that it excluded are restored. None when it is retired
    already or missing."""
    states = facts.states(writer, [id])
    if not states or states[0].retired_at is not None:
        return None
    excluded = group_of(registry_of(writer), states[0])
    return [disbelieve(writer, states[0]), *resolve(writer, [excluded])]


def resolve_imported(ids: Iterable[str], writer: Writer) -> list[Change]:
    """Resolves the groups of imported facts, which may exclude facts stored before."""
    wanted = set(ids)
    mixed = [
        group
        for group in groups_of(writer, sorted(wanted))
        if {state.id for state in facts.states_of_group(writer, group)} - wanted
    ]
    return resolve(writer, mixed)


def add_predicate(predicate: Predicate, writer: Writer) -> bool:
    """Adds a predicate from an export; False when it is defined like this already."""
    if structs.replace(predicate, source="own") in list(writer.each(Predicate)):
        return False
    put_predicate(predicate, writer)
    return True


def put_predicate(predicate: Predicate, writer: Writer) -> list[Change]:
    """Sets a predicate, renames facts that use one of its spellings, and resolves the groups
    concerned."""
    concerned = {predicate.name, predicate.opposite, registry_of(writer).opposite(predicate.name)}
    writer.put(structs.replace(predicate, source="own"))
    known = registry_of(writer)
    for name in facts.predicates(writer):
        if known.name(name) != name:
            concerned.add(known.name(name))
            facts.rename_predicate(writer, name, known.name(name))
    groups: dict[FactGroup, None] = {}
    for name in sorted(filter(None, concerned)):
        for state in facts.states_with_predicate(writer, name):
            groups[group_of(known, state)] = None
    return resolve(writer, groups)


def add_note(id: str, kind: NoteKind, at: str, writer: Writer) -> list[Change]:
    """Records that a fact was repeated or ended, and resolves its group."""
    states = facts.states(writer, [id])
    note = Note(kind=kind, at=at, recorded_at=writer.now)
    if not states or not fact_history.add_note(writer, states[0].key, note):
        return []
    return resolve_facts(writer, [id])


def _repeated(fact: Fact, group: FactGroup, states: Sequence[FactState]) -> Repeat | None:
    """The known fact that this one repeats or ends: a claim of another program only concerns what
    another program said, and the user's own words what the user said."""
    claimed = fact.trust <= PROPOSED_TRUST
    states = [
        state
        for state in states
        if state.retired_at is None and (state.trust <= PROPOSED_TRUST) == claimed
    ]
    known = statements(group, states)
    new = Statement(
        fact="",
        value=fact.predicate if len(group.predicates) > 1 else fold(fact.object),
        stated_at=fact.created_at or "",
        start=fact.valid_from,
        end=fact.valid_to,
    )
    found = timeline.repeats(new, known, timeline.resolve_intervals(known))
    if found is None:
        return None
    [id] = [state.id for state in states if str(state.key) == found.fact]
    return Repeat(id, found.kind, found.at)


def retract_corrected(fact: Fact, writer: Writer) -> tuple[Fact, list[Change]] | None:
    """Retires the fact of the same owner that this one corrects; None when it corrects none."""
    if fact.corrects is UNSET or not fact.corrects:
        return None
    old = fact_history.with_id(writer, fact.corrects)
    if old is None or old.retired_at is not None or old.user != fact.user:
        return None
    if outranks(old.trust, fact.trust):
        return None
    return old, retire(fact.corrects, writer) or []


def end_replaced(fact: Fact, kept: str, writer: Writer, run: TurnRun) -> list[Verdict]:
    """Ends the fact that a new one replaces, at the beginning of the new one. Returns the verdicts
    on it and on its dependents."""
    if fact.replaces is UNSET or not fact.replaces or fact.replaces == kept:
        return []
    old = fact_history.with_id(writer, fact.replaces)
    if old is not None and outranks(old.trust, fact.trust):
        return []
    at = fact.valid_from or fact.created_at or writer.now
    period = as_said(local_day(at, run.zone), at, fact.metadata)
    verdicts = end_or_retract(fact.replaces, at, period, fact, writer, run)
    if verdicts:
        writer.add(Link(source=kept, relation="supersedes", target=fact.replaces))
    return verdicts


class Ending(Struct, frozen=True):
    """End of a stored fact: at a moment, or (None) it never held."""

    fact: Fact
    at: str | None


def decide_end(
    id: str, at: str, period: str, owner: Fact | Turn | Reflection, reader: Reader, run: TurnRun
) -> Ending | None:
    """End of a fact of the same owner at the beginning of a ``period`` (a day, month or year); one
    that begins within it ends when the end was reported, one that begins later never held. None
    when it had ended already."""
    old = fact_history.with_id(reader, id)
    if old is None or old.retired_at is not None or old.user != owner.user:
        return None
    if old.valid_to is not None and moment(old.valid_to) <= moment(at):
        return None
    beginning = old.valid_from or old.created_at or ""
    if local_day(beginning, run.zone).startswith(period):
        at = owner.created_at or run.engine.clock.stamp()
    return Ending(old, None if moment(beginning) >= moment(at) else at)


def end_or_retract(
    id: str,
    at: str,
    period: str,
    owner: Fact | Turn | Reflection,
    writer: Writer,
    run: TurnRun,
) -> list[Verdict]:
    """Ends or retracts a fact as ``decide_end`` says. Returns the verdicts on it and on its
    dependents; none when it had ended already."""
    ending = decide_end(id, at, period, owner, writer, run)
    if ending is None:
        return []
    text = fact_text(ending.fact)
    if ending.at is None:
        changes, name = retire(id, writer) or [], "fact_retracted"
        reason = "the user said otherwise"
        verdict = Verdict(decision="retract", rule="denied", reason=reason, id=id, content=text)
    else:
        changes, name = add_note(id, "end", ending.at, writer), "fact_ended"
        reason = f"held until {last_day(ending.at, {}, run.zone)}"
        verdict = Verdict(decision="supersede", rule="ended", reason=reason, id=id, content=text)
    return [verdict, *log_change(name, {"fact": id}, changes, writer, run)]


def log_correction(
    corrected: tuple[Fact, list[Change]], kept: Fact, writer: Writer, run: TurnRun
) -> list[Verdict]:
    """Links a correction with the corrected fact, and records it in the ledger."""
    old, changes = corrected
    writer.add(Link(source=kept.stored_id, relation="supersedes", target=old.stored_id))
    data = {"fact": old.id, "by": kept.id}
    verdict = Verdict(
        decision="retract",
        rule="corrected",
        reason="the user corrected it",
        id=old.id,
        content=fact_text(old),
    )
    return [verdict, *log_change("fact_corrected", data, changes, writer, run)]


def _known(id: str, text: str) -> Verdict:
    reason = "already known"
    return Verdict(decision="exists", rule="same_fact", reason=reason, id=id, content=text)


def _superseded(change: Change, writer: Writer, zone: tzinfo) -> Verdict:
    old = fact_history.with_id(writer, change.id)
    assert old is not None
    return Verdict(
        decision="supersede",
        rule="one_valued",
        reason=_interval_reason(old, change, zone),
        id=old.id,
        content=fact_text(old),
    )


def _interval_reason(old: Fact, change: Change, zone: tzinfo) -> str:
    if not change.after:
        return f"{old.predicate} has one value at a time; it no longer holds at any time"
    ends = [end for _, end in change.after if end]
    if len(change.after) > len(change.before):
        return f"{old.predicate} has one value at a time; it is interrupted"
    if not ends:  # another value held before it
        first = change.after[0][0]
        since = as_said(local_day(first, zone), first, old.metadata)
        return f"{old.predicate} has one value at a time; it holds since {since}"
    until = last_day(max(ends), old.metadata, zone)
    return f"{old.predicate} has one value at a time; it held until {until}"
