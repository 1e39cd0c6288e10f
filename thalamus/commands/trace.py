"""`thalamus trace`: the work of each stage of a turn."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from thalamus.commands.options import MOST, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say, width

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.serving.watching import Seen
    from thalamus.terminal.live_view import LiveView

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Options(Struct):
    """Options of `trace`."""

    last: Annotated[
        int | None,
        typer.Option(
            "--last",
            min=1,
            max=MOST,
            metavar="N",
            help="Print a line for each of the last N turns.",
        ),
    ] = None
    full: Annotated[
        bool,
        typer.Option("--full", help="Print input and output of each stage: prompts, replies."),
    ] = False
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Follow a running chat from this terminal.")
    ] = False
    since_start: Annotated[
        bool,
        typer.Option("--since-start", help="With --follow: include earlier events."),
    ] = False

    def check(self, turn: str | None, user: bool) -> None:
        """Raises ``UsageError`` for options that cannot be combined. ``user``: --user was given."""
        from thalamus.errors import UsageError

        if self.follow and (turn is not None or self.last is not None or self.full):
            raise UsageError("--follow cannot be combined with TURN, --last and --full.")
        if self.last is not None and (turn is not None or self.full):
            raise UsageError(f"{'--full' if self.full else 'TURN'} and --last cannot be combined.")
        if not self.follow and (self.since_start or user):
            raise UsageError(
                f"{'--since-start' if self.since_start else '--user'} requires --follow."
            )


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
    given: Options = Options(),
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

    given.check(turn, user=config.origin.get("user") == "flag")
    session = config.session if "session" in config.origin else None
    if given.follow:
        _follow(config, session, given.since_start, json)
        return
    with engine(config) as thalamus:
        chosen = (
            [thalamus.store.find_id(turn)]
            if turn
            else thalamus.sessions.last_turns(given.last or 1, session)
        )
        if not chosen:
            raise no_turns(session or "")
        if given.full:
            _show_logs(thalamus, chosen[0], json)
            return
        for id in chosen:
            _show_turn(thalamus, id, given.last is not None, json)


def _show_turn(thalamus: Thalamus, turn: str, brief: bool, json: bool) -> None:
    """Prints the ledger of a turn, on one line if ``brief``."""
    from thalamus.terminal import jsonl
    from thalamus.terminal import trace as ledger_tree
    from thalamus.terminal.tree import lines

    if json:
        jsonl.write(*thalamus.sessions.trace(turn))
    elif brief:
        say(ledger_tree.summary(thalamus.store.get, turn, thalamus.sessions.trace(turn)))
    else:
        for line in lines(ledger_tree.turn_tree(thalamus, turn), width()):
            say(line)


def _show_logs(thalamus: Thalamus, turn: str, json: bool) -> None:
    from thalamus.terminal import jsonl, stage_logs

    logs = thalamus.sessions.stage_logs(turn)
    if not json:
        stage_logs.show(logs)
        return
    for log in logs:
        jsonl.write(log)


def _follow(config: Config, session: str | None, since_start: bool, json: bool) -> None:
    """Shows what running chats do until Ctrl-C; with ``session``, only those whose session begins
    with it."""
    from thalamus.errors import Interrupted
    from thalamus.serving.watching import Watch
    from thalamus.terminal.live_view import LiveView

    view = None if json else LiveView()
    try:
        with Watch(config, since_start=since_start) as found:
            for seen in found:
                if seen.what != "event":
                    _say(seen, view)
                elif session is None or (seen.event and _is_of(seen.event.session, session)):
                    _show(seen, view)
    except KeyboardInterrupt:  # the normal way to end it
        complain("Stopped following.")
        sys.exit(Interrupted.code)


def _is_of(name: str | None, wanted: str) -> bool:
    """True for an event of the session that is followed."""
    return name is not None and name.startswith(wanted)


def _show(seen: Seen, view: LiveView | None) -> None:
    from thalamus.terminal import jsonl

    assert seen.event is not None
    if view is None:
        jsonl.write(seen.event)
    else:
        view.show(seen.event)


def _say(seen: Seen, view: LiveView | None) -> None:
    """Prints on standard error which chats are running."""

    message = {
        "none": "Waiting for a chat … Ctrl-C ends.",
        "found": f"Following the chat of process {seen.pid}.",
        "ended": f"The chat of process {seen.pid} ended.",
    }[seen.what]
    if view is None:
        complain(message)
    else:
        view.say(message)
