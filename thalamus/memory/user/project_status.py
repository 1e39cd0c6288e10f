"""Status of projects that a message introduced: they close with the fact that introduced them, and
open again if its end is taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from thalamus.policy.entities import USER, key_of
from thalamus.policy.projects import WORKS_ON, with_name
from thalamus.policy.timeline import moment
from thalamus.records import Event, Fact, Project
from thalamus.store import projects as project_rows
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.records import ProjectStatus
    from thalamus.store.writer import Writer


def close_introduced(facts: Sequence[Fact], end: str | None, writer: Writer) -> None:
    """Closes the projects introduced by facts of one statement that no longer holds, since
    ``end``."""
    for project in _introduced(facts, writer):
        if project.status == "active":
            _set(project, "closed", end or writer.now, writer)


def reopen_introduced(
    facts: Sequence[Fact], before: Sequence[tuple[str, str | None]], writer: Writer
) -> None:
    """Opens such projects again that were closed when the facts ended, which they did at an end of
    the intervals ``before``. Those closed by hand stay closed."""
    ends = {moment(end) for _, end in before if end is not None}
    for project in _introduced(facts, writer):
        if project.status == "closed" and project.closed_at and moment(project.closed_at) in ends:
            _set(project, "active", None, writer)


def _introduced(facts: Sequence[Fact], writer: Writer) -> Iterator[Project]:
    """Projects that a message introduced and that these facts name."""
    for fact in facts[:1]:
        if fact.predicate != WORKS_ON or key_of(fact.subject) != USER or is_hidden(fact):
            return
        own = [one for one in project_rows.of_user(writer, fact.user) if not is_hidden(one)]
        for project in with_name(own, fact.object):
            if project.provenance is not None:
                yield project


def _set(project: Project, status: ProjectStatus, closed_at: str | None, writer: Writer) -> None:
    writer.change(Project, project.stored_id, status=status, closed_at=closed_at)
    data = {"project": project.id, "status": status}
    writer.add_event(Event(name="project_changed", at=writer.now, data=data))
