"""Preferences of the full screen: its theme, and which panels are shown."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError, field, json

FILE = "ui.json"
OPEN = ("plan", "evidence", "decisions", "issues", "stages")  # panels, at first
DARK, LIGHT = "textual-dark", "textual-light"


class Preferences(Struct, forbid_unknown_fields=False):
    """``theme`` is one of Textual's, ``console`` whether the debug console is shown, ``panels``
    those of it that are open."""

    theme: str = ""
    console: bool = False
    panels: list[str] = field(default_factory=lambda: list(OPEN))


def load(folder: Path) -> Preferences:
    """The preferences kept in a folder; the defaults where there are none that can be read."""
    try:
        found = json.decode((folder / FILE).read_bytes(), type=Preferences)
    except (OSError, DecodeError, ValidationError):
        found = Preferences()
    if not found.theme:
        found.theme = LIGHT if light_terminal(os.environ.get("COLORFGBG", "")) else DARK
    return found


def save(folder: Path, preferences: Preferences) -> None:
    """Keeps the preferences in a folder. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = folder / f"{FILE}.part"
    part.write_bytes(json.encode(preferences))
    part.replace(folder / FILE)


def light_terminal(colors: str) -> bool:
    """True if a terminal that says its colours in ``COLORFGBG`` (``15;0``) has a light background:
    white, or light grey."""
    background = colors.rpartition(";")[2]
    return background in ("7", "15")
