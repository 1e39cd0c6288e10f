"""`thalamus project add`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.records import Project


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
