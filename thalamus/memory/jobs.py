"""Jobs: the remaining stages of turns, run by any process.

This module has the jobs for stages that follow the answer of a turn; ``crystallize_jobs`` has the
other jobs of the same table.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.clock import days_later
from thalamus.storage.protocol.conditions import Where, below
from thalamus.storage.protocol.jobs import FINISH, StoredJob

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.storage.protocol.reader import Reader
    from thalamus.storage.protocol.writer import Writer

MOST_TRIES = 5  # attempts before a job is given up
LONGEST = 1 / 24  # days after which a job is available again, even if its process still runs


class Job(Struct, frozen=True):
    """The remaining ``stages`` of the flow of a ``turn``; ``tries``: attempts so far; ``taken``: a
    process is working on it."""

    id: str
    turn: str
    stages: tuple[str, ...]
    created_at: str
    tries: int = 0
    taken: bool = False

    @property
    def given_up(self) -> bool:
        """True when the job is only run on request."""
        return self.tries >= MOST_TRIES and not self.taken


def jobs(store: Reader, now: str) -> list[Job]:
    """Unfinished jobs, oldest first."""
    return [_job(one, now) for one in store.jobs.find(FINISH)]


def add_job(writer: Writer, job: Job) -> None:
    """Adds a job that any process may take."""
    stages = ",".join(job.stages)
    writer.jobs.add(StoredJob(job.id, FINISH, job.turn, job.created_at, stages=stages))


def take_job(
    writer: Writer, turn: str | None = None, but: Collection[str] = (), given_up: bool = False
) -> Job | None:
    """Takes the first available job for this process, of one ``turn`` or of any. Ids in ``but`` are
    skipped, and so are jobs that were ``given_up`` unless requested."""
    where: Where = {"turn": turn} if turn is not None else {}
    if not given_up:
        where = {**where, "tries": below(MOST_TRIES)}
    for one in writer.jobs.find(FINISH, where):
        if one.id in but or is_taken(one, writer.now):
            continue
        mark_taken(writer, one)
        return _job(one, writer.now)
    return None


def mark_taken(writer: Writer, job: StoredJob) -> None:
    """Records that this process works on a job."""
    stored = job._replace(state="taken", taken_at=writer.now, taken_by=this_process())
    writer.jobs.put(stored._replace(tries=job.tries + 1))


def give_back(writer: Writer, id: str, tried: bool) -> None:
    """Makes a job of this process available to others; ``tried`` counts an attempt."""
    for one in writer.jobs.find(FINISH, {"id": id, "taken_by": this_process()}):
        free = one._replace(state="waiting", taken_at=None, taken_by=None)
        writer.jobs.put(free if tried else free._replace(tries=one.tries - 1))


def finish_job(writer: Writer, turn: Turn) -> bool:
    """Deletes the job of a turn that has its reflection now: from here on the turn is only
    encrypted if it is personal. False when there is no job."""
    found = writer.jobs.delete(FINISH, turn.id or "")
    if found:
        writer.reveal(turn)
    return found


def is_taken(job: StoredJob, now: str) -> bool:
    """True when a process works on a job."""
    if job.state != "taken" or (job.taken_at or "") < days_later(now, -LONGEST):
        return False
    return not is_gone(job.taken_by or "")


def _job(stored: StoredJob, now: str) -> Job:
    return Job(
        id=stored.id,
        turn=stored.turn,
        stages=tuple((stored.stages or "").split(",")),
        created_at=stored.created_at,
        tries=stored.tries,
        taken=is_taken(stored, now),
    )


# -- processes ------------------------------------------------------------------------------------


def this_process() -> str:
    """Name of this process as the owner of jobs: its number, and its start time where that is
    known, because numbers are reused."""
    return f"{os.getpid()} {_began(os.getpid())}".strip()


def is_gone(taker: str) -> bool:
    """True when the process with this name has ended."""
    number, _, began = taker.partition(" ")
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return True
    except OSError:  # it exists, and belongs to another user
        pass
    return began != _began(int(number))


def _began(number: int) -> str:
    """Start of a process, in ticks since boot; empty where the system does not provide it."""
    try:
        status = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return status.rpartition(")")[2].split()[19]  # the name in parentheses may contain spaces
