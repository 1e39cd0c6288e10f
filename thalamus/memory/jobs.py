"""Jobs: work left for stored turns, in one queue for all kinds.

A job is taken by one process. If that ends or takes too long, the job is available again. It is
finished in the transaction that stores its results, and its row stays, so that a killed process
loses nothing and nothing is stored twice.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.clock import days_later
from thalamus.store import jobs
from thalamus.store.jobs import JobKind, JobState, StoredJob

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

MOST_TRIES = 5  # attempts before a job has failed
LONGEST = 1 / 24  # days after which a job is available again, even if its process still runs


class Job(Struct, frozen=True):
    """Work of a ``kind`` left for a ``turn``.

    ``state``: a job of a process that has ended is ``waiting`` again; one with too many attempts is
    ``failed`` and only run on request. ``stages``: the remaining ones of the turn's flow;
    ``tries``: attempts so far; ``error``: the name of the last failure.
    """

    id: str
    kind: JobKind
    turn: str
    created_at: str
    state: JobState
    stages: tuple[str, ...] = ()
    tries: int = 0
    error: str | None = None


def add_job(
    writer: Writer,
    kind: JobKind,
    turn: str,
    clock: Clock,
    stages: Sequence[str] = (),
    *,
    new: bool = False,
) -> None:
    """Adds a job for a turn, unless it has one of this kind. ``new``: the turn was just added."""
    if new or jobs.of_turn(writer, kind, turn) is None:
        id = clock.new_id("job", kind, turn)
        listed = ",".join(stages) or None
        jobs.add(writer, StoredJob(id, kind, turn, writer.now, stages=listed))


def unfinished_jobs(reader: Reader, kind: JobKind, now: str) -> list[Job]:
    """Jobs that are not done, oldest first."""
    return [_job(one, now) for one in jobs.unfinished(reader, kind)]


def count_jobs(reader: Reader, kind: JobKind, now: str) -> dict[JobState, int]:
    """Number of jobs in each state."""
    count: Counter[JobState] = Counter(jobs.count(reader, kind))
    del count["taken"]
    count.update(_job(one, now).state for one in jobs.in_state(reader, kind, "taken"))
    return dict(count)


def next_job(
    reader: Reader,
    kind: JobKind,
    now: str,
    *,
    turns: Collection[str] | None = None,
    but: Collection[str] = (),
    failed: bool = False,
) -> Job | None:
    """First available job, of one of these ``turns`` or of any. Ids in ``but`` are skipped, and so
    are failed jobs unless ``failed``."""
    found = _first(reader, kind, now, turns, but, failed)
    return _job(found, now) if found is not None else None


def take_job(
    writer: Writer,
    kind: JobKind,
    *,
    turns: Collection[str] | None = None,
    but: Collection[str] = (),
    failed: bool = False,
) -> Job | None:
    """Takes the first available job for this process, which counts as an attempt. Arguments as for
    ``next_job``."""
    found = _first(writer, kind, writer.now, turns, but, failed)
    if found is None:
        return None
    taken = found._replace(
        state="taken", taken_at=writer.now, taken_by=this_process(), tries=found.tries + 1
    )
    jobs.put(writer, taken)
    return _job(taken, writer.now)


def release_job(writer: Writer, job: Job, error: str | None = None) -> None:
    """Makes a job of this process available to others. Without an ``error`` the attempt does not
    count."""
    taken = jobs.taken_by(writer, job.kind, job.id, this_process())
    if taken is None:
        return
    tries = taken.tries if error else taken.tries - 1
    state: JobState = "failed" if tries >= MOST_TRIES else "waiting"
    released = taken._replace(state=state, taken_at=None, taken_by=None, tries=tries, error=error)
    jobs.put(writer, released)


def finish_job(writer: Writer, kind: JobKind, turn: str) -> bool:
    """Marks the job of a turn as done, in the transaction that stores its results. False when there
    is none or it was done already, in which case nothing must be stored."""
    job = jobs.of_turn(writer, kind, turn)
    if job is None or job.state == "done":
        return False
    jobs.put(writer, job._replace(state="done", taken_at=None, taken_by=None, error=None))
    return True


def is_done(reader: Reader, kind: JobKind, turn: str) -> bool:
    """True when the job of a turn is done."""
    job = jobs.of_turn(reader, kind, turn)
    return job is not None and job.state == "done"


def _first(
    reader: Reader,
    kind: JobKind,
    now: str,
    turns: Collection[str] | None,
    but: Collection[str],
    failed: bool,
) -> StoredJob | None:
    """First available job. Reads only as many waiting jobs as may be skipped."""
    states: tuple[JobState, ...] = ("waiting", "failed") if failed else ("waiting",)
    found = [
        one for state in states for one in jobs.in_state(reader, kind, state, turns, len(but) + 1)
    ]
    taken = jobs.in_state(reader, kind, "taken", turns)
    found += [one for one in taken if _job(one, now).state in states]
    return min((one for one in found if one.id not in but), key=lambda one: one.n, default=None)


def _job(stored: StoredJob, now: str) -> Job:
    state = stored.state
    if state == "taken" and not _is_held(stored, now):
        state = "failed" if stored.tries >= MOST_TRIES else "waiting"
    return Job(
        id=stored.id,
        kind=stored.kind,
        turn=stored.turn,
        created_at=stored.created_at,
        state=state,
        stages=tuple(stored.stages.split(",")) if stored.stages else (),
        tries=stored.tries,
        error=stored.error,
    )


def _is_held(job: StoredJob, now: str) -> bool:
    """True when the process that took a job still works on it."""
    return (job.taken_at or "") >= days_later(now, -LONGEST) and not is_gone(job.taken_by or "")


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
