"""Projects as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from thalamus.terminal.lines import one_line
from thalamus.terminal.local import day

if TYPE_CHECKING:
    from thalamus.records import Project
    from thalamus.records.reports import Origin


def project_line(project: Project) -> str:
    """``active  Herb Garden: herbs on the balcony  (garden)  [prj_…]``."""
    about = f": {one_line(project.description, 100)}" if project.description else ""
    tags = f"  ({', '.join(map(one_line, project.tags))})" if project.tags else ""
    return f"{project.status:6}  {one_line(project.name)}{about}{tags}  [{project.id}]"


def project_fields(project: Project) -> Iterator[str]:
    """A line for each field that is set."""
    closed = f", since {day(project.closed_at)}" if project.closed_at else ""
    source = project.provenance.turn if project.provenance else None
    fields = {
        "name": project.name,
        "id": project.id,
        "status": f"{project.status}{closed}",
        "description": project.description,
        "repository": project.repo_url,
        "tags": ", ".join(project.tags),
        "added": day(project.created_at),
        "said in": source,
        "user": project.user,
        "sensitivity": project.sensitivity if project.sensitivity != "normal" else None,
    }
    for name, value in fields.items():
        if value:
            yield f"{name:12}  {one_line(value)}"


def linked_lines(linked: Iterable[Origin]) -> Iterator[str]:
    """A line for each thing linked with a project."""
    for origin in linked:
        state = f"  ({origin.status})" if origin.status else ""
        stale = f"  (no longer: {one_line(origin.stale)})" if origin.stale else ""
        text = f"{day(origin.at)}  {one_line(origin.text, 100)}"
        yield f"{origin.kind:12}  {text}  [{origin.id}]{state}{stale}"
