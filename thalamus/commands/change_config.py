"""Changes of the configuration file, with their output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.config_file import Check

Edit = Callable[[Path, "Check"], str]


def change(config: Config, name: str, edit: Edit, *, dry_run: bool, json: bool) -> None:
    """Changes the user's file and prints the new value of the setting, or with a dry run the
    changed lines.

    Raises ``ConfigError`` for a change that causes a problem.
    """
    from thalamus.config import user_file
    from thalamus.terminal.changed_settings import check_change
    from thalamus.terminal.streams import complain, say

    path = user_file(config)
    warnings: list[str] = []
    diff = edit(path, check_change(config.home, warnings.append))
    for warning in warnings:
        complain(f"thalamus: {warning}")
    if not diff:
        complain(f"{path} stays as it is.")
    if dry_run:
        for line in diff.splitlines():
            say(line)
        return
    _show(config, name.split(".")[0], path, json)


def _show(config: Config, name: str, path: Path, json: bool) -> None:
    """Prints the setting as `config show` does, with a warning if something overrides it."""
    import msgspec

    from thalamus.commands.options import engine
    from thalamus.config import load, meanings
    from thalamus.records.installation import Setting
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
        complain(f"thalamus: {origin} overrides {name} here.")
