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


def last_commit() -> str:
    """The hash of the last commit around the working directory. Raises ``ThalamusError``."""
    return _git("rev-parse", "HEAD")


def record_commit(hash: str, thalamus: Thalamus) -> None:
    """Stores a commit of the repository around the working directory, once. Raises
    ``ThalamusError`` if git cannot tell it."""
    shown = _git("log", "-1", f"--format={_FORM}", hash)
    commit, at, message = f"{shown}\n\n".split("\n", 2)
    changed = ("diff-tree", "--no-commit-id", "--name-only", "-r", "--root", commit)
    names = _git("-c", "core.quotePath=false", *changed).splitlines()
    checkout = checkout_of(Path.cwd())
    args = {"commit": commit, "files": names[:MOST_FILES]}
    call = Call("commit", format_time(parse_time(at)), commit, args, message.strip() or None)
    branch = checkout.branch or "" if checkout is not None else ""
    name = checkout.name if checkout is not None else Path.cwd().name
    transcript = Transcript(COMMITS, name, [call], directory=str(Path.cwd()), branch=branch)
    store_steps(transcript, thalamus.new_run(), thalamus.store.forgotten())


def _git(*arguments: str) -> str:
    found = subprocess.run(["git", *arguments], capture_output=True, check=False)
    text = storable((found.stdout or found.stderr).decode("utf-8", "replace"))
    if found.returncode:
        raise ThalamusError(f"git {' '.join(arguments[:3])}: {text.strip()}")
    return text.rstrip("\n")
