"""Intervals of facts, recomputed from all statements of a group whenever one changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from thalamus.memory.facts import history as fact_history
from thalamus.memory.facts.predicates import packaged, packaged_entries
from thalamus.policy import timeline
from thalamus.policy.predicates import PredicateEntry, Registry
from thalamus.policy.speakers import PROPOSED_TRUST
from thalamus.policy.timeline import Statement, moment
from thalamus.records import Fact, Predicate
from thalamus.store import facts
from thalamus.store.values import Change, FactGroup

if TYPE_CHECKING:
    from thalamus.policy.timeline import Interval
    from thalamus.store.reader import Reader
    from thalamus.store.values import FactState
    from thalamus.store.writer import Writer


def registry_of(reader: Reader | None) -> Registry:
    """All predicates; the user's own override the packaged ones, which are all there is without a
    store."""
    own = list(reader.each(Predicate)) if reader is not None else []
    return _together(tuple(map(_entry, own))) if own else packaged()


@lru_cache(maxsize=8)
def _together(own: tuple[PredicateEntry, ...]) -> Registry:
    return Registry([*packaged_entries(), *own])


def _entry(predicate: Predicate) -> PredicateEntry:
    return PredicateEntry(
        name=predicate.name,
        cardinality=predicate.cardinality,
        spellings=tuple(predicate.spellings),
        opposite=predicate.opposite,
        description=predicate.description,
        source="own",
    )


def group(
    registry: Registry, owner: str | None, entity: str, predicate: str, value: str
) -> FactGroup:
    """The group of a fact, whose facts exclude each other: all objects of a single-valued
    predicate, both predicates of a pair of opposites, or one object of any other predicate."""
    if registry.one_valued(predicate):
        return FactGroup(owner, entity, (predicate,), None)
    opposite = registry.opposite(predicate)
    pair = sorted({predicate, opposite} if opposite else {predicate})
    return FactGroup(owner, entity, tuple(pair), value)


def group_of(registry: Registry, state: FactState) -> FactGroup:
    """The group of a stored fact."""
    return group(registry, state.user, state.entity, state.predicate, state.value)


def groups_of(writer: Writer, ids: Iterable[str]) -> list[FactGroup]:
    """Groups of these facts, without duplicates. To resolve them after a deletion, call this before
    it."""
    registry = registry_of(writer)
    states = facts.states(writer, tuple(ids))
    return list(dict.fromkeys(group_of(registry, state) for state in states))


def statements(group: FactGroup, states: Sequence[FactState]) -> list[Statement]:
    """Statements of a group. Facts are identified by their keys, as text."""
    return [_statement(group, state) for state in states]


def _statement(group: FactGroup, state: FactState) -> Statement:
    notes = [(note.kind, note.at, (moment(note.recorded_at), n)) for n, note in state.notes]
    return Statement(
        fact=str(state.key),
        value=state.predicate if len(group.predicates) > 1 else state.value,
        stated_at=state.created_at,
        asserted=(moment(state.recorded_at), state.key),
        start=state.stated_from,
        end=state.stated_to,
        mentions=tuple(at for kind, at, _ in notes if kind == "mention"),
        since=tuple((at, when) for kind, at, when in notes if kind == "since"),
        ends=tuple((at, when) for kind, at, when in notes if kind == "end"),
    )


def _resolved(states: Sequence[FactState], known: Sequence[Statement]) -> dict[str, list[Interval]]:
    """Intervals of all facts of a group. What the user states is resolved by itself: a claim of
    another program ends nothing of it, but is ended by it."""
    intervals = timeline.resolve_intervals(known)
    own = [one for state, one in zip(states, known, strict=True) if state.trust > PROPOSED_TRUST]
    if len(own) < len(known):
        intervals |= timeline.resolve_intervals(own)
    return intervals


def resolve_group(writer: Writer, group: FactGroup) -> list[Change]:
    """Recomputes the intervals of a group; returns the facts whose intervals changed."""
    states = facts.states_of_group(writer, group)
    known = statements(group, states)
    intervals = _resolved(states, known)
    changes: list[Change] = []
    for state, statement in zip(states, known, strict=True):
        value = [i for s in known if s.value == statement.value for i in intervals[s.fact]]
        change = _believe(writer, state, statement, intervals[statement.fact], value)
        if change is not None:
            changes.append(change)
    return changes


def disbelieve(writer: Writer, state: FactState) -> Change:
    """Ends all beliefs in a fact; the caller resolves the facts that it excluded."""
    at = _after(writer.now, state)
    fact_history.change_beliefs(writer, state.key, state.intervals, [], at)
    writer.change(Fact, state.id, retired_at=at)
    return Change(state.id, state.intervals, [], True, _same_statement(state))


def _believe(
    writer: Writer,
    state: FactState,
    statement: Statement,
    intervals: list[Interval],
    value: list[Interval],
) -> Change | None:
    """Sets the intervals in which a fact is believed to hold from now on; None when they are
    unchanged."""
    before = state.intervals
    if before == intervals:
        return None
    ended = [interval for interval in before if interval not in intervals]
    new = [interval for interval in intervals if interval not in before]
    fact_history.change_beliefs(writer, state.key, ended, new, _after(writer.now, state))
    begin, end = timeline.hull(statement, intervals)
    writer.change(Fact, state.id, valid_from=begin, valid_to=end)
    return Change(state.id, before, intervals, timeline.lost(before, value), _same_statement(state))


def _same_statement(state: FactState) -> FactGroup:
    """All facts with the same statement."""
    return FactGroup(state.user, state.entity, (state.predicate,), state.value)


def _after(now: str, state: FactState) -> str:
    """End of a belief: now, but never before its beginning, in case the clock went back."""
    return max(now, state.believed_since, key=moment)
