"""Views of concepts: a list, the details of one, and merging and splitting by hand."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from shlex import quote
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.errors import NothingFound, UsageError
from thalamus.memory.concepts.derivation import as_record, concept_id
from thalamus.memory.facts import by_hand as facts
from thalamus.memory.facts.entities import entity_key, names
from thalamus.policy.concepts import concept_key
from thalamus.policy.entities import USER, key_of
from thalamus.records import Alias, Fact
from thalamus.records.concepts import (
    Concept,
    ConceptDetails,
    ConceptEntry,
    ConceptKind,
    RelatedConcept,
)
from thalamus.store import concepts, records
from thalamus.store import facts as fact_rows
from thalamus.store.values import Filter

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.concepts import ConceptRow
    from thalamus.store.reader import Reader
    from thalamus.turn_run import TurnRun

ENTRIES = 20  # entries about a concept that are shown
RELATED = 10
PREFIX = "con_"
LEAST = 3  # characters after the prefix that select a concept


class Scope(Struct, frozen=True):
    """Owners whose concepts are included: one user and shared ones; without a user, everyone's."""

    user: str | None

    @property
    def owners(self) -> tuple[str, ...] | None:
        return ("", self.user) if self.user else None


def list_concepts(
    store: Store,
    scope: Scope,
    kind: ConceptKind | None = None,
    since: str | None = None,
    until: str | None = None,
    limit: int | None = None,
) -> list[Concept]:
    """Concepts, those with the most entries first; optionally of one ``kind``, or seen from
    ``since`` to before ``until``."""
    return list_of(store, concepts.read(store, scope.owners, kind, since, until, limit))


def find_rows(store: Store, typed: str, scope: Scope) -> list[ConceptRow]:
    """Rows of the concept with this name, a name merged into it, or this id or id prefix: one for
    each owner, the one with the most entries first. Raises ``NothingFound`` with similar names,
    ``UsageError`` when an id prefix is ambiguous."""
    rows = concepts.read(store, scope.owners)
    if typed.startswith(PREFIX) and len(typed) >= len(PREFIX) + LEAST:
        found = [row for row in rows if concept_id(row.owner, row.key).startswith(typed)]
        if len(found) > 1:
            ids = ", ".join(concept_id(row.owner, row.key) for row in found)
            raise UsageError(f"Ambiguous id {typed!r}: {ids}.", fix="Give a longer prefix.")
    else:
        keys = keys_of(store, typed, scope)
        found = [row for row in rows if row.key in keys]
    if not found:
        similar = get_close_matches(concept_key(typed), [row.key for row in rows], 3)
        fix = (
            f"The nearest: {', '.join(similar)}." if similar else "`thalamus concepts` lists them."
        )
        raise NothingFound(f"the concept {typed!r}", fix=fix)
    return found


def keys_of(reader: Reader, typed: str, scope: Scope) -> set[str]:
    """Keys that a name may be compared by, including that of the concept it was merged into."""
    merged_key = entity_key(reader, scope.user, typed)
    known = names(reader, scope.user)
    targets = {concept_key(a.target) for a in known.values() if _means(a, typed)}
    return targets or {concept_key(typed), key_of(typed), merged_key, concept_key(merged_key)}


def details(store: Store, typed: str, scope: Scope, now: str) -> ConceptDetails:
    """A concept with its entries. Raises as ``find_rows``."""
    rows = find_rows(store, typed, scope)
    numbers = [row.n for row in rows]
    seen = concepts.last_seen(store, numbers)
    newest = max(seen.values(), default=None)
    whole = rows[0]._replace(seen=sum(row.seen for row in rows))
    ids = _ids(store, concepts.entries(store, numbers))
    where = Filter(ids=tuple(ids[:400]), user=scope.user, now=now)
    entries = store.entries(where, ENTRIES) if ids else []
    facts = [fact for fact in fact_rows.read(store, where) if fact.id] if ids else []
    return ConceptDetails(
        concept=as_record(whole, newest, _other_names(whole, list(store.each(Alias)))),
        entries=[ConceptEntry(id=e.id, kind=e.kind, text=e.text, at=e.created_at) for e in entries],
        related=related(store, rows, RELATED),
        facts=_by_time(facts),
    )


