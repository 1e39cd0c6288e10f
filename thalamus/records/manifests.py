"""Project manifests, compiled from the store on request and never stored."""

from __future__ import annotations

from msgspec import Struct

from thalamus.records.base import Record
from thalamus.records.profiles import ProjectStatus


class ManifestItem(Struct, kw_only=True, forbid_unknown_fields=True):
    """One entry of a manifest: its ``id`` (for a session, its name), its text, and when it was
    said."""

    id: str
    text: str
    at: str | None = None


class Manifest(Record, tag="manifest"):
    """The state of a project in brief, compiled without a model: the same store always gives the
    same manifest.

    ``project``: the requested one, that of the world state, or the only active one;
    ``active_projects``: the other active ones. ``memories`` and ``facts`` are about the project,
    facts only if they have not ended; ``sessions`` are the latest; ``documents`` are linked with
    the project.
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
