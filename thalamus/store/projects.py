"""The table ``project``."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from thalamus.records import Memory, Project

if TYPE_CHECKING:
    from thalamus.store.reader import Reader


BELONGING = """
SELECT link.source, link.target FROM link JOIN project ON project.id = link.target
WHERE link.relation = 'about' AND link.source IN (SELECT value FROM json_each(?))"""
IN_SEVERAL = """
SELECT memory.* FROM memory WHERE memory.status = 'active' AND memory.id IN (
    SELECT link.source FROM link JOIN project ON project.id = link.target
    WHERE link.relation = 'about' GROUP BY link.source HAVING count(*) >= ?)
ORDER BY memory.key"""


def of_records(reader: Reader, ids: Collection[str]) -> dict[str, set[str]]:
    """Ids of the projects that records are linked with, by the ids of the records."""
    found: dict[str, set[str]] = {}
    for source, target in reader.fetch(BELONGING, [*ids]) if ids else ():
        found.setdefault(source, set()).add(target)
    return found


def memories_in_several(reader: Reader, count: int) -> list[Memory]:
    """The active memories that are linked with at least so many projects."""
    return reader.read(Memory, IN_SEVERAL, count)


def of_user(reader: Reader, user: str | None) -> list[Project]:
    """Projects of one user, or (None) shared ones, in the order of storing."""
    return reader.read(Project, 'SELECT * FROM project WHERE "user" IS ? ORDER BY key', user)
