"""`thalamus why`: the origin of a memory, a fact or an answer."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say, width

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *STORE)
def why(
    config: Config,
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID|WORDS…]",
            help="The id of a memory, fact, document or turn, or a prefix of it; or words that you"
            " said or that an entry contains [default: the last turn].",
        ),
    ] = None,
    depth: Annotated[
        int, typer.Option(min=1, max=100, metavar="N", help="Go back at most N steps.")
    ] = 6,
    json: Json = False,
) -> None:
    """Show where a memory, a fact or an answer came from.

    Leads back to the quoted words of a turn or the page of a document. Without an id, explains the
    last turn of any session, or of the session that --session names. Of the evidence of an answer,
    what was used comes first, with the words that the answer has from it. With --json: an `origin`
    record, with its sources nested in `origins`.
    """
    from thalamus.commands.last_turn import last_turn
    from thalamus.commands.options import engine
    from thalamus.memory.resolve_id import resolve_or_search
    from thalamus.terminal import jsonl
    from thalamus.terminal.explain import tree
    from thalamus.terminal.tree import lines

    with engine(config) as thalamus:
        id = (
            resolve_or_search(thalamus.database, " ".join(what), thalamus.here())[0]
            if what
            else last_turn(thalamus)
        )
        origin = thalamus.why(id, depth)
        if json:
            jsonl.write(origin)
            return
        for line in lines(tree(origin), width()):
            say(line)
