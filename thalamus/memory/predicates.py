"""Definition of predicates: cardinality, spellings and opposite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.errors import UsageError
from thalamus.memory import facts
from thalamus.policy.predicates import Cardinality, PredicateEntry, Registry, snake_case
from thalamus.records import Predicate

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol.values import Change


def define(
    name: str,
    context: Context,
    *,
    cardinality: Cardinality | None = None,
    opposite: str | None = None,
    spellings: Sequence[str] = (),
) -> tuple[str, list[Change]]:
    """Changes the given properties of a predicate (an empty ``opposite`` removes it). Returns its
    name and the facts whose intervals changed. Raises ``UsageError``."""
    registry = facts.registry(context)
    canonical = registry.name(name)
    if not canonical:
        raise UsageError(f"{name!r} is not a valid predicate name.")
    old = registry.entries.get(canonical) or PredicateEntry(
        name=canonical, cardinality="one" if registry.one_valued(canonical) else "many"
    )
    _check_spellings(spellings, canonical, registry)
    predicate = Predicate(
        name=canonical,
        cardinality=cardinality or old.cardinality,
        spellings=[*dict.fromkeys([*old.spellings, *map(snake_case, spellings)])],
        opposite=old.opposite if opposite is None else registry.name(opposite) or None,
        description=old.description,
    )
    if cardinality == "one" and opposite is None:
        predicate.opposite = None
    if predicate.cardinality == "one" and predicate.opposite:
        raise UsageError("A predicate with one value at a time cannot have an opposite.")
    if predicate.opposite == predicate.name:
        raise UsageError("A predicate cannot be its own opposite.")
    return canonical, facts.set_predicate(predicate, context)


def _check_spellings(spellings: Sequence[str], name: str, registry: Registry) -> None:
    for spelling in map(snake_case, spellings):
        if spelling in registry.entries and spelling != name:
            fix = f"`thalamus facts predicate {spelling}` shows it."
            raise UsageError(f"{spelling!r} is a different predicate.", fix=fix)
