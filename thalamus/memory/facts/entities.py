"""Entities: resolution of subject names, the user's own names, and names merged by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET, structs

from thalamus.memory.facts.intervals import (
    group_of,
    groups_of,
    registry_of,
    resolve_group,
)
from thalamus.policy.concepts import concept_key
from thalamus.policy.entities import USER, canonical, key_of, subject_name
from thalamus.records import Alias, Fact
from thalamus.store import aliases, concepts, facts, records
from thalamus.store.values import FactGroup
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from thalamus.store.base import Store
    from thalamus.store.reader import Reader
    from thalamus.store.values import Change, FactState
    from thalamus.store.writer import Writer


Names = Mapping[str, Alias]  # aliases that apply to an owner, by key


class Entity(NamedTuple):
    """A resolved name: the ``key`` by which it is compared, and the ``name`` that is shown."""

    key: str
    name: str


def entity_of(
    reader: Reader, owner: str | None, subject: str, known: Names | None = None
) -> Entity:
    """Resolves a subject: the name that it was merged into, else its first spelling. ``known``: the
    owner's names, if read already."""
    known = names(reader, owner) if known is None else known
    key = entity_key(reader, owner, subject, known)
    if key == USER:
        return Entity(key, USER)
    for name, alias in known.items():
        if key_of(alias.target) == key != name:
            return Entity(key, alias.target)
    return Entity(key, facts.first_subject(reader, key, owner) or subject_name(subject))


def entity_key(reader: Reader, owner: str | None, subject: str, known: Names | None = None) -> str:
    """The key of a resolved subject."""
    known = names(reader, owner) if known is None else known
    return canonical(key_of(subject), {key: key_of(alias.target) for key, alias in known.items()})


def same_entity(reader: Reader | None, owner: str | None, name: str, other: str) -> bool:
    """True when two names denote the same entity for an owner; without a store only their spelling
    is compared."""
    if reader is None:
        return key_of(name) == key_of(other)
    return entity_key(reader, owner, name) == entity_key(reader, owner, other)


def names(reader: Reader, owner: str | None) -> Names:
    """Aliases that apply to an owner, by key; the owner's own override shared ones."""
    return {key_of(a.name): a for a in aliases.reaching(reader, owner) if counts(a, owner)}


def counts(alias: Alias, owner: str | None) -> bool:
    """True when an alias applies to an owner: one user's names denote nobody else."""
    return alias.user == owner or (alias.user is None and alias.reason != "name")


def entities(reader: Reader, owner: str | None) -> list[tuple[str, str | None, int]]:
    """(name, owner, number of facts) of every subject of facts: the owner's and shared ones, or
    all."""
    found = facts.subjects(reader, owner)
    return [*sorted(found, key=lambda one: (one.name.encode().lower(), one.user or ""))]


def asked_entity(store: Store, owner: str | None, subject: str) -> str:
    """Key of the subject that a listing asks for. Without an owner, the name of any user denotes
    that user, unless facts are about a thing of that name."""
    key = entity_key(store, owner, subject)
    if owner is None and key == fold(subject) and facts.first_subject(store, key) is None:
        for alias in aliases.with_key(store, key):
            return key_of(alias.target)
    return key


def names_of(store: Store, subject: str) -> list[str]:
    """Names of a subject: as given, as shown, and its aliases that the store's owner reaches."""
    names = [subject, subject_name(subject)]
    for alias in filter(store.owner.reaches, list(store.each(Alias))):
        same = [key_of(alias.name), alias.name, key_of(alias.target), alias.target]
        folded = set(map(fold, same))
        if fold(subject) in folded or fold(subject_name(subject)) in folded:
            names += same
    return list(dict.fromkeys(names))


def merge(writer: Writer, name: str, into: str, owner: str | None) -> list[Change]:
    """Makes ``name`` an alias of ``into``, for this owner or for all."""
    target_name = entity_of(writer, owner, into).name
    before = entity_key(writer, owner, name)
    _put(writer, Alias(name=name, target=target_name, user=owner, recorded_at=writer.now))
    return _reassign(writer, owner, {before, key_of(name)})


