"""`thalamus hook install` and `remove`: only our entries change, and all of them go."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result

Run = Callable[..., Result]
FILES = {
    "claude-code": (".claude/settings.json", "UserPromptSubmit"),
    "codex": (".codex/hooks.json", "UserPromptSubmit"),
    "gemini": (".gemini/settings.json", "BeforeAgent"),
}
OTHERS = {
    "model": "opus",
    "ünicode": [1, 2.5, None],
    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}], "Empty": []},
}


@pytest.fixture
def environment(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    return environment | {"HOME": str(tmp_path)}


@pytest.mark.parametrize("program", sorted(FILES))
@pytest.mark.parametrize("before", [None, {}, OTHERS])
@pytest.mark.parametrize("in_project", [False, True])
def test_hooks_come_and_go(
    run: Run, tmp_path: Path, program: str, before: Any, in_project: bool
) -> None:
    name, prompt = FILES[program]
    if in_project:  # not in the file that a team shares
        name = (
            name.replace("settings.json", "settings.local.json")
            if program == "claude-code"
            else name
        )
    root = tmp_path / "project" if in_project else tmp_path
    where = ["--project", str(root)] if in_project else []
    root.mkdir(exist_ok=True)
    path = root / name
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(before, indent=4))
        path.chmod(0o600)
    shown = run("hook", "install", program, *where, "--dry-run", "--user", "ana")
    assert shown.code == 0 and "+" in shown.stdout
    assert path.exists() == (before is not None)

    assert run("hook", "install", program, *where, "--yes", "--user", "ana").code == 0
    settings = json.loads(path.read_text())
    [group] = settings["hooks"][prompt]
    [handler] = group["hooks"]
    assert handler["timeout"] == (10_000 if program == "gemini" else 10)
    words = shlex.split(handler["command"].removesuffix(" || true"))
    assert words[-5:] == ["--user", "ana", "hook", "run", program]
    assert handler["command"].endswith(" || true")
    for name, value in (before or {}).items():
        assert name == "hooks" or settings[name] == value
    if before is not None:
        assert path.stat().st_mode & 0o777 == 0o600
    assert (
        "already installed"
        in run("hook", "install", program, *where, "--yes", "--user", "ana").stdout
    )
    if not in_project:
        [line] = [one for one in run("hook").stdout.splitlines() if str(path) in one]
        assert line.split()[:2] == [program, "installed"]

    # other options replace the entries
    assert run("hook", "install", program, *where, "--yes").code == 0
    assert "ana" not in path.read_text()
    assert run("hook", "remove", program, *where, "--yes").code == 0
    assert not path.exists() or json.loads(path.read_text()) == (before or {})
    assert "no hooks" in run("hook", "remove", program, *where, "--yes").stdout


@pytest.mark.parametrize(
    "text", ["{ // a comment\n}", "[]", '{"hooks": []}', '{"hooks": {"Stop": 1}}']
)
def test_what_is_not_understood_is_left_as_it_is(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(text)
    done = run("hook", "install", "claude-code", "--yes")
    assert done.code == 1 and str(path) in done.stderr
    assert path.read_text() == text


def test_nothing_changes_without_consent(run: Run, tmp_path: Path) -> None:
    done = run("hook", "install", "claude-code")
    assert done.code == 2 and "--yes" in done.stderr
    assert not (tmp_path / ".claude").exists()
    assert run("hook", "install", "emacs").code == 2


def test_a_link_to_the_configuration_stays_one(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles" / "settings.json"
    kept.parent.mkdir()
    kept.write_text("{}")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").symlink_to(kept)
    run("hook", "install", "claude-code", "--yes")
    assert (tmp_path / ".claude" / "settings.json").is_symlink() and "hook run" in kept.read_text()


@pytest.mark.parametrize("before", [None, "#!/bin/sh\nexit 0\n"])
def test_the_hook_of_git(run: Run, tmp_path: Path, before: str | None) -> None:
    root = tmp_path / "repo"
    assert run("hook", "install", "git", "--project", str(tmp_path), "--yes").code == 2
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    path = root / ".git" / "hooks" / "post-commit"
    if before is not None:
        path.write_text(before)
    assert run("hook", "install", "git", "--project", str(root), "--yes").code == 0
    first, second, *_ = path.read_text().splitlines()
    assert first == "#!/bin/sh" and "hook run git" in second and path.stat().st_mode & 0o111
    assert "already" in run("hook", "install", "git", "--project", str(root), "--yes").stdout
    assert run("hook", "remove", "git", "--project", str(root), "--yes").code == 0
    assert (path.read_text() if path.exists() else None) == before


def test_a_hook_in_another_language_is_left_as_it_is(run: Run, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    path = tmp_path / ".git" / "hooks" / "post-commit"
    path.write_text("#!/usr/bin/env python3\n")
    done = run("hook", "install", "git", "--project", str(tmp_path), "--yes")
    assert done.code == 1 and "hook run git" in done.stderr
