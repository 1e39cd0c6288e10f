"""`thalamus why`: where something came from."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *STORE)
def why(
    config: Config,
    id: Annotated[
        str | None,
        typer.Argument(
            help="The id of a memory, fact, document or turn, or the beginning of it; without "
            "one, the last turn of the session."
        ),
    ] = None,
    depth: Annotated[int, typer.Option(min=1, max=100, help="How many steps back to go.")] = 6,
    json: Json = False,
) -> None:
    """Shows where a memory, a fact or an answer came from, down to the words of a turn or the
    page of a document. With --json: one object whose `origins` hold what it came from, each with
    `origins` of its own."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.explain import tree
    from thalamus.terminal.tree import lines

    with engine(config) as thalamus:
        origin = thalamus.why(id, depth)
        if json:
            jsonl.write(origin)
            return
        for line in lines(tree(origin)):
            say(line)
