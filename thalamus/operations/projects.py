"""Acts on one project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from thalamus.operations import OWNER, Act
from thalamus.terminal.projects import project_line

if TYPE_CHECKING:
    from thalamus.records import ProjectStatus


class OfProject(Struct, frozen=True):
    """The project that an act is about."""

    name: Annotated[
        str, Meta(title="NAME", description="The name of a project, or its id or a prefix of it.")
    ]


def _with_status(status: ProjectStatus) -> Act:
    return Act(
        OfProject,
        lambda t, given: [t.projects.set_status(given.name, status)],
        lambda found: map(project_line, found),
        OWNER,
    )


CLOSE = _with_status("closed")
PAUSE = _with_status("paused")
REOPEN = _with_status("active")
