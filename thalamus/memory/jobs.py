"""Jobs: what is left to be done for turns, whichever process left it.

Here are those for the stages of a turn that follow its answer; ``crystallize_jobs`` has the others
of the same table.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.clock import days_later
from thalamus.storage.protocol import FINISH, Where, below
from thalamus.storage.protocol.jobs import StoredJob

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.storage.protocol import Reader, Writer

MOST_TRIES = 5  # times that a job is taken before it is given up
LONGEST = 1 / 24  # days after which a job is free, whatever became of the process that took it


class Job(Struct, frozen=True):
    """The ``stages`` that are left of the flow of a ``turn``; ``tries``: how often it was taken;
    ``taken``: whether a process is at work on it."""

    id: str
    turn: str
    stages: tuple[str, ...]
    created_at: str
    tries: int = 0
    taken: bool = False

    @property
    def given_up(self) -> bool:
        """Whether nobody takes it any more, unless asked to."""
        return self.tries >= MOST_TRIES and not self.taken


def jobs(store: Reader, now: str) -> list[Job]:
    """What is left to be done, oldest first."""
    return [_job(one, now) for one in store.jobs.find(FINISH)]


def add_job(writer: Writer, job: Job) -> None:
    """Leaves a job, for any process to take."""
    stages = ",".join(job.stages)
    writer.jobs.add(StoredJob(job.id, FINISH, job.turn, job.created_at, stages=stages))


def take_job(
    writer: Writer, turn: str | None = None, but: Collection[str] = (), given_up: bool = False
) -> Job | None:
    """The first job that nobody is at work on, of one ``turn`` or of any; it is then this
    process's. Those with an id in ``but`` are left, and those that were ``given_up`` too unless
    they are asked for."""
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
    """Notes that this process is at work on a job."""
    taken = job._replace(state="taken", taken_at=writer.now, taken_by=this_process())
    writer.jobs.put(taken._replace(tries=job.tries + 1))


def give_back(writer: Writer, id: str, tried: bool) -> None:
    """Lets others take a job that this process took; ``tried``: it counts as a try."""
    for one in writer.jobs.find(FINISH, {"id": id, "taken_by": this_process()}):
        free = one._replace(state="waiting", taken_at=None, taken_by=None)
        writer.jobs.put(free if tried else free._replace(tries=one.tries - 1))


def finish_job(writer: Writer, turn: Turn) -> bool:
    """Strikes off the job of a turn, which has its reflection now: from now on the turn is
    encrypted only if it is personal. False when there is no job."""
    found = writer.jobs.delete(FINISH, turn.id or "")
    if found:
        writer.reveal(turn)
    return found


def is_taken(job: StoredJob, now: str) -> bool:
    """Whether a process is at work on a job."""
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
