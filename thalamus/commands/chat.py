"""`thalamus chat`: talk with a model that remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from thalamus.commands.options import MODELS, OWNER, STORE, Debug, Events, NoMemory, settings
from thalamus.config import Config

if TYPE_CHECKING:
    from thalamus.terminal.telling import Teller

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *MODELS, *OWNER, *STORE)
def chat(
    config: Config,
    no_memory: NoMemory = False,
    debug: Debug = False,
    events: Events = None,
) -> None:
    """Talks with a model that remembers. Type /help inside for its commands.

    Each chat is a session of its own unless --session names one. When standard input is no
    terminal its lines are the messages, and the answers are printed one after the other.
    """
    from thalamus.terminal import streams
    from thalamus.terminal.telling import Teller

    typed = streams.typed()
    with Teller(stream=typed, log=events) as teller:
        if typed:
            _converse(config, teller, debug, not no_memory)
        else:
            _answer_lines(config, teller, debug, not no_memory)


def _converse(config: Config, teller: Teller, debug: bool, memory: bool) -> None:
    from thalamus.terminal.repl import Repl

    Repl(own_session(config), teller, debug=debug, memory=memory).run()


def _answer_lines(config: Config, teller: Teller, debug: bool, memory: bool) -> None:
    from thalamus.commands.filtering import leave_with_failures, warn
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    with engine(own_session(config), events=teller.events, memory=memory) as thalamus:
        for lines in jsonl.numbered_lines():
            for _, line in lines:
                done = thalamus.run_turn(line.decode("utf-8", "replace").strip("\ufeff \t\r\n"))
                if done.answer is not None:
                    teller.finish(done.answer)
                if debug:
                    teller.explain(done)
                warn(0, done.issues)
        leave_with_failures(thalamus, "answer", "store")


def own_session(config: Config) -> Config:
    """The configuration with a new session, unless one was named somewhere."""
    from msgspec import structs

    from thalamus.clock import Clock

    if "session" in config.origin:
        return config
    clock = Clock.from_environment()
    return structs.replace(config, session=clock.new_id("chat", config.user))
