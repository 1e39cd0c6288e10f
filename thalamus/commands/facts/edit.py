"""`thalamus facts end`, `retract` and `correct`: a fact stopped being true, or never was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.api import Thalamus
    from thalamus.storage.protocol import Change

Reason = Annotated[str | None, typer.Option(help="Why; it is kept in the ledger.")]
Id = Annotated[str, typer.Argument(help="Its id, or the beginning of it.")]


@settings(*OWNER, *STORE)
def end(
    config: Config,
    what: Annotated[list[str], typer.Argument(help="Its id, or SUBJECT PREDICATE OBJECT.")],
    at: Annotated[str, typer.Option("--at", help="Since when it is no longer true.")],
    json: Json = False,
) -> None:
    """Tells that a fact stopped being true. What it replaced does not come back."""
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    when = read_date(at, "--at")
    if when is None:
        raise UsageError("--at is empty.")
    with engine(config) as thalamus:
        id = _named(what, when, thalamus)
        show_changes(id, thalamus.end_fact(id, when), thalamus, json)


@settings(*OWNER, *STORE)
def retract(config: Config, id: Id, reason: Reason = None, json: Json = False) -> None:
    """Tells that a fact never was true. The others are as if it had not been told; --known-at
    still shows it for the time when it was believed."""
    from thalamus.commands.options import engine
    from thalamus.memory.explain import resolve_to_delete

    with engine(config) as thalamus:
        full = resolve_to_delete(thalamus.store, id)
        show_changes(full, thalamus.retract_fact(full, reason), thalamus, json)


@settings(*OWNER, *STORE)
def correct(
    config: Config,
    old: Id,
    new: Annotated[str | None, typer.Argument(help="The right object.")] = None,
    begin: Annotated[str | None, typer.Option("--from", help="Since when it really holds.")] = None,
    until: Annotated[str | None, typer.Option("--to", help="Until when it really held.")] = None,
    reason: Reason = None,
    json: Json = False,
) -> None:
    """Tells that a fact was wrong: it is retracted, and one with the right object or dates takes
    its place."""
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.memory.explain import resolve
    from thalamus.records import Fact
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import fact_line

    if not (new or begin or until):
        raise UsageError("Give the right object, --from or --to.")
    with engine(config) as thalamus:
        full = resolve(thalamus.store, old)
        made = thalamus.correct_fact(
            full,
            new,
            valid_from=read_date(begin, "--from"),
            valid_to=read_date(until, "--to"),
            reason=reason,
        )
        wrong = thalamus.store.get(full)
        right = thalamus.store.get(made.id or "")
        assert isinstance(wrong, Fact) and isinstance(right, Fact)
        if json:
            jsonl.write(right, wrong)
            return
        say(fact_line(right))
        say(f"  instead of {fact_line(wrong)}")


def show_changes(id: str | None, changes: Sequence[Change], thalamus: Thalamus, json: bool) -> None:
    """The fact as it is now, then the others that hold otherwise than before."""
    from thalamus.records import Fact
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import fact_line

    ids = dict.fromkeys([*([id] if id else []), *(change.id for change in changes)])
    for name in ids:
        fact = thalamus.store.get(name)
        assert isinstance(fact, Fact)
        if json:
            jsonl.write(fact)
        else:
            say(f"{'' if name == id else '  now '}{fact_line(fact)}")


def _named(what: list[str], at: str, thalamus: Thalamus) -> str:
    """The fact with this id, or the one of these three that held last before a time."""
    from thalamus.errors import NothingFound, UsageError
    from thalamus.memory.explain import resolve
    from thalamus.policy.entities import fold

    if len(what) == 1:
        return resolve(thalamus.store, what[0])
    if len(what) != 3:
        raise UsageError("Give the id of a fact, or SUBJECT PREDICATE OBJECT.")
    subject, said, object = what
    predicate = thalamus.predicates().name(said)
    found = [
        fact
        for fact in thalamus.facts(subject, history=True)
        if fact.predicate == predicate
        and fold(fact.object) == fold(object)
        and fact.retired_at is None
    ]
    if not found:
        raise NothingFound(f"a fact “{subject} {predicate} {object}”")
    begun = [fact for fact in found if (fact.valid_from or fact.created_at or "") <= at]
    last = max(begun or found, key=lambda fact: fact.valid_from or fact.created_at or "")
    assert last.id is not None
    return last.id
