"""`thalamus facts predicate`, `entities`, `merge` and `unmerge`: what names mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.api import PredicateEntry, Thalamus


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
    from thalamus.errors import UsageError

    if one and many:
        raise UsageError("Give --one or --many, not both.")
    changes = one or many or opposite is not None or spelling
    with engine(config) as thalamus:
        if name is None:
            if changes:
                raise UsageError("Name the predicate to set.")
            for entry in thalamus.predicates():
                _show_entry(entry, json)
        elif not changes:
            _show_entry(thalamus.predicate(name), json)
        else:
            cardinality: Literal["one", "many"] | None = "one" if one else "many" if many else None
            _set(name, cardinality, opposite, spelling or [], thalamus, json)


def _set(
    name: str,
    cardinality: Literal["one", "many"] | None,
    opposite: str | None,
    spellings: Sequence[str],
    thalamus: Thalamus,
    json: bool,
) -> None:
    from thalamus.commands.facts.edit import show_changes

    entry, changes = thalamus.set_predicate(
        name, cardinality=cardinality, opposite=opposite, spellings=spellings
    )
    _show_entry(entry, json)
    show_changes(None, changes, thalamus, json)


def _show_entry(entry: PredicateEntry, json: bool) -> None:
    from thalamus.api import predicate_record
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(predicate_record(entry))
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
        aliases = thalamus.aliases()
        if json:
            jsonl.write(*aliases)
            return
        for name, whose, count in thalamus.entities():
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

    if not name.strip() or not into.strip():
        raise UsageError("A name is empty.")
    with engine(config) as thalamus:
        if thalamus.same_entity(name, into):
            fix = ""
            if name.strip().casefold() != into.strip().casefold():
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
