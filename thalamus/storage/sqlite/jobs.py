"""Jobs: what is left to be done for turns, whichever process left it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection
from pathlib import Path

from thalamus.clock import days_later
from thalamus.storage.protocol import MOST_TRIES, Job


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


LONGEST = 1 / 24  # days after which a job is free, whatever became of the process that took it
_QUERY = "SELECT n, id, kind, turn, state, created_at, taken_at, taken_by, tries FROM job"


def jobs(db: sqlite3.Connection, now: str) -> list[Job]:
    """All of them, oldest first."""
    return [_job(row, now) for row in db.execute(f"{_QUERY} ORDER BY n")]


def add(db: sqlite3.Connection, job: Job) -> None:
    """Leaves a job. See ``storage.protocol.JobWriter``, as for the next three."""
    db.execute(
        "INSERT INTO job (id, kind, turn, created_at) VALUES (?,?,?,?)",
        (job.id, ",".join(job.stages), job.turn, job.created_at),
    )


def take(
    db: sqlite3.Connection, now: str, turn: str | None, but: Collection[str], given_up: bool
) -> Job | None:
    """The next job that is free, now this process's; None when it is missing."""
    query = f"{_QUERY} WHERE (?1 IS NULL OR turn = ?1) AND (?2 OR tries < ?3) ORDER BY n"
    for row in db.execute(query, (turn, given_up, MOST_TRIES)).fetchall():
        if row["id"] in but or _is_taken(row, now):
            continue
        db.execute(
            "UPDATE job SET state = 'taken', taken_at = ?, taken_by = ?, tries = tries + 1"
            " WHERE n = ?",
            (now, this_process(), row["n"]),
        )
        return _job(row, now)
    return None


def give_back(db: sqlite3.Connection, id: str, tried: bool) -> None:
    """Frees a job that this process took; ``tried``: it counts as an attempt."""
    db.execute(
        "UPDATE job SET state = 'waiting', taken_at = NULL, taken_by = NULL,"
        " tries = tries - ? WHERE id = ? AND taken_by = ?",
        (0 if tried else 1, id, this_process()),
    )


def finish(db: sqlite3.Connection, turn: str | None) -> bool:
    """Removes the job of a turn; False when it is missing."""
    return db.execute("DELETE FROM job WHERE turn = ?", (turn,)).rowcount > 0


def _is_taken(row: sqlite3.Row, now: str) -> bool:
    """Whether a process is at work on a job."""
    if row["state"] == "waiting" or row["taken_at"] < days_later(now, -LONGEST):
        return False
    return not is_gone(row["taken_by"] or "")


def _job(row: sqlite3.Row, now: str) -> Job:
    return Job(
        id=row["id"],
        turn=row["turn"],
        stages=tuple(row["kind"].split(",")),
        created_at=row["created_at"],
        tries=row["tries"],
        taken=_is_taken(row, now),
    )
