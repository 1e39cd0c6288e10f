"""`thalamus project link` and `unlink`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.commands.project.list import Name
from thalamus.config import Config
from thalamus.terminal.streams import say

Ids = Annotated[
    list[str],
    typer.Argument(metavar="ID…", help="Ids of memories, facts, documents or turns, or prefixes."),
]


@settings(*OWNER, *STORE)
def link(config: Config, name: Name, ids: Ids, json: Json = False) -> None:
    """Link memories, facts, documents or turns with a project.

    Entries that name the project are linked automatically when they are stored. With --json: `link`
    records.
    """
    _link(config, name, ids, True, json)


@settings(*OWNER, *STORE)
def unlink(config: Config, name: Name, ids: Ids, json: Json = False) -> None:
    """Remove such links."""
    _link(config, name, ids, False, json)


def _link(config: Config, name: str, ids: list[str], linked: bool, json: bool) -> None:
    from thalamus.commands.options import engine
    from thalamus.records import Link
    from thalamus.terminal import jsonl
    from thalamus.terminal.projects import linked_lines, project_line

    with engine(config) as thalamus:
        project = thalamus.projects.get(name)
        full = thalamus.projects.link(project.id or "", ids, linked=linked)
        if json:
            target = project.id or ""
            jsonl.write(*(Link(source=id, relation="about", target=target) for id in full))
            return
        say(project_line(project))
        for line in linked_lines(thalamus.projects.linked(project)):
            say(f"  {line}")
