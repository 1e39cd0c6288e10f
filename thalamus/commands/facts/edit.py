"""`thalamus facts end`, `retract` and `correct`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.api import Thalamus
    from thalamus.store.values import Change

Reason = Annotated[
    str | None, typer.Option(metavar="TEXT", help="The reason, recorded in the ledger.")
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a fact, or a prefix of it.")]


@settings(*OWNER, *STORE)
def end(
    config: Config,
    what: Annotated[
        list[str],
        typer.Argument(metavar="ID", help="The id of a fact, or SUBJECT PREDICATE OBJECT."),
    ],
    at: Annotated[str, typer.Option("--at", metavar="DATE", help="No longer true since DATE.")],
    json: Json = False,
) -> None:
    """End a fact: it is no longer true.

    A fact that it replaced does not become true again.
    """
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    when = read_date(at, "--at")
    if when is None:
        raise UsageError("--at is empty")
    with engine(config) as thalamus:
        id = _named(what, when, thalamus)
        show_changes(id, thalamus.facts.end(id, when), thalamus, json)


@settings(*OWNER, *STORE)
def retract(config: Config, id: Id, reason: Reason = None, json: Json = False) -> None:
    """Retract a fact that was never true.

    Other facts become as if it had never been stated. `facts --known-at` still shows it for the
    time when it was believed.
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        full = thalamus.store.find_id(id, deleting=True)
        show_changes(full, thalamus.facts.retract(full, reason), thalamus, json)


@settings(*OWNER, *STORE)
def correct(
    config: Config,
    old: Id,
    new: Annotated[str | None, typer.Argument(metavar="OBJECT", help="The correct object.")] = None,
    begin: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Actually true since DATE.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--to", metavar="DATE", help="Actually true until the end of DATE."),
    ] = None,
    reason: Reason = None,
    json: Json = False,
) -> None:
    """Replace a wrong fact by one with the correct object or dates."""
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import fact_line

    if not (new or begin or until):
        raise UsageError("Give the correct object, --from or --to.")
    with engine(config) as thalamus:
        full = thalamus.store.find_id(old)
        fact = thalamus.facts.correct(
            full,
            new,
            valid_from=read_date(begin, "--from"),
            valid_to=read_date(until, "--to", end=True),
            reason=reason,
        )
        wrong, right = thalamus.facts.get(full), thalamus.facts.get(fact.stored_id)
        if json:
            jsonl.write(right, wrong)
            return
        say(fact_line(right))
        say(f"  instead of {fact_line(wrong)}")


def show_changes(id: str | None, changes: Sequence[Change], thalamus: Thalamus, json: bool) -> None:
    """Prints the fact in its present form, then the other facts whose intervals changed."""
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import fact_line

    ids = dict.fromkeys([*([id] if id else []), *(change.id for change in changes)])
    for name in ids:
        fact = thalamus.facts.get(name)
        if json:
            jsonl.write(fact)
        else:
            say(f"{'' if name == id else '  now '}{fact_line(fact)}")


def _named(what: list[str], at: str, thalamus: Thalamus) -> str:
    """The fact with this id, or the last fact with this subject, predicate and object before a
    time."""
    from thalamus.errors import UsageError

    if len(what) == 1:
        return thalamus.store.find_id(what[0])
    if len(what) != 3:
        raise UsageError("Give the id of a fact, or SUBJECT PREDICATE OBJECT.")
    return thalamus.facts.last(*what, before=at).id or ""