def related(store: Store, rows: Sequence[ConceptRow], limit: int) -> list[RelatedConcept]:
    """The concepts that share the most entries with these."""
    shared: dict[int, int] = {}
    for _, other, count in concepts.together(store, [row.n for row in rows], limit):
        shared[other] = shared.get(other, 0) + count
    named = concepts.by_number(store, shared)
    best = sorted(shared, key=lambda n: (-shared[n], named[n].key))[:limit]
    return [
        RelatedConcept(
            id=concept_id(named[n].owner, named[n].key), name=named[n].name, shared=shared[n]
        )
        for n in best
    ]


def merge(name: str, into: str, run: TurnRun) -> Concept:
    """Merges the concept ``name`` into ``into``, and the entity of that name as well. Raises
    ``NothingFound`` when there is no such concept, ``UsageError`` when they are the same already,
    ``name`` was merged before, or ``into`` is the user."""
    store = run.engine.store
    scope = Scope(run.engine.config.user or None)
    merged = find_rows(store, name, scope)[0]
    if key_of(into) == USER:
        raise UsageError(
            "The user is no concept.",
            fix=f"`thalamus facts merge {quote(name)} user` makes it a name of yours.",
        )
    try:
        target = find_rows(store, into, scope)[0].name
    except NothingFound:
        if into.startswith(PREFIX) or not into.strip():
            raise
        target = into
    if concept_key(target) == merged.key:
        raise UsageError(
            f"{name!r} and {into!r} are the same concept already.",
            fix="`thalamus concepts show` shows its other names.",
        )
    if key_of(name) in names(store, scope.user):
        raise UsageError(
            f"{name!r} means {merged.name!r} already.",
            fix=f"Merge that, or `thalamus concepts split {quote(name)}` separates them first.",
        )
    facts.merge(merged.name, target, run)
    return list_of(store, find_rows(store, target, scope)[:1])[0]


def split(name: str, run: TurnRun) -> Concept | None:
    """Makes ``name`` a separate concept again; None when it has no entries. Raises ``UsageError``
    when it was not merged."""
    store = run.engine.store
    scope = Scope(run.engine.config.user or None)
    known = names(store, scope.user)
    spelt = next((a.name for a in known.values() if _means(a, name)), name)
    facts.unmerge(spelt, run)
    try:
        return list_of(store, find_rows(store, spelt, scope)[:1])[0]
    except NothingFound:
        return None


def list_of(store: Store, rows: Sequence[ConceptRow]) -> list[Concept]:
    """Converts rows to records."""
    seen = concepts.last_seen(store, [row.n for row in rows])
    merged = list(store.each(Alias))
    return [as_record(row, seen.get(row.n), _other_names(row, merged)) for row in rows]


def _means(alias: Alias, name: str) -> bool:
    return key_of(alias.name) == key_of(name) or concept_key(alias.name) == concept_key(name)


def _other_names(row: ConceptRow, merged: Sequence[Alias]) -> list[str]:
    """Names that were merged into a concept."""
    return [
        alias.name
        for alias in merged
        if alias.reason == "hand"
        and (alias.user or "") in ("", row.owner)
        and row.key in (concept_key(alias.target), key_of(alias.target))
    ]


def _ids(store: Store, keys: Sequence[int]) -> list[str]:
    """Ids of the entries with these keys, newest first."""
    from thalamus.records.kinds import numbered

    ids: dict[int, str] = {}
    for kind in numbered():
        ids |= records.ids_by_key(store, kind.record, keys)
    return [ids[key] for key in sorted(ids, reverse=True)]


def _by_time(facts: Sequence[Fact]) -> list[Fact]:
    return sorted(
        facts, key=lambda fact: (fact.valid_from or fact.created_at or "", fact.stored_id)
    )
