"""Pending turns (answered, but not reflected on), finished by other commands."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from thalamus.terminal.streams import complain

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.config import Config

MOST = 3  # pending turns that a command finishes besides its own work


def finish_some(thalamus: Thalamus, most: int | None = MOST) -> None:
    """Finishes turns that an earlier command left pending, after this one has printed its
    output. Problems are printed and do not change the exit status: the turns stay pending."""
    from thalamus.errors import ThalamusError

    sys.stdout.flush()
    try:
        for finished in thalamus.finish_turns(limit=most):
            if finished.problem is not None:
                print_problem(finished.problem)
    except ThalamusError as error:  # unless the command has reported it already
        if str(error) not in [str(failure) for _, failure in thalamus.failures]:
            print_problem(error)


def print_problem(problem: Exception) -> None:
    """Prints why a turn is still pending, on standard error."""
    complain(f"thalamus: reflection on a turn is still pending: {problem}")
    if advice := getattr(problem, "advice", ""):
        complain(f"  {advice}")


def finish_in_the_background(config: Config) -> None:
    """Starts a process that finishes the pending turns, without waiting for it. It inherits none
    of the pipes of this one; if it fails, the next command finishes the turns."""
    import subprocess

    flags = {
        name: getattr(config, name) for name, source in config.origin.items() if source == "flag"
    }
    given = {f"THALAMUS_{name.upper()}": str(value) for name, value in flags.items()}
    try:
        subprocess.Popen(
            [sys.executable, "-m", "thalamus", "reflect", "--pending"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | given,
            start_new_session=True,
        )
    except OSError as error:
        print_problem(error)