def unmerge(writer: Writer, name: str, owner: str | None) -> list[Change] | None:
    """Removes the alias ``name``, even one of the user. None when it was not an alias."""
    found = aliases.reaching(writer, owner, key_of(name))
    if not found or found[-1].reason == "apart":  # the owner's own come last
        return None
    before = entity_key(writer, owner, name)
    if found[-1].reason == "hand":
        records.delete_identified(writer, Alias, (found[-1].user or "", key_of(name)))
    else:
        own = Alias(name=name, target=name, reason="apart", user=owner, recorded_at=writer.now)
        _put(writer, own)
    return _reassign(writer, owner, {before, key_of(name)})


def add_alias(writer: Writer, alias: Alias) -> bool:
    """Adds an alias from an export; False when one of that name exists."""
    if any(one.user == alias.user for one in aliases.with_key(writer, key_of(alias.name))):
        return False
    _put(writer, alias)
    _reassign(writer, alias.user, {key_of(alias.name), key_of(alias.target)})
    return True


def resolve(writer: Writer, groups: Iterable[FactGroup]) -> list[Change]:
    """Recomputes the intervals of these groups, and the user's names if those are one of them.
    Returns the facts whose intervals changed."""
    changes: list[Change] = []
    for group in groups:
        changes += resolve_group(writer, group)
        if group.entity == USER and group.predicates == ("name",):
            changes += _sync_user_names(writer, group.owner)
    return changes


def resolve_facts(writer: Writer, ids: Iterable[str]) -> list[Change]:
    """Recomputes the intervals of the groups of these facts; see ``resolve``."""
    return resolve(writer, groups_of(writer, ids))


def _sync_user_names(writer: Writer, owner: str | None) -> list[Change]:
    """Makes the current names of the user aliases of the user, and removes former ones. An
    encrypted name does not become an alias, which would be stored in plain text."""
    named = facts.states_of_group(writer, FactGroup(owner, USER, ("name",), None))
    names = {fold(state.object): state.object for state in named if state.object}
    known = aliases.of_user(writer, owner)
    user_keys = {key_of(a.name) for a in known if a.reason == "name"}
    known_keys = {key_of(a.name) for a in known}
    changed = user_keys - set(names)
    for key in changed:
        records.delete_identified(writer, Alias, (owner or "", key))
    for key, name in names.items():
        if key not in known_keys and key_of(name) != USER:
            _put(writer, Alias(name=name, target=USER, reason="name", user=owner))
            changed.add(key)
    return _reassign(writer, owner, changed | ({USER} if changed else set()), exact=True)


def _put(writer: Writer, alias: Alias) -> None:
    alias = structs.replace(alias, recorded_at=alias.recorded_at or writer.now)
    owner, target = alias.user or "", key_of(alias.target)
    writer.put(alias, owner=owner, folded=key_of(alias.name), target_folded=target)


def _reassign(
    writer: Writer, owner: str | None, keys: set[str], exact: bool = False
) -> list[Change]:
    """Resolves the subjects of the facts under these keys once more, and the intervals of the facts
    that moved. Without an owner the facts of everyone, unless ``exact``."""
    _touch_concepts(writer, owner, keys, exact)
    groups: dict[FactGroup, None] = {}
    user = UNSET if owner is None and not exact else owner
    for key in sorted(keys):
        for state in facts.states_about(writer, key, user):
            groups |= dict.fromkeys(_moved(writer, state))
    return resolve(writer, groups)


def _touch_concepts(writer: Writer, owner: str | None, keys: set[str], exact: bool) -> None:
    """Queues the concepts of entries about one of these names to be recomputed."""
    owners = [owner or ""] if owner is not None or exact else None
    found = concepts.numbers(writer, sorted({*keys, *map(concept_key, keys)}), owners)
    if found:
        concepts.touch(writer, concepts.entries(writer, found))


def _moved(writer: Writer, state: FactState) -> list[FactGroup]:
    """Moves a fact to the entity that its subject now denotes. Returns the groups that it left and
    joined; empty when it stays."""
    subject = state.subject_said or state.subject
    key, display_name = entity_of(writer, state.user, subject)
    if (key, display_name) == (state.entity, state.subject):
        return []
    other = subject if subject != display_name else None
    writer.change(Fact, state.id, entity=key, subject=display_name, subject_said=other)
    left = group_of(registry_of(writer), state)
    return [left, structs.replace(left, entity=key)]
