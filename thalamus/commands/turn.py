"""`thalamus turn`: a whole turn in one process."""

from __future__ import annotations

import codecs
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MODELS, OWNER, STORE, Debug, Events, Json, NoMemory, settings
from thalamus.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thalamus.records import Turn

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *MODELS, *OWNER, *STORE)
def turn(
    config: Config,
    message: Annotated[
        str | None, typer.Argument(help="The message; - or nothing reads standard input.")
    ] = None,
    json: Json = False,
    flow: Annotated[
        str | None, typer.Option(help="The flow: classic, one of your own, or stages a,b,c.")
    ] = None,
    no_memory: NoMemory = False,
    debug: Debug = False,
    events: Events = None,
) -> None:
    """Runs a turn: recalls, answers, reflects, stores and plans. Prints the answer, or with
    --json the whole record. Standard input may hold a plain message or turn records.
    """
    from thalamus.commands.filtering import leave_with_failures, warn
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.telling import Teller

    with (
        Teller(stream=not json and sys.stdout.isatty(), log=events) as teller,
        engine(config, events=teller.events, memory=not no_memory) as thalamus,
    ):
        for record in _messages(message):
            done = thalamus.run_turn(record, flow=flow)
            if json:
                jsonl.write(done)
            elif done.answer is not None:
                teller.finish(done.answer)
            if debug:
                teller.explain(done)
            warn(len(record.issues), done.issues)
        leave_with_failures(thalamus, "answer", "store", "retrieve")


def _messages(message: str | None) -> Iterator[Turn]:
    from thalamus.errors import UsageError
    from thalamus.records import Turn
    from thalamus.terminal import jsonl

    if message is not None and message != "-":
        if not message.strip():
            raise UsageError("The message is empty.")
        message.encode()  # raises for what ``cli`` then names: bytes that are not UTF-8
        yield Turn(message=message)
        return
    plain: list[str] = []
    for lines in jsonl.numbered_lines():
        for number, line in lines:
            if not plain and line.lstrip(codecs.BOM_UTF8 + b" \t\r").startswith(b"{"):
                yield jsonl.decode(line, number, Turn)
            else:
                plain.append(line.decode("utf-8", "replace"))
    if plain:
        yield Turn(message="\n".join(plain).removeprefix("\ufeff").strip())
