"""The state of a project in short, worked out of what is kept and kept nowhere."""

from __future__ import annotations

from msgspec import Struct

from thalamus.records.base import Record
from thalamus.records.profiles import ProjectStatus


class ManifestItem(Struct, kw_only=True, forbid_unknown_fields=True):
    """One thing in a manifest: its ``id`` (of a session its name), what it says, and when it was
    said."""

    id: str
    text: str
    at: str | None = None


class Manifest(Record, tag="manifest"):
    """The state of a project in short, compiled without a model: the same store always gives the
    same.

    ``project``: the one that was asked for, or that of the world state, or the only active one;
    ``active_projects`` the others that are active. ``memories`` and ``facts`` are about the
    project, facts only those that did not end; ``sessions`` are the last ones, ``documents`` those
    that are linked with the project.
    """

    user: str | None = None
    project: str | None = None
    status: ProjectStatus | None = None
    description: str | None = None
    active_projects: list[str] = []
    goals: list[str] = []
    topics: list[str] = []
    memories: list[ManifestItem] = []
    facts: list[ManifestItem] = []
    sessions: list[ManifestItem] = []
    documents: list[ManifestItem] = []
