"""User profiles."""

from __future__ import annotations

from msgspec import Struct, field

from thalamus.records.base import Record


class PersonaPrefs(Struct, kw_only=True, forbid_unknown_fields=True):
    """Preferences of the user for answers; null or empty if unknown."""

    tone: str | None = None
    verbosity: str | None = None
    language: str | None = None
    file_formats: list[str] = []


class ProfileLine(Struct, kw_only=True, forbid_unknown_fields=True):
    """One line of a profile: its text, its ``kind`` (name, home, work …), and the ``ids`` of the
    facts, memories or project it rests on, which `thalamus why` explains. ``in_prompt``: whether it
    is part of prompts; a personal line, or one that does not fit, is not."""

    text: str
    kind: str
    ids: list[str] = []
    in_prompt: bool = True


class Profile(Record, tag="profile"):
    """A user as far as the store knows at present, compiled from facts, memories and projects on
    request and never stored. ``user``: null for records without an owner; ``projects``: names of
    the active ones; ``tokens``: estimated size of its lines in a prompt."""

    user: str | None = None
    persona_prefs: PersonaPrefs = field(default_factory=PersonaPrefs)
    projects: list[str] = []
    lines: list[ProfileLine] = []
    tokens: int = 0
