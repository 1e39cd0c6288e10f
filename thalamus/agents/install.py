"""Hooks in the configuration of other programs: added, and taken out again.

Only entries that run `thalamus hook run` are ever changed; whatever else a file has stays as it is.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import stat
import subprocess
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from thalamus.agents.homes import home_of
from thalamus.errors import ThalamusError, UsageError
from thalamus.files import replacing

GIT_LINE = "# added by `thalamus hook install git`"
SECONDS = 10  # that a program waits for a hook at most
Matcher = str | None
_SHELL = re.compile(r"[/ ](?:ba|da|z|k)?sh\b(?!/)")


class Client(Struct, frozen=True):
    """A program with hooks. ``file``: its configuration, in its directory; ``project``: the same in
    a project; ``events``: those that are recorded, each with what it is restricted to; ``unit``: of
    a timeout, in seconds; ``note``: the step that remains for the user."""

    name: str
    agent: str
    file: str
    project: str
    events: dict[str, Matcher]
    unit: float = 1.0
    note: str = ""


_CHANGES = "Edit|MultiEdit|Write|NotebookEdit|Bash"


CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-code",
            "claude-code",
            "settings.json",
            ".claude/settings.local.json",
            {
                "SessionStart": None,
                "UserPromptSubmit": None,
                "PostToolUse": _CHANGES,
                "PostToolUseFailure": _CHANGES,
                "Stop": None,
                "SessionEnd": None,
            },
        ),
        Client(
            "codex",
            "codex",
            "hooks.json",
            ".codex/hooks.json",
            {"SessionStart": None, "UserPromptSubmit": None, "Stop": None},
            note="Codex runs new hooks only after you accept them: type /hooks in it.",
        ),
        Client(
            "gemini",
            "gemini-cli",
            "settings.json",
            ".gemini/settings.json",
            {"SessionStart": None, "BeforeAgent": None, "AfterAgent": None, "SessionEnd": None},
            unit=0.001,
        ),
    )
}


class Change(Struct, frozen=True):
    """A change of a file, None for one that is not there. ``executable``: it is a script."""

    path: Path
    before: str | None
    after: str | None
    executable: bool = False

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty if nothing changes."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        name = str(self.path)
        return "".join(difflib.unified_diff(old, new, name, name))

    def apply(self) -> None:
        """Writes the file, or removes it. Raises ``OSError``."""
        if self.after is None:
            self.path.unlink(missing_ok=True)
            return
        target = self.path.resolve()  # a link to a file kept elsewhere stays one
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
        with replacing(target, mode=mode | 0o111 if self.executable else mode) as file:
            file.write(self.after.encode())


def change_of(name: str, command: list[str], project: Path | None, *, remove: bool) -> Change:
    """The change that installs the hooks of a program, or removes them. ``command``: how Thalamus
    is started; ``project``: the directory whose configuration is changed, instead of the user's.

    Raises ``UsageError`` for git outside of a repository, and ``ThalamusError`` for a configuration
    that is not JSON.
    """
    if name == "git":
        return _git_change(command, project or Path.cwd(), remove)
    client = CLIENTS[name]
    path = project / client.project if project is not None else home_of(client.agent) / client.file
    before = _read(path)
    settings = _parsed(before, path)
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise ThalamusError(f"{path}: `hooks` is not an object.", fix="Correct it first.")
    found = _without_ours(hooks)
    if not remove:
        line = shlex.join([*command, "hook", "run", name])
        if os.name == "posix":  # an exit status of 2 would block a prompt
            line += " || true"
        for event, matcher in client.events.items():
            handler = {"type": "command", "command": line, "timeout": round(SECONDS / client.unit)}
            group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
            groups = found.setdefault(event, [])
            if not isinstance(groups, list):
                raise ThalamusError(f"{path}: `{event}` is not a list.", fix="Correct it first.")
            groups.append({**group, "hooks": [handler]})
    if found:
        settings["hooks"] = found
    else:
        settings.pop("hooks", None)
    if not settings and (before is None or remove):
        return Change(path, before, None if _parsed(before, path) else before)
    same = before is not None and _parsed(before, path) == settings
    return Change(path, before, before if same else _written(settings, before or ""))


def _written(settings: dict[str, Any], before: str) -> str:
    """Settings in the form that a file had: its indentation and its ends of lines."""
    indent = _indent(before)
    encoded = msgspec.json.format(msgspec.json.encode(settings), indent=len(indent))
    text = encoded.decode() + "\n"
    if "\t" in indent:
        text = "\n".join(_with_tabs(line) for line in text.split("\n"))
    return text.replace("\n", "\r\n") if "\r\n" in before else text


def _with_tabs(line: str) -> str:
    spaces = len(line) - len(line.lstrip(" "))
    return "\t" * spaces + line[spaces:]


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ThalamusError(f"Cannot read {path}: {error}") from None


def _parsed(text: str | None, path: Path) -> dict[str, Any]:
    if text is None or not text.strip():
        return {}
    try:
        settings = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise ThalamusError(
            f"{path} is not plain JSON ({error}), and is left as it is.",
            fix="Take out its comments.",
        ) from None
    if not isinstance(settings, dict):
        raise ThalamusError(f"{path} does not hold a JSON object, and is left as it is.")
    return settings


def _without_ours(hooks: dict[str, Any]) -> dict[str, Any]:
    """The hooks of others, and settings among them; a group or an event that had only ours is left
    out."""
    found: dict[str, Any] = {}
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            found[event] = groups
            continue
        kept = []
        for group in groups:
            handlers = group.get("hooks") if isinstance(group, dict) else None
            if not isinstance(handlers, list) or not any(map(_is_ours, handlers)):
                kept.append(group)
            elif others := [one for one in handlers if not _is_ours(one)]:
                kept.append({**group, "hooks": others})
        if kept or not groups:
            found[event] = kept
    return found


def _is_ours(handler: Any) -> bool:
    """True for an entry that runs ``thalamus … hook run PROGRAM``, or ``python -m thalamus …``."""
    command = handler.get("command") if isinstance(handler, dict) else None
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    words = words[:-2] if words[-2:] == ["||", "true"] else words
    started = bool(words) and (Path(words[0]).stem == "thalamus" or "thalamus" in words[1:3])
    return started and words[-3:-1] == ["hook", "run"] and words[-1] in CLIENTS


def _indent(text: str) -> str:
    """The white space that a file is indented by."""
    for line in text.splitlines():
        if spaces := line[: len(line) - len(line.lstrip())]:
            return spaces[:1] if spaces.startswith("\t") else spaces
    return "  "


# -- git -------------------------------------------------------------------------------------------


def _git_change(command: list[str], directory: Path, remove: bool) -> Change:
    """The change of the script that git runs after a commit; our line is put before others', which
    may end the script."""
    path = _git_hooks(directory) / "post-commit"
    before = _read(path)
    lines = (before or "").splitlines()
    kept = [line for line in lines if GIT_LINE not in line]
    if remove:
        empty = not [line for line in kept if line.strip() and not line.startswith("#!")]
        after = None if empty else "\n".join(kept) + "\n"
        return Change(path, before, before if kept == lines else after, executable=True)
    line = f"{shlex.join([*command, 'hook', 'run', 'git'])} </dev/null || true  {GIT_LINE}"
    if kept and not kept[0].startswith("#!"):
        raise ThalamusError(f"{path} is not a script, and is left as it is.")
    if kept and not _SHELL.search(kept[0]):
        raise ThalamusError(
            f"{path} is no shell script, and is left as it is.",
            fix=f"Run this in it: {line.partition('  #')[0]}",
        )
    script = [*(kept[:1] or ["#!/bin/sh"]), line, *kept[1:]]
    return Change(path, before, "\n".join(script) + "\n", executable=True)


def _git_hooks(directory: Path) -> Path:
    """The folder of the hooks of a repository, wherever its configuration says. Raises
    ``UsageError``."""
    command = ["git", "-C", str(directory), "rev-parse", "--git-path", "hooks"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UsageError(f"git cannot be run: {error.strerror}.") from None
    if found.returncode:
        raise UsageError(f"{directory} is not in a git repository.", fix="Name one with --project.")
    return directory / found.stdout.strip()
