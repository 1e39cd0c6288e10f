"""The table ``project``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import Project

if TYPE_CHECKING:
    from thalamus.store.reader import Reader


def of_user(reader: Reader, user: str | None) -> list[Project]:
    """Projects of one user, or (None) shared ones, in the order of storing."""
    return reader.read(Project, 'SELECT * FROM project WHERE "user" IS ? ORDER BY key', user)
