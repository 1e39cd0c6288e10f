"""`thalamus config`: shows, checks and changes the settings, and trusts project files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.groups import DefaultsToShow
from thalamus.commands.options import PERSONA, RECALL, STORE, Json, settings
from thalamus.config import Config
from thalamus.errors import ConfigError
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.config_file import Check

app = typer.Typer(
    cls=DefaultsToShow,
    rich_markup_mode=None,
    add_completion=False,
    help="Show, check and change the configuration. Without a command: `show`.",
)
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print how the file would change, and change nothing.")
]
Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="A setting, or with a dot an entry: models.answer."),
]
Edit = Callable[[Path, "Check"], str]


@app.command()
@settings(*STORE, lenient=True)
def path(config: Config, problems: list[ConfigError], json: Json = False) -> None:
    """Print the files and directories in use."""
    from thalamus.records.installation import ConfigPath
    from thalamus.terminal import jsonl

    for name, where in _paths(config):
        if json:
            jsonl.write(ConfigPath(name=name, path=str(where), exists=where.exists()))
        else:
            say(f"{name:13}  {where}" + ("" if where.exists() else "  (missing)"))


def _paths(config: Config) -> list[tuple[str, Path]]:
    """(purpose, path) of each file and directory in use."""
    from thalamus.config import FILE, PROJECT_FILE, USER_FILE, find_project_file, user_dir

    given = config.origin.get("home") in ("flag", "THALAMUS_HOME")
    # not affected by `home` in a file
    own = user_dir(config.home if given else None)
    found = [
        ("user file", own / USER_FILE),
        ("project file", find_project_file(Path.cwd()) or Path.cwd() / PROJECT_FILE),
        ("trusted folders", own / FILE),
        ("own prompts", config.prompts_folder),
        ("retention", config.config_dir / "retention.yaml"),
        *_of_store(config),
        ("models", config.cache_dir / "models"),
        ("state", config.state_dir),
    ]
    return found + ([("log", Path(config.log_file))] if config.log_file else [])


def _of_store(config: Config) -> list[tuple[str, Path]]:
    """The file of the store and the folder of its indexes; nothing for one in a server."""
    from thalamus.commands.options import engine

    file = engine(config).store.file
    return [("store", file), ("indexes", file.parent / "index")] if file is not None else []


@app.command()
@settings("session", "project", *RECALL, *PERSONA, *STORE, lenient=True)
def show(config: Config, problems: list[ConfigError], json: Json = False) -> None:
    """Print each setting with its value, origin and meaning.

    The output can be used as a configuration file. Invalid settings are left out and reported
    with their file and line; the exit status is then 2.
    """
    import sys

    import msgspec

    from thalamus.commands.options import engine
    from thalamus.config import meanings
    from thalamus.records.installation import Setting
    from thalamus.terminal import jsonl
    from thalamus.terminal.problems import report

    known = meanings()
    for name, shown, origin in engine(config).settings():
        if json:
            meaning = known.get(name, "")
            jsonl.write(Setting(name=name, value=shown, origin=origin, meaning=meaning))
        else:
            written = f"{name}: {msgspec.json.encode(shown).decode()}"
            say(f"{written:32}  # {origin}: {known.get(name, '')}")
    for problem in problems:
        problem.fix = ""  # its advice would be to run this command
        report(problem)
    if problems:
        sys.exit(problems[0].code)


@app.command()
def check(
    home: Annotated[
        str | None,
        typer.Option(
            "--home", metavar="DIR", help="Keep configuration, store and cache in this directory."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check files, variables, prompt templates, model names and flows.

    Exit status 2 if there is a problem.
    """
    import sys

    from thalamus.diagnostics import check_configuration
    from thalamus.terminal.checks import show_checks

    if show_checks(check_configuration(home or ""), json):
        sys.exit(2)


@app.command("set")
@settings(*STORE, lenient=True)
def set_(
    config: Config,
    problems: list[ConfigError],
    name: Name,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its value.")],
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Set a setting in your configuration file.

    A missing file is created. The value is checked first; comments and the order of the file stay.
    With --json: the `setting` record.
    """
    from thalamus.config_file import set_value

    def edit(path: Path, check: Check) -> str:
        return set_value(path, name, value, check, dry_run=dry_run)

    _change(config, name, edit, dry_run=dry_run, json=json)


@app.command()
@settings(*STORE, lenient=True)
def unset(
    config: Config,
    problems: list[ConfigError],
    name: Name,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Remove a setting from your configuration file.

    It has its default value again. With --json: the `setting` record.
    """
    from thalamus.config_file import unset_value

    def edit(path: Path, check: Check) -> str:
        return unset_value(path, name, check, dry_run=dry_run)

    _change(config, name, edit, dry_run=dry_run, json=json)


@app.command()
def trust(
    folder: Annotated[
        str | None,
        typer.Argument(
            metavar="DIR", help="A directory with a `.thalamus.yaml`.", show_default=False
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the trusted directories.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Stop trusting the directory.")] = False,
    home: Annotated[
        str | None,
        typer.Option(
            "--home", metavar="DIR", help="Keep configuration, store and cache in this directory."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Trust the project file of a directory.

    All its settings take effect until the file changes. Without trust only harmless ones do:
    persona, project, flow, temperature, timezone and limits.
    """
    from thalamus.commands.trust import accept, show_trusted, take_back
    from thalamus.config import TrustedFolders, user_dir
    from thalamus.errors import UsageError

    trusted = TrustedFolders(user_dir(home or os.environ.get("THALAMUS_HOME")))
    if listed and not (folder or revoke):
        show_trusted(trusted, json)
    elif folder is None or listed:
        raise UsageError("Give a directory, or --list alone.")
    elif revoke:
        take_back(Path(folder), trusted, json)
    else:
        accept(Path(folder), trusted, json)


def _change(config: Config, name: str, edit: Edit, *, dry_run: bool, json: bool) -> None:
    """Changes the user's file and prints the new value of the setting, or with a dry run the
    changed lines.

    Raises ``ConfigError`` for a change that causes a problem.
    """
    from thalamus.config import user_file
    from thalamus.terminal.changed_settings import check_change

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
    _show_setting(config, name.split(".")[0], path, json)


def _show_setting(config: Config, name: str, path: Path, json: bool) -> None:
    """Prints the setting as `config show` does, with a warning if something overrides it."""
    import msgspec

    from thalamus.commands.options import engine
    from thalamus.config import load, meanings
    from thalamus.records.installation import Setting
    from thalamus.terminal import jsonl

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
