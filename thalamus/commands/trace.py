"""`thalamus trace`: the work of each stage of a turn."""

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
@settings("session", "user", *STORE)
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
        typer.Option("--full", help="Print input and output of each stage: prompts, replies."),
    ] = False,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Follow a running chat from this terminal.")
    ] = False,
    since_start: Annotated[
        bool,
        typer.Option("--since-start", help="With --follow: include earlier events."),
    ] = False,
    json: Json = False,
) -> None:
    """Show what each stage of a turn did, from the ledger.

    For each stage: model, tokens in and out, milliseconds, input and output, decisions and
    errors; for a saved plan, what it looks up. --session limits it to one session. With --json:
    the ledger's event records.

    --full shows the log of the stages instead, which is kept for `log_days`: the messages of
    each prompt, the raw reply, and the evidence with its scores. With --json: stage_log records.

    --follow shows what a running chat does, live: the message, the plan, the evidence with its
    scores, what reflection keeps and refuses, tool calls, errors, and the time and tokens of each
    stage; prompts and raw replies with the setting log_prompts. It waits for a chat where none is
    running; Ctrl-C ends it, and the chat never waits for it. With --json: `event` records, as
    --events of the chat writes them.
    """
    from thalamus.commands.last_turn import no_turns
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal import trace as ledger_tree
    from thalamus.terminal.tree import lines

    if last is not None and (turn is not None or full):
        raise UsageError(f"{'--full' if full else 'TURN'} and --last cannot be combined.")
    session = config.session if "session" in config.origin else None
    if follow:
        from thalamus.commands.follow import follow as follow_chats

        if turn is not None or last is not None or full:
            raise UsageError("--follow cannot be combined with TURN, --last and --full.")
        follow_chats(config, session, since_start, json)
        return
    if since_start or config.origin.get("user") == "flag":
        raise UsageError(f"{'--since-start' if since_start else '--user'} requires --follow.")
    with engine(config) as thalamus:
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
