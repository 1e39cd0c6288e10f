"""Which process took a job, and whether it is still there."""

from __future__ import annotations

import os
from pathlib import Path


def this_process() -> str:
    """The name under which this process takes jobs: its number, and when it began where that is
    known, for numbers are used again."""
    return f"{os.getpid()} {_began(os.getpid())}".strip()


def is_gone(taker: str) -> bool:
    """Whether the process with this name has ended."""
    number, _, began = taker.partition(" ")
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return True
    except OSError:  # it is there, and belongs to another user
        pass
    return began != _began(int(number))


def _began(number: int) -> str:
    """When a process began, in ticks since the system did; empty where the system does not say."""
    try:
        status = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return status.rpartition(")")[2].split()[19]  # the name in brackets may hold blanks
