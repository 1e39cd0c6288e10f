"""Projects and their manifests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from thalamus.records.base import Record, Sensitivity, Text
from thalamus.records.memories import Provenance

ProjectStatus = Literal["active", "paused", "closed"]


class Project(Record, tag="project"):
    """A project of the user. Records that belong to it have a link ``about`` to it.

    ``status``: active (known in every prompt), paused or closed (since ``closed_at``).
    ``sensitivity``: ``personal`` if its content is to be stored encrypted. ``provenance``: the turn
    in which the user mentioned it; null if added by hand.
    """

    name: Text
    if TYPE_CHECKING:
        id: str = ""  # once stored
    else:
        id: str | None = None
    description: str | None = None
    repo_url: str | None = None
    tags: list[Text] = []
    status: ProjectStatus = "active"
    created_at: str | None = None
    recorded_at: str | None = None
    closed_at: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    sensitivity: Sensitivity = "normal"
    provenance: Provenance | None = None


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
