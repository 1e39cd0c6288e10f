"""`thalamus world show` and `history`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import MOST, OWNER, STORE, Json, settings
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


@settings(*OWNER, *STORE, lists=True)
def history(
    config: Config,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", metavar="N", min=0, max=MOST, help="Show the last N changes; 0: all."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the changes of the world state, newest last.

    The last 20 are listed unless --limit is given; with --json, all.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal.lists import as_lines, print_list
    from thalamus.terminal.world import change_line

    with engine(config) as thalamus:
        read = thalamus.projects.history
        shown = print_list(read, as_lines(change_line), limit, json=json, usual=LAST, last=True)
        if not shown and not json:
            complain("The world state was never changed.")
