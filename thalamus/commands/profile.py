"""`thalamus profile`: the commands about the user."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.groups import Group
from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say, width

if TYPE_CHECKING:
    from thalamus.api import Thalamus

group = Group(
    "Show, set and edit who the user is. Without a command: `show`.",
    {
        "show": "profile:show",
        "set": "profile:set_fields",
        "edit": "profile:edit",
    },
    default="show",
)
KEPT = "profile-edit.yaml"  # holds a text that was not accepted


@settings(*OWNER, *STORE)
def show(
    config: Config,
    why: Annotated[
        bool, typer.Option("--why", help="Show below each line where it came from.")
    ] = False,
    json: Json = False,
) -> None:
    """Show who the user is, as every prompt says it.

    Prints a line for each known thing, the most important first, with the ids of its sources;
    `thalamus why ID` explains each. With --json: a `profile` record; with --why, an `origin` record
    for each id after it.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.explain import tree
    from thalamus.terminal.profile import profile_lines
    from thalamus.terminal.tree import lines

    with engine(config) as thalamus:
        profile = thalamus.facts.profile()
        ids = [id for line in profile.lines for id in line.ids]
        if json:
            jsonl.write(profile, *map(thalamus.why, ids if why else ()))
            return
        if not profile.lines:
            complain("Nothing is known about the user yet.")
            return
        if not why:
            for text in profile_lines(profile):
                say(text)
            return
        room = max(0, (width() or 0) - 2) or None
        for line in profile.lines:
            say(line.text)
            for id in line.ids:
                for text in lines(tree(thalamus.why(id)), room):
                    say(f"  {text}")


@settings("embedder", *OWNER, *STORE)
def set_fields(
    config: Config,
    fields: Annotated[
        list[str],
        typer.Argument(metavar="NAME=VALUE…", help="tone=friendly, languages=German,English …"),
    ],
    json: Json = False,
) -> None:
    """Set fields of the profile; NAME= clears one.

    Names: name, pronouns, home, occupation, employer, school, studies, languages, birthday,
    allergies, diet, likes, dislikes, tone, verbosity, language, file_formats. A new value is a fact
    from now on, and the previous one ends. Several values are separated by commas.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.policy.profile import FIELDS as PROFILE_FIELDS

    values: dict[str, list[str]] = {}
    for given in fields:
        name, sign, value = given.partition("=")
        name = name.strip()
        if not sign:
            raise UsageError(f"{given!r} has no value.", fix=f"Give {name}=VALUE, or {name}= .")
        known = PROFILE_FIELDS.get(name)
        many = known is not None and known.many
        values[name] = value.split(",") if many else [value]
    with engine(config) as thalamus:
        _set(thalamus, values, json)


@settings("embedder", *OWNER, *STORE)
def edit(
    config: Config,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Read this YAML file instead; - is stdin."),
    ] = None,
    json: Json = False,
) -> None:
    """Edit the profile as YAML in $EDITOR.

    A text that is not accepted is kept in a file, which the error names: correct it there, and give
    its name as FILE.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import ThalamusError, UsageError
    from thalamus.policy.profile import FIELDS as PROFILE_FIELDS
    from thalamus.terminal.profile import from_yaml, to_yaml

    with engine(config) as thalamus:
        before = thalamus.facts.profile_values()
        many = {name: field.many for name, field in PROFILE_FIELDS.items()}
        text = _read(file) if file is not None else _from_editor(to_yaml(before, many))
        try:
            given = from_yaml(text)
            changed = {name: new for name, new in given.items() if new != before.get(name, [])}
            if not changed:
                complain("Nothing was changed.")
                return
            _set(thalamus, changed, json)
            (config.state_dir / KEPT).unlink(missing_ok=True)  # no longer needed
        except ThalamusError as error:
            if file is not None:
                raise
            kept = _keep(text, config)
            message = f"{error.message} Nothing was changed."
            fix = f"Your text is kept in {kept}: correct it, then `thalamus profile edit {kept}`."
            raise UsageError(message, fix=fix) from None


def _set(thalamus: Thalamus, values: dict[str, list[str]], json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.profile import profile_lines

    profile = thalamus.facts.set_profile(**values)
    if (problem := thalamus.unembedded) is not None:
        complain(f"thalamus: stored without an embedding: {problem}")
    if json:
        jsonl.write(profile)
        return
    for line in profile_lines(profile):
        say(line)


def _from_editor(text: str) -> str:
    from thalamus.errors import UsageError
    from thalamus.terminal.editor import edited
    from thalamus.terminal.streams import typed

    if not (typed() and sys.stdout.isatty()):
        fix = "Use `thalamus profile set NAME=VALUE`, or `thalamus profile edit FILE`."
        raise UsageError("`profile edit` needs a terminal.", fix=fix)
    return edited(text, "profile.yaml")


def _read(file: Path) -> str:
    from thalamus.errors import UsageError
    from thalamus.terminal.streams import read_input

    try:
        data = read_input() if str(file) == "-" else file.read_bytes()
        return data.decode()
    except OSError as error:
        raise UsageError(f"Cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text.") from None


def _keep(text: str, config: Config) -> Path:
    """Saves a text that was not accepted, and returns its path."""
    from thalamus.files import replacing

    path = config.state_dir / KEPT
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        part.write(text.encode())
    return path
