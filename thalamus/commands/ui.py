"""`thalamus ui`: the full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from thalamus.commands.options import PERSONA, RECALL, STORE, Events, NoMemory, settings
from thalamus.config import Config
from thalamus.extras import install_command, installed

if TYPE_CHECKING:
    from thalamus.errors import UsageError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "project", "flow", *RECALL, *PERSONA, *STORE, recalls=True)
def ui(config: Config, no_memory: NoMemory = False, events: Events = None) -> None:
    """Open the full screen: chat, debug console, memory browser, settings.

    Needs the extra `ui`. Each start is a new session unless --session names one. `?` shows the
    keys, Ctrl+P finds commands, Ctrl+Q leaves.
    """
    from thalamus.commands.chat import leave_at_once, own_session
    from thalamus.commands.options import without_memory
    from thalamus.serving.broadcast import Broadcast
    from thalamus.terminal import streams
    from thalamus.terminal.printer import Printer
    from thalamus.text.visible import visible

    if not streams.can_ask():
        raise _no_terminal()
    _check_installed()
    from thalamus.ui.app import ThalamusApp

    config = own_session(without_memory(config, no_memory))
    with (
        Printer(stream=False, log=events) as printer,
        Broadcast(config, config.session) as live,
    ):
        printer.send_to(live.add)
        screen = ThalamusApp(config, printer)
        ended = screen.run()
        for path in screen.unread:
            left = visible(str(path))
            streams.complain(f"thalamus: not all of {left} was read; `thalamus ingest` goes on")
        if not ended:
            leave_at_once()


def _check_installed() -> None:
    """Raises ``UsageError`` if the library for the screen is missing."""
    from thalamus.errors import UsageError

    if not installed("textual"):
        raise UsageError(
            "The full screen needs the package textual, which is not installed.",
            fix=f"Install it: `{install_command('ui')}`. `thalamus chat` works without.",
        )


def _no_terminal() -> UsageError:
    from thalamus.errors import UsageError

    return UsageError(
        "The full screen needs a terminal.", fix="`thalamus chat` works in a pipe, too."
    )
