"""`thalamus facts predicate`, `entities`, `merge` and `unmerge`: what names mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.policy.predicates import PredicateEntry


@settings(*OWNER, *STORE)
def predicate(
    config: Config,
    name: Annotated[str | None, typer.Argument(help="lives_in, likes …")] = None,
    one: Annotated[bool, typer.Option("--one", help="It has one value at a time.")] = False,
    many: Annotated[bool, typer.Option("--many", help="It may have many.")] = False,
    opposite: Annotated[
        str | None, typer.Option(help="What cannot be true of the same object; '' for none.")
    ] = None,
    spelling: Annotated[
        list[str] | None, typer.Option(help="Another way to write it; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Lists the predicates that are known, and where each comes from; shows one; or sets one, and
    tells which facts hold otherwise because of it."""
    from thalamus.commands.options import engine
    from thalamus.errors import NothingFound, UsageError
    from thalamus.memory.intervals import registry_of
    from thalamus.predicates import packaged

    if one and many:
        raise UsageError("Give --one or --many, not both.")
    changes = one or many or opposite is not None or spelling
    with engine(config) as thalamus:
        opened = thalamus.open_store(False)
        known = registry_of(opened) if opened else packaged()
        if name is None:
            if changes:
                raise UsageError("Name the predicate to set.")
            for entry in sorted(known.entries.values(), key=lambda entry: entry.name):
                _show_entry(entry, json)
        elif not changes:
            found = known.entries.get(known.name(name))
            if found is None:
                raise NothingFound(f"the predicate {name!r}")
            _show_entry(found, json)
        else:
            cardinality = "one" if one else "many" if many else None
            _set(name, cardinality, opposite, spelling or [], thalamus, json)


def _set(
    name: str,
    cardinality: str | None,
    opposite: str | None,
    spellings: list[str],
    thalamus: Thalamus,
    json: bool,
) -> None:
    from thalamus.commands.facts.edit import show_changes
    from thalamus.errors import UsageError
    from thalamus.memory import facts
    from thalamus.policy.predicates import PredicateEntry, snake_case
    from thalamus.records import Predicate

    registry = facts.registry(thalamus.context)
    canonical = registry.name(name)
    if not canonical:
        raise UsageError(f"{name!r} is no predicate.")
    old = registry.entries.get(canonical) or PredicateEntry(
        name=canonical, cardinality="one" if registry.one_valued(canonical) else "many"
    )
    for spelling in map(snake_case, spellings):
        if spelling in registry.entries and spelling != canonical:
            fix = f"`thalamus facts predicate {spelling}` shows it."
            raise UsageError(f"{spelling!r} is a predicate of its own.", fix=fix)
    made = Predicate(
        name=canonical,
        cardinality=cardinality or old.cardinality,  # type: ignore[arg-type]
        spellings=[*dict.fromkeys([*old.spellings, *map(snake_case, spellings)])],
        opposite=old.opposite if opposite is None else registry.name(opposite) or None,
        description=old.description,
    )
    if cardinality == "one" and opposite is None:
        made.opposite = None
    if made.cardinality == "one" and made.opposite:
        raise UsageError("A predicate with one value at a time needs no opposite.")
    if made.opposite == made.name:
        raise UsageError("A predicate is not its own opposite.")
    changes = facts.set_predicate(made, thalamus.context)
    _show_entry(thalamus.predicates().entries[canonical], json)
    show_changes(None, changes, thalamus, json)


def _show_entry(entry: PredicateEntry, json: bool) -> None:
    from thalamus.policy.predicates import record
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(record(entry))
        return
    more = f"  (opposite of {entry.opposite})" if entry.opposite else ""
    spelt = f"  [{', '.join(entry.spellings)}]" if entry.spellings else ""
    said = f"{entry.description}{more}{spelt}"
    say(f"{entry.name:20} {entry.cardinality:4}  {entry.source:8}  {said}")


@settings(*OWNER, *STORE)
def entities(config: Config, json: Json = False) -> None:
    """Lists whom and what facts are about, with how many there are, and the names that mean the
    same. With --json: an `alias` record for each of those names."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        owner = config.user or None
        aliases = [a for a in thalamus.store.aliases() if owner is None or a.user in (None, owner)]
        if json:
            jsonl.write(*aliases)
            return
        for name, whose, count in thalamus.store.entities(owner):
            say(f"{count:6}  {name}{f'  (of {whose})' if whose else ''}")
        words = {"hand": "means", "name": "is what the user is called:", "apart": "is not merged:"}
        for alias in aliases:
            whose = f"  (of {alias.user})" if alias.user else ""
            say(f"        {alias.name} {words[alias.reason]} {alias.target}{whose}")


@settings(*OWNER, *STORE)
def merge(
    config: Config,
    name: Annotated[str, typer.Argument(help="The name that means another one.")],
    into: Annotated[str, typer.Argument(help="What it means.")],
    json: Json = False,
) -> None:
    """Tells that two names mean the same. Facts keep the name as it was said and are shown and
    found under the other; what holds is settled anew. `unmerge` undoes it."""
    from thalamus.commands.facts.edit import show_changes
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.policy.entities import canonical, key_of

    if not name.strip() or not into.strip():
        raise UsageError("A name is empty.")
    if key_of(name) == key_of(into):
        raise UsageError(f"{name!r} and {into!r} are one name already.")
    with engine(config) as thalamus:
        opened = thalamus.open_store(False)
        owners = (None, config.user or None)
        known = [a for a in (opened.aliases() if opened else []) if a.user in owners]
        means = {key_of(alias.name): key_of(alias.target) for alias in known}
        if canonical(key_of(name), means) == canonical(key_of(into), means):
            fix = f"`thalamus facts unmerge {name}` first, to have the other one shown."
            raise UsageError(f"{name!r} and {into!r} are one name already.", fix=fix)
        show_changes(None, thalamus.merge_entities(name, into), thalamus, json)


@settings(*OWNER, *STORE)
def unmerge(
    config: Config,
    name: Annotated[str, typer.Argument(help="The name that means itself again.")],
    json: Json = False,
) -> None:
    """Undoes `merge`; or keeps apart somebody who is called like the user."""
    from thalamus.commands.facts.edit import show_changes
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        show_changes(None, thalamus.unmerge_entity(name), thalamus, json)
