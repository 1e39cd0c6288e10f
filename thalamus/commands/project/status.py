"""`thalamus project status`: the state of a project in brief."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say


@settings(*OWNER, *STORE)
def status(
    config: Config,
    project: Annotated[
        str | None,
        typer.Argument(
            metavar="PROJECT", help="A project's name, id or prefix [default: the current one]."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the state of a project in brief.

    Lists its goals, topics, notes, facts, sessions and documents. It is compiled without a model:
    the same store always gives the same text.
    """
    from thalamus.commands.options import engine
    from thalamus.policy.manifest import manifest_lines
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import one_line
    from thalamus.terminal.local import zone

    with engine(config) as thalamus:
        found = thalamus.projects.manifest(project)
        if json:
            jsonl.write(found)
            return
        lines = list(manifest_lines(found, zone()))
        for line in lines:
            say(one_line(line))
        if not lines:
            complain("Nothing is known about it yet.")
