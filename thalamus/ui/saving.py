"""Writing the settings of the screen to the configuration file, as `thalamus config set` does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.config import load, user_file
from thalamus.config_file import set_value, unset_value
from thalamus.terminal.changed_settings import check_change

if TYPE_CHECKING:
    from thalamus.config import Config

SAVED = ("memory", "log_prompts", "log_level", "model")


def save_settings(config: Config) -> list[str]:
    """Writes the settings of the page that differ from those of the next start; returns lines about
    the changes in the file and about values that override them. Raises ``ConfigError``."""
    path = user_file(config)
    warnings: list[str] = []
    check = check_change(config.home, warnings.append)
    saved: dict[str, str] = {}
    for name, value in _changed(config):
        if value is None:
            unset_value(path, name, check)
        else:
            set_value(path, name, value, check)
        saved[name] = value or "(taken out)"
    if not saved:
        return [f"Nothing to save: {path} and this start say the same."]
    written = [f"{name}: {value}" for name, value in saved.items()]
    return [f"Saved to {path}:", *written, *warnings, *_overridden(config, path, saved)]


def _changed(config: Config) -> Iterator[tuple[str, str | None]]:
    """(name, value) of settings that differ from the next start; None: to be removed."""
    next_start = _next_start(config)
    for name in SAVED:
        value = getattr(config, name)
        if value != getattr(next_start, name):
            yield name, str(value).lower() if isinstance(value, bool) else value
    for role in sorted({*config.models, *next_start.models}):
        if config.models.get(role) != next_start.models.get(role):
            yield f"models.{role}", config.models.get(role)


def _overridden(config: Config, path: Path, saved: dict[str, str]) -> Iterator[str]:
    next_start = _next_start(config)
    for name in dict.fromkeys(name.partition(".")[0] for name in saved):
        origin = next_start.origin.get(name, "default")
        if origin not in (str(path), "default"):
            yield f"{origin} has the last word about {name} here."


def _next_start(config: Config) -> Config:
    given = {"home": config.home} if config.origin.get("home") == "flag" else {}
    return load(given, problems=[])
