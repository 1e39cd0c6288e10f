"""`thalamus trace`: what each stage of a turn did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MOST, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say, width

if TYPE_CHECKING:
    from thalamus.api import Thalamus

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *STORE)
def trace(
    config: Config,
    turn: Annotated[
        str | None,
        typer.Argument(
            metavar="TURN", help="The id of a turn, or a prefix of it [default: the last turn]."
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
    full: Annotated[
        bool,
        typer.Option("--full", help="Print what each stage was given and gave: prompts, replies."),
    ] = False,
    json: Json = False,
) -> None:
    """Show what each stage of a turn did, from the ledger.

    For each stage: model, tokens in and out, milliseconds, input and output, decisions and
    errors; for a saved plan, what it looks up. --session limits it to one session. With --json:
    the ledger's event records.

    --full shows the log of the stages instead, which is kept for `log_days`: the messages of
    each prompt, the raw reply, and the evidence with its scores. With --json: stage_log records.
    """
    from thalamus.commands.last_turn import no_turns
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal import trace as ledger_tree
    from thalamus.terminal.tree import lines

    if last is not None and (turn is not None or full):
        raise UsageError(f"{'--full' if full else 'TURN'} and --last cannot be combined.")
    with engine(config) as thalamus:
        session = config.session if "session" in config.origin else None
        chosen = (
            [thalamus.store.find_id(turn)]
            if turn
            else thalamus.sessions.last_turns(last or 1, session)
        )
        if not chosen:
            raise no_turns(session or "")
        if full:
            _show_logs(thalamus, chosen[0], json)
            return
        for id in chosen:
            if json:
                for event in thalamus.sessions.trace(id):
                    jsonl.write(event)
            elif last is not None:
                say(ledger_tree.summary(thalamus.store.get, id, thalamus.sessions.trace(id)))
            else:
                for line in lines(ledger_tree.turn_tree(thalamus, id), width()):
                    say(line)


def _show_logs(thalamus: Thalamus, turn: str, json: bool) -> None:
    from thalamus.terminal import jsonl, stage_logs

    logs = thalamus.sessions.stage_logs(turn)
    if not json:
        stage_logs.show(logs)
        return
    for log in logs:
        jsonl.write(log)
