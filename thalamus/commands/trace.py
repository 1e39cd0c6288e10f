"""`thalamus trace`: what each stage of a turn did."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import MOST, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *STORE)
def trace(
    config: Config,
    turn: Annotated[
        str | None,
        typer.Argument(
            metavar="TURN", help="The id of a turn, or a prefix of it [default: last turn]."
        ),
    ] = None,
    last: Annotated[
        int | None,
        typer.Option(
            "--last",
            min=1,
            max=MOST,
            metavar="N",
            help="Print a line for each of the last N turns.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what each stage of a turn did, from the ledger.

    For each stage: model, tokens in and out, milliseconds, input and output, decisions and
    errors; for a saved plan, what it looks up. --session limits it to one session. With --json:
    the ledger's event records.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import NothingMatches, UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal import trace as ledger_tree
    from thalamus.terminal.tree import lines

    if turn is not None and last is not None:
        raise UsageError("TURN and --last cannot be combined.")
    with engine(config) as thalamus:
        session = config.session if "session" in config.origin else None
        chosen = [thalamus.find_id(turn)] if turn else thalamus.last_turns(last or 1, session)
        if not chosen:
            where = f" in the session {session!r}" if session else " yet"
            raise NothingMatches(f"There are no turns{where}.")
        for id in chosen:
            events = thalamus.trace(id)
            if json:
                for event in events:
                    jsonl.write(event)
            elif last is not None:
                say(ledger_tree.summary(thalamus.get, id, events))
            else:
                for line in lines(ledger_tree.tree(thalamus.get, id, events)):
                    say(line)
