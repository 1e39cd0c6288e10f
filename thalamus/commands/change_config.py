"""Changes of the configuration file, and what is printed about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.errors import ConfigError

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.config_file import Check

Edit = Callable[[Path, "Check"], str]


def user_file(config: Config) -> Path:
    """The configuration file of the user, whether it is there or not."""
    from thalamus.config import USER_FILE, user_dir

    given = config.origin.get("home") in ("flag", "THALAMUS_HOME")
    return user_dir(config.home if given else None) / USER_FILE


def change(config: Config, name: str, edit: Edit, *, dry_run: bool, json: bool) -> None:
    """Changes the user's file and prints what the setting is then, or how the file would change.
    Raises ``ConfigError`` for a change that brings a problem."""
    from thalamus.terminal.streams import complain, say

    path = user_file(config)
    warnings: list[str] = []
    diff = edit(path, lambda before, after: _check(config, before, after, warnings))
    for warning in warnings:
        complain(f"thalamus: {warning}")
    if not diff:
        complain(f"{path} stays as it is.")
    if dry_run:
        for line in diff.splitlines():
            say(line)
        return
    _show(config, name.split(".")[0], path, json)


def check_change(config: Config) -> Check:
    """The check of a change by itself: warnings are printed."""
    from thalamus.terminal.streams import complain

    def check(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        warnings: list[str] = []
        _check(config, before, after, warnings)
        for warning in warnings:
            complain(f"thalamus: {warning}")

    return check


def _check(
    config: Config, before: Mapping[str, Any], after: Mapping[str, Any], warnings: list[str]
) -> None:
    """Raises ``ConfigError`` for the first problem that a change brings, and adds warnings."""
    from thalamus.api import new_problems

    for found in new_problems(config.home, before, after):
        if found.state == "problem":
            detail = found.detail.removeprefix("Invalid configuration: ")
            raise ConfigError(detail, fix=found.fix or ConfigError.fix)
        warnings.append(" ".join(filter(None, [found.detail, found.fix])))


def _show(config: Config, name: str, path: Path, json: bool) -> None:
    """Prints the setting as `config show` does, and says what keeps it from taking effect."""
    import msgspec

    from thalamus.commands.options import engine
    from thalamus.config import load, meanings
    from thalamus.records import Setting
    from thalamus.terminal import jsonl
    from thalamus.terminal.streams import complain, say

    given = {"home": config.home} if config.origin.get("home") == "flag" else {}
    now = load(given, problems=[])
    [(value, origin)] = [row[1:] for row in engine(now).settings() if row[0] == name]
    if json:
        meaning = meanings().get(name, "")
        jsonl.write(Setting(name=name, value=value, origin=origin, meaning=meaning))
    else:
        say(f"{name}: {msgspec.json.encode(value).decode()}  # {origin}")
    if origin not in (str(path), "default"):
        complain(f"thalamus: {origin} has the last word about {name} here.")
