"""`thalamus watch`: what a running chat does, live, in another terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config

if TYPE_CHECKING:
    from thalamus.serving.watching import Seen
    from thalamus.terminal.live_view import LiveView

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("user", *STORE)
def watch(
    config: Config,
    session: Annotated[
        str | None,
        typer.Option("--session", "-s", metavar="ID", help="Only this session, or what begins so."),
    ] = None,
    since_start: Annotated[
        bool,
        typer.Option("--since-start", help="Also what the chat did before, as it still knows."),
    ] = False,
    json: Json = False,
) -> None:
    """Follow a running chat from another terminal: what is recalled, decided and stored.

    Shows the message, the plan, the evidence with its scores, what reflection keeps and refuses,
    tool calls, errors, and the time and tokens of each stage; prompts and raw replies with the
    setting log_prompts. Waits for a chat where none is running. Ctrl-C ends it. The chat never
    waits for a watcher.

    With --json: `event` records, as --events of the chat writes them.
    """
    from thalamus.errors import Interrupted
    from thalamus.serving.watching import Watch
    from thalamus.terminal.live_view import LiveView
    from thalamus.terminal.streams import complain

    view = None if json else LiveView()
    try:
        with Watch(config, since_start=since_start) as found:
            for seen in found:
                if seen.what != "event":
                    _say(seen, view)
                elif session is None or (seen.event and _is_of(seen.event.session, session)):
                    _show(seen, view)
    except KeyboardInterrupt:  # the way to end it, so not told as an error
        complain("Stopped watching.")
        sys.exit(Interrupted.code)


def _is_of(name: str | None, wanted: str) -> bool:
    """Whether an event belongs to the session that is followed."""
    return name is not None and name.startswith(wanted)


def _show(seen: Seen, view: LiveView | None) -> None:
    from thalamus.terminal import jsonl

    assert seen.event is not None
    if view is None:
        jsonl.write(seen.event)
    else:
        view.show(seen.event)


def _say(seen: Seen, view: LiveView | None) -> None:
    """Says on standard error which chats there are."""
    from thalamus.terminal.streams import complain

    said = {
        "none": "Waiting for a chat … Ctrl-C ends.",
        "found": f"Following the chat of process {seen.pid}.",
        "ended": f"The chat of process {seen.pid} ended.",
    }[seen.what]
    if view is None:
        complain(said)
    else:
        view.say(said)
