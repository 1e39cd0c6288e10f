"""A commit, recorded as an activity of git: its message may have been written by an agent."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.agents.importing import store_steps
from thalamus.agents.transcript import Call, Transcript
from thalamus.clock import format_time, parse_time
from thalamus.errors import ThalamusError
from thalamus.memory.user.checkout import checkout_of
from thalamus.policy.activities import COMMITS
from thalamus.text.storable import storable

if TYPE_CHECKING:
    from thalamus.api import Thalamus

MOST_FILES = 50  # names of changed files that are kept
_FORM = "%H%n%cI%n%B"


def record_commit(thalamus: Thalamus) -> None:
    """Stores the last commit of the repository around the working directory, once. Raises
    ``ThalamusError`` if git cannot tell it."""
    commit, at, message = (_git("log", "-1", f"--format={_FORM}") + "\n\n").split("\n", 2)
    names = _git("diff-tree", "--no-commit-id", "--name-only", "-r", "--root", commit).splitlines()
    checkout = checkout_of(Path.cwd())
    args = {"commit": commit, "files": names[:MOST_FILES]}
    call = Call("commit", format_time(parse_time(at)), commit, args, message.strip() or None)
    branch = checkout.branch or "" if checkout is not None else ""
    name = checkout.name if checkout is not None else Path.cwd().name
    transcript = Transcript(COMMITS, name, [call], directory=str(Path.cwd()), branch=branch)
    store_steps(transcript, thalamus.new_run())


def _git(*arguments: str) -> str:
    found = subprocess.run(["git", *arguments], capture_output=True, check=False)
    text = storable((found.stdout or found.stderr).decode("utf-8", "replace"))
    if found.returncode:
        raise ThalamusError(f"git {arguments[0]}: {text.strip()}")
    return text.rstrip("\n")
