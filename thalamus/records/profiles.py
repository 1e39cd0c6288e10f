"""Who the user is, and what the user works on."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from thalamus.records.base import Record, Sensitivity, Text
from thalamus.records.memories import Provenance

ProjectStatus = Literal["active", "paused", "closed"]


class PersonaPrefs(Struct, kw_only=True, forbid_unknown_fields=True):
    """How the user wants to be answered; null and empty where nothing is known."""

    tone: str | None = None
    verbosity: str | None = None
    language: str | None = None
    file_formats: list[str] = []


class ProfileLine(Struct, kw_only=True, forbid_unknown_fields=True):
    """One line of a profile: the sentence, of what ``kind`` it is (name, home, work …), and the
    ``ids`` of the facts, memories or the project that it rests on, which `thalamus why` explains.
    ``in_prompt``: whether it stands in prompts; one that is personal, or found no room, does not.
    """

    text: str
    kind: str
    ids: list[str] = []
    in_prompt: bool = True


class Profile(Record, tag="profile"):
    """Who a user is, as far as the store knows at present: worked out of facts, memories and
    projects whenever it is asked for, and kept nowhere. ``user`` is null for what belongs to nobody
    in particular, ``projects`` are the names of the active ones, ``tokens`` an estimate of what the
    lines in a prompt cost.
    """

    user: str | None = None
    persona_prefs: PersonaPrefs = field(default_factory=PersonaPrefs)
    projects: list[str] = []
    lines: list[ProfileLine] = []
    tokens: int = 0


class Project(Record, tag="project"):
    """Something that the user works on. What belongs to it leads to it with a link ``about``.

    ``status``: active (known in every prompt), paused or closed, then since ``closed_at``.
    ``sensitivity`` is ``personal`` when what it says is to be kept encrypted. ``provenance`` names
    the turn in which the user spoke of it; a project added by hand has none.
    """

    name: Text
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
