"""`thalamus facts correct`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

Reason = Annotated[
    str | None, typer.Option(metavar="TEXT", help="The reason, recorded in the ledger.")
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a fact, or a prefix of it.")]


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
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal.dates import read_date
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
