"""Preferences of the full screen: its theme, and its open panels."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError, field, json

FILE = "ui.json"
OPEN = ("plan", "evidence", "decisions", "issues", "stages")  # default panels
DARK, LIGHT = "textual-dark", "textual-light"


class Preferences(Struct, forbid_unknown_fields=False):
    """``theme``: one of Textual's; ``console``: whether the debug console is shown, null for where
    there is room; ``panels``: its open panels."""

    theme: str = ""
    console: bool | None = None
    panels: list[str] = field(default_factory=lambda: list(OPEN))


def load(folder: Path) -> Preferences:
    """The preferences saved in a folder; the defaults if none can be read."""
    try:
        found = json.decode((folder / FILE).read_bytes(), type=Preferences)
    except (OSError, DecodeError, ValidationError):
        found = Preferences()
    if not found.theme:
        found.theme = LIGHT if light_terminal(os.environ.get("COLORFGBG", "")) else DARK
    return found


def save(folder: Path, preferences: Preferences) -> None:
    """Saves the preferences in a folder. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = folder / f"{FILE}.part"
    part.write_bytes(json.encode(preferences))
    part.replace(folder / FILE)


def light_terminal(colors: str) -> bool:
    """True for a terminal that reports a light background in ``COLORFGBG`` (``15;0``): white or
    light grey."""
    background = colors.rpartition(";")[2]
    return background in ("7", "15")
