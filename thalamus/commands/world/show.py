"""`thalamus world show` and `history`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

LAST = 20  # changes


@settings(*OWNER, *STORE)
def show(config: Config, json: Json = False) -> None:
    """Show the world state: project, topics, goals and more."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.world import world_lines

    with engine(config) as thalamus:
        world = thalamus.projects.world()
        if json:
            jsonl.write(world)
            return
        lines = list(world_lines(world))
        for line in lines:
            say(line)
        if not lines:
            complain("The world state is empty; `thalamus world apply` changes it.")


@settings(*OWNER, *STORE)
def history(
    config: Config,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="Show the last N changes.")
    ] = LAST,
    json: Json = False,
) -> None:
    """List the changes of the world state, newest last."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.world import change_line

    with engine(config) as thalamus:
        changes = thalamus.projects.history(limit)
        if json:
            jsonl.write(*changes)
            return
        for change in changes:
            say(change_line(change))
        if not changes:
            complain("The world state was never changed.")
