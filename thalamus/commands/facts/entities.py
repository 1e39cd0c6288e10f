"""`thalamus facts predicate`, `entities`, `merge` and `unmerge`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.api import Thalamus
    from thalamus.policy.predicates import PredicateEntry
    from thalamus.store.values import Change


@settings(*OWNER, *STORE)
def predicate(
    config: Config,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="lives_in, likes …")] = None,
    one: Annotated[bool, typer.Option("--one", help="Set it to one value at a time.")] = False,
    many: Annotated[bool, typer.Option("--many", help="Set it to any number of values.")] = False,
    opposite: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Set the predicate that excludes it; '' for none."),
    ] = None,
    spelling: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Add another spelling of it; repeatable."),
    ] = None,
    json: Json = False,
) -> None:
    """List predicates with their source, show one, or change one.

    After a change, prints the facts whose intervals changed because of it.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if one and many:
        raise UsageError("--one and --many cannot be combined.")
    changes = one or many or opposite is not None or spelling
    with engine(config) as thalamus:
        if name is None:
            if changes:
                raise UsageError("Give the NAME of the predicate to change.")
            for entry in thalamus.facts.predicates():
                _show_entry(entry, json)
        elif not changes:
            _show_entry(thalamus.facts.predicate(name), json)
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
    entry, changes = thalamus.facts.set_predicate(
        name, cardinality=cardinality, opposite=opposite, spellings=spellings
    )
    _show_entry(entry, json)
    _show_changes(changes, thalamus, json)


def _show_changes(changes: Sequence[Change], thalamus: Thalamus, json: bool) -> None:
    """Prints the facts whose intervals changed."""
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import fact_line

    for id in dict.fromkeys(change.id for change in changes):
        fact = thalamus.facts.get(id)
        jsonl.write(fact) if json else say(f"  now {fact_line(fact)}")


def _show_entry(entry: PredicateEntry, json: bool) -> None:
    from thalamus.policy.predicates import record as predicate_record
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(predicate_record(entry))
        return
    more = f"  (opposite of {entry.opposite})" if entry.opposite else ""
    spelt = f"  [{', '.join(entry.spellings)}]" if entry.spellings else ""
    details = f"{entry.description}{more}{spelt}"
    say(f"{entry.name:20} {entry.cardinality:4}  {entry.source:8}  {details}")


@settings(*OWNER, *STORE, lists=True)
def entities(config: Config, json: Json = False) -> None:
    """List the subjects of facts, and merged names.

    With --json: an `alias` record for each merged name.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        aliases = thalamus.facts.aliases()
        if json:
            jsonl.write(*aliases)
            return
        for name, whose, count in thalamus.facts.entities():
            say(f"{count:6}  {name}{f'  (of {whose})' if whose else ''}")
        words = {"hand": "means", "name": "is the name of", "apart": "is kept apart from"}
        for alias in aliases:
            whose = f"  (of {alias.user})" if alias.user else ""
            say(f"        {alias.name} {words[alias.reason]} {alias.target}{whose}")


@settings(*OWNER, *STORE)
def merge(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to merge.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The name to merge it into.")],
    json: Json = False,
) -> None:
    """Merge two names that mean the same.

    Facts keep the name as it was said, but are shown and found under the other one; their intervals
    are resolved again. `unmerge` undoes it.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if not name.strip() or not into.strip():
        raise UsageError("NAME and INTO must not be empty.")
    with engine(config) as thalamus:
        if thalamus.facts.same_entity(name, into):
            fix = ""
            if fold(name) != fold(into):
                fix = f"To separate them, run `thalamus facts unmerge {name}` first."
            raise UsageError(f"{name!r} and {into!r} are the same name already.", fix=fix)
        _show_changes(thalamus.facts.merge(name, into), thalamus, json)
    if not json:
        say(f"{name} means {into}")


@settings(*OWNER, *STORE)
def unmerge(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to separate again.")],
    json: Json = False,
) -> None:
    """Undo `merge`, or keep a namesake of the user apart."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _show_changes(thalamus.facts.unmerge(name), thalamus, json)
    if not json:
        say(f"{name} is a separate name")
