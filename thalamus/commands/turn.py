"""`thalamus turn`: a whole turn in one process."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from thalamus.commands.options import (
    PERSONA,
    RECALL,
    STORE,
    Debug,
    Events,
    Json,
    NoMemory,
    settings,
    without_memory,
)
from thalamus.config import Config
from thalamus.terminal.streams import say_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from thalamus.api import Thalamus
    from thalamus.records import Turn
    from thalamus.terminal.printer import Printer

LONGEST = 100_000  # characters of a message

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "project", "flow", *RECALL, *PERSONA, *STORE, filters=True, recalls=True)
def turn(
    config: Config,
    message: Annotated[
        str | None,
        typer.Argument(metavar="MESSAGE", help="The message; read from stdin if omitted or -."),
    ] = None,
    json: Json = False,
    background: Annotated[
        bool,
        typer.Option(
            "--background", help="Return after the answer; reflect and plan in another process."
        ),
    ] = False,
    no_memory: NoMemory = False,
    debug: Debug = False,
    events: Events = None,
) -> None:
    """Run one turn: recall, answer, reflect, store and plan.

    Prints the answer as soon as it is stored, and ends when what it says is; with --json prints
    the whole record. The message is an argument, or plain text or turn records on standard input.

    With --background, the message and the answer are stored and another process reflects on
    them; --json then prints the record as it is at that point. If that process is killed, the
    next command finishes the work.
    """
    from thalamus.commands.filters import leave_with_failures
    from thalamus.commands.options import engine
    from thalamus.serving.broadcast import Broadcast
    from thalamus.terminal.printer import Printer
    from thalamus.terminal.problems import NEEDED

    config = without_memory(config, no_memory)
    options = _Options(json, background, debug)
    with (
        Printer(stream=not json and sys.stdout.isatty(), log=events) as printer,
        Broadcast(config, config.session) as live,
        engine(config, events=printer.events) as thalamus,
    ):
        printer.send_to(live.add)
        for record in _messages(message):
            _run(record, options, thalamus, printer)
        _finish_pending(config, background, thalamus)
        leave_with_failures(thalamus, *NEEDED)


class _Options(Struct):
    """Options of running turns and showing them."""

    json: bool
    background: bool
    debug: bool


def _run(turn: Turn, options: _Options, thalamus: Thalamus, printer: Printer) -> None:
    """Runs one turn and prints it."""
    from thalamus.policy.intents import may_ask_to_forget, to_forget
    from thalamus.terminal import jsonl
    from thalamus.terminal.problems import warn

    def show(answered: Turn) -> None:
        if answered.answer is not None:
            printer.finish(answered.answer)
            sys.stdout.flush()

    if options.background:
        result, left = thalamus.answer_turn(turn)
        if left and may_ask_to_forget(result):
            done = next(thalamus.finish_turns(result.id), None)
            result = (done.result if done is not None else None) or result
    else:
        result = thalamus.turn(turn, on_answer=None if options.json else show)
    if options.json:
        jsonl.write(result)
    elif options.background:
        show(result)
    if options.debug:
        printer.explain(result)
    if not options.json and (unwanted := to_forget(result)):
        _show_deletion(thalamus, unwanted)
    warn(len(turn.issues), result.issues)


def _finish_pending(config: Config, background: bool, thalamus: Thalamus) -> None:
    """Finishes pending turns, here or in a process of its own."""
    from thalamus.commands.background import finish_in_the_background, finish_some

    if not background:
        finish_some(thalamus)
    elif thalamus.unfinished_turns():
        finish_in_the_background(config)


def _show_deletion(thalamus: Thalamus, unwanted: Sequence[str]) -> None:
    """Shows what would be deleted, and the command that deletes it."""
    from thalamus.errors import NothingFound
    from thalamus.memory.forget.erase import ForgetOptions
    from thalamus.terminal.erase import command, show_plan

    try:
        report = thalamus.forget(ForgetOptions(ids=tuple(unwanted), dry_run=True))
    except NothingFound:
        return
    show_plan(report, json=False)
    say_text(f"`{command(unwanted)}` deletes all of this permanently, after asking.")


def _messages(message: str | None) -> Iterator[Turn]:
    from thalamus.errors import UsageError
    from thalamus.records import Turn
    from thalamus.terminal import jsonl

    if message is not None and message != "-":
        if not message.strip():
            raise UsageError("The message is empty.")
        message.encode()  # raises for what ``cli`` then names: bytes that are not UTF-8
        _check_length(message)
        yield Turn(message=message)
        return
    given = jsonl.text_or_records(Turn)
    if isinstance(given, str):
        _check_length(given)
        yield Turn(message=given)
    else:
        yield from (turn for _, turn in given)


def _check_length(message: str) -> None:
    """Raises ``UsageError`` for text that is a document rather than a message."""
    from thalamus.errors import UsageError

    if len(message) > LONGEST:
        problem = f"{len(message):,} characters, at most {LONGEST:,}"
        fix = "Read it as a document: `thalamus ingest FILE`, or `thalamus ingest -` for a pipe."
        raise UsageError(f"The message is too long: {problem}.", fix=fix)
