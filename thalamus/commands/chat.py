"""`thalamus chat`: a conversation with a model that remembers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from thalamus.commands.options import (
    PERSONA,
    RECALL,
    STORE,
    Debug,
    Events,
    NoMemory,
    settings,
    without_memory,
)
from thalamus.config import Config

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Session
    from thalamus.terminal.printer import Printer
    from thalamus.terminal.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False)
CHOOSE = ""  # value of --resume that opens the list


class OptionalResume(TyperCommand):
    """A command whose --resume may be given without a value. The parser of typer has no such
    options, so a value that no argument of this command can have is inserted."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given = []
        for arg, following in zip(args, [*args[1:], "-"], strict=False):
            given.append(arg)
            if arg in ("--resume", "-r") and following.startswith("-"):
                given.append(CHOOSE)
        return super().parse_args(ctx, given)


@app.command(cls=OptionalResume)
@settings("session", "project", "flow", *RECALL, *PERSONA, *STORE, blank=("resume",), recalls=True)
def chat(
    config: Config,
    no_memory: NoMemory = False,
    debug: Debug = False,
    events: Events = None,
    go_on: Annotated[
        bool, typer.Option("--continue", "-c", help="Continue the last session.")
    ] = False,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            "-r",
            metavar="[ID]",
            help="Continue this session (an id or a title), or choose one from a list.",
        ),
    ] = None,
    voice: Annotated[
        bool,
        typer.Option("--voice", help="Listen and speak, with the commands of the setting voice."),
    ] = False,
) -> None:
    """Chat with a model that remembers. Type /help in the chat for its commands.

    Each chat is a new session unless --session, --continue or --resume names one. When standard
    input is not a terminal, each of its lines is a message or a command, and the exit status is
    that of the last one that failed.
    """
    spoken = _voice(config) if voice else None
    if go_on or resume is not None:
        config = past_session(config, resume, go_on)
    config = own_session(without_memory(config, no_memory))
    start(config, debug=debug, events=events, voice=spoken)


def _voice(config: Config) -> Voice:
    """The commands that listen and speak. Raises ``UsageError`` if there are none, or no
    terminal."""
    from thalamus.errors import UsageError
    from thalamus.terminal import streams
    from thalamus.terminal.voice import Voice

    if not streams.typed():
        raise UsageError("--voice needs a terminal.")
    return Voice(config.voice)


def past_session(config: Config, id: str | None, last: bool) -> Config:
    """The configuration with the named or the ``last`` session, or with a new one if neither is
    given. Raises ``UsageError``, and as ``Thalamus.session_details``."""
    from msgspec import structs

    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if (id is not None) + last + (config.origin.get("session") == "flag") > 1:
        raise UsageError("Give only one of --session, --continue and --resume.")
    with engine(config) as thalamus:
        if id == CHOOSE:
            found = [chosen_session(thalamus)]
        elif id is not None:
            found = [thalamus.sessions.get(id)]
        else:
            found = thalamus.sessions.find(1) if thalamus.open_store(False) is not None else []
    if not found:
        return config
    origin = {**config.origin, "session": "flag"}
    return structs.replace(config, session=found[0].id, origin=origin)


def chosen_session(thalamus: Thalamus) -> Session:
    """The session that the user chooses from a list; ends the command if none is chosen. Raises
    ``NoStore``, ``NothingMatches`` without sessions, and ``UsageError`` without a terminal."""
    from thalamus.errors import NothingMatches, UsageError
    from thalamus.terminal.session_picker import can_pick, pick_session

    if not can_pick():
        raise UsageError(
            "Missing session: without a terminal, none can be chosen.",
            fix="Give its id or title; `thalamus session` lists them.",
        )
    known = thalamus.sessions.find()
    if not known:
        raise NothingMatches("There are no sessions yet.", fix="`thalamus chat` begins one.")
    chosen = pick_session(thalamus, known)
    if chosen is None:
        sys.exit(0)
    return chosen


def start(
    config: Config,
    *,
    debug: bool = False,
    events: str | None = None,
    voice: Voice | None = None,
) -> None:
    """Chats in the configured session; `thalamus trace --follow` can follow it."""
    from thalamus.serving.broadcast import Broadcast
    from thalamus.terminal import streams
    from thalamus.terminal.printer import Printer

    typed = streams.typed()
    with (
        Printer(stream=typed, log=events, markdown=typed) as printer,
        Broadcast(config, config.session) as live,
    ):
        printer.send_to(live.add)
        if typed:
            converse(config, printer, debug, voice)
        else:
            _answer_lines(config, printer, debug)


def converse(config: Config, printer: Printer, debug: bool, voice: Voice | None = None) -> None:
    from thalamus.terminal.repl import Repl

    if not Repl(config, printer, debug=debug, voice=voice).run():
        leave_at_once()


def leave_at_once() -> None:
    """Ends the process while a model is still running in another thread, which cannot be
    interrupted. The next command resumes the job, and the store is consistent."""
    import os

    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _answer_lines(config: Config, printer: Printer, debug: bool) -> None:
    from thalamus.commands.background import finish_some
    from thalamus.terminal.piped import PipedChat

    chat = PipedChat(config, printer, debug=debug)
    try:
        chat.run()
        finish_some(chat.thalamus)
    finally:
        chat.close()
    if chat.code:
        sys.exit(chat.code)


def own_session(config: Config) -> Config:
    """The configuration with a new session unless one is named in it."""
    from msgspec import structs

    from thalamus.clock import Clock

    if "session" in config.origin:
        return config
    clock = Clock.from_environment()
    return structs.replace(config, session=clock.new_id("chat", config.user))
