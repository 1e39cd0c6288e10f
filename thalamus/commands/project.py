"""`thalamus project`: the commands about the user's projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from thalamus.commands.groups import Group
from thalamus.commands.options import OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.records import Project, ProjectStatus

group = Group(
    "List, show, add, close and link projects. Without a command: `list`.",
    {
        "list": "project:list_projects",
        "show": "project:show",
        "status": "project:status",
        "add": "project:add",
        "close": "operation:project close",
        "pause": "operation:project pause",
        "reopen": "operation:project reopen",
        "link": "project:link",
        "unlink": "project:unlink",
    },
    words="show",
)
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The name of a project, or its id or a prefix of it.")
]
Ids = Annotated[
    list[str],
    typer.Argument(metavar="ID…", help="Ids of memories, facts, documents or turns, or prefixes."),
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


@settings("embedder", *OWNER, *STORE)
def add(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the project.")],
    description: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The subject of the project.")
    ] = None,
    repo: Annotated[
        str | None,
        typer.Option("--repo", metavar="URL", help="Its repository, or the directory of it."),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TAG", help="A tag; repeatable.")
    ] = None,
    personal: Annotated[
        bool, typer.Option("--personal", help="Mark it as personal: it is stored encrypted.")
    ] = False,
    json: Json = False,
) -> None:
    """Add a project.

    It is linked with the memories that name it, now and in future. An active project is part of the
    profile.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.records import Project

    called = " ".join(name.split())
    if not called:
        raise UsageError("NAME is empty")
    tags = [text.strip() for text in tag or () if text.strip()]
    project = Project(
        name=called,
        description=" ".join((description or "").split()) or None,
        repo_url=_address(repo.strip()) if repo and repo.strip() else None,
        tags=list(dict.fromkeys(tags)),
        sensitivity="personal" if personal else "normal",
    )
    with engine(config) as thalamus:
        added = thalamus.projects.add(project)
        for _, failure in thalamus.failures:
            complain(f"thalamus: stored without an embedding: {failure}")
        _show(added, json)


def _address(repo: str) -> str:
    """The address of a repository, or the absolute path of a directory."""
    from pathlib import Path

    path = Path(repo).expanduser()
    return str(path.resolve()) if path.is_dir() else repo


def _show(project: Project, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.projects import project_line

    if json:
        jsonl.write(project)
        return
    say(project_line(project))


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
        full = thalamus.projects.link(project.stored_id, ids, linked=linked)
        if json:
            target = project.stored_id
            jsonl.write(*(Link(source=id, relation="about", target=target) for id in full))
            return
        say(project_line(project))
        for line in linked_lines(thalamus.projects.linked(project)):
            say(f"  {line}")
