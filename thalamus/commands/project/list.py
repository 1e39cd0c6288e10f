"""`thalamus project list` and `show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.records import ProjectStatus

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The name of a project, or its id or a prefix of it.")
]


@settings(*OWNER, *STORE, lists=True)
def list_projects(
    config: Config,
    status: Annotated[
        str | None,
        typer.Option(metavar="STATUS", help="Only active, paused or closed projects."),
    ] = None,
    json: Json = False,
) -> None:
    """List the projects, oldest first."""
    from typing import get_args

    from thalamus.commands.options import engine
    from thalamus.records import ProjectStatus
    from thalamus.terminal import jsonl
    from thalamus.terminal.projects import project_line

    if status is not None and status not in get_args(ProjectStatus):
        raise wrong_choice("--status", status, get_args(ProjectStatus))
    with engine(config) as thalamus:
        found = thalamus.projects.find(cast("ProjectStatus | None", status))
        if json:
            jsonl.write(*found)
            return
        for project in found:
            say(project_line(project))
        if not found:
            some = status and thalamus.projects.find()
            complain("No projects match." if some else "There are no projects yet.")


@settings(*OWNER, *STORE)
def show(config: Config, name: Name, json: Json = False) -> None:
    """Show a project and what is linked with it.

    Memories, facts, documents and turns can be linked; of turns the last 20 are listed. With
    --json: the `project` record, then a `link` record for each."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted
    from thalamus.terminal.projects import linked_lines, project_fields

    with engine(config) as thalamus:
        project = thalamus.projects.get(name)
        if json:
            jsonl.write(project, *thalamus.store.links(project.stored_id))
            return
        linked = thalamus.projects.linked(project)
        for line in (*project_fields(project), *linked_lines(linked)):
            say(line)
        about = [one for one in thalamus.store.links(project.stored_id) if one.relation == "about"]
        if more := len(about) - len(linked):
            say(f"and {counted({'earlier turn': more})}")
