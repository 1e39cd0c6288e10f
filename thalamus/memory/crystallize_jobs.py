"""Jobs to crystallize turns: created with a turn that was reflected on, run when the process is
idle.

Each job is taken by one process and runs at least once: if that process ends or takes too long, the
job becomes available again. It is finished in the transaction that writes the insights, and its row
stays, so that a killed process loses nothing and nothing is written twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.memory.jobs import MOST_TRIES, is_taken, mark_taken, this_process
from thalamus.storage.protocol.jobs import CRYSTALLIZE, StoredJob
from thalamus.storage.protocol.jobs import JobState as JobState

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.storage.protocol.reader import Reader
    from thalamus.storage.protocol.writer import Writer


class CrystallizeJob(Struct, frozen=True):
    """A turn to be crystallized; ``tries``: attempts so far, ``error``: the last failure."""

    id: str
    turn: str
    state: JobState
    tries: int = 0
    error: str | None = None


def leave(writer: Writer, turn: str, clock: Clock) -> None:
    """Creates a job for a turn, unless it has one."""
    if not _of_turn(writer, turn):
        _add(writer, turn, clock, "waiting")


def count_jobs(store: Reader, now: str) -> dict[JobState, int]:
    """Number of jobs in each state. Jobs of processes that have ended count as ``waiting``, those
    with too many attempts as ``failed``."""
    count: Counter[JobState] = Counter(store.jobs.count(CRYSTALLIZE))
    del count["taken"]
    count.update(_job(one, now).state for one in _of_state(store, "taken"))
    return dict(count)


def next_job(
    reader: Reader, now: str, but: Collection[str] = (), failed: bool = False
) -> CrystallizeJob | None:
    """First available job, or None. Ids in ``but`` are skipped, and so are jobs with too many
    attempts unless ``failed``."""
    found = _first(reader, now, but, failed)
    return _job(found, now) if found is not None else None


def take(writer: Writer, but: Collection[str] = (), failed: bool = False) -> CrystallizeJob | None:
    """Takes the first available job for this process; same arguments as ``next_job``."""
    found = _first(writer, writer.now, but, failed)
    if found is None:
        return None
    mark_taken(writer, found)
    return _job(found, writer.now)


def _first(reader: Reader, now: str, but: Collection[str], failed: bool) -> StoredJob | None:
    """First available job. Reads only as many waiting jobs as may be skipped."""
    states: tuple[JobState, ...] = ("waiting", "failed") if failed else ("waiting",)
    found = [one for state in states for one in _of_state(reader, state, len(but) + 1)]
    found += [one for one in _of_state(reader, "taken") if _job(one, now).state in states]
    return min((one for one in found if one.id not in but), key=lambda one: one.n, default=None)


def _of_state(reader: Reader, state: JobState, limit: int | None = None) -> list[StoredJob]:
    return reader.jobs.find(CRYSTALLIZE, {"state": state}, limit)


def _of_turn(reader: Reader, turn: str) -> list[StoredJob]:
    return reader.jobs.find(CRYSTALLIZE, {"turn": turn}, limit=1)


def finish(writer: Writer, turn: str, clock: Clock) -> bool:
    """Marks a turn as crystallized, in the transaction that writes its insights; False when it was
    already, in which case nothing must be written."""
    known = _of_turn(writer, turn)
    if not known:
        _add(writer, turn, clock, "done")
    elif known[0].state == "done":
        return False
    else:
        writer.jobs.put(known[0]._replace(state="done", taken_at=None, taken_by=None, error=None))
    return True


def is_done(reader: Reader, turn: str) -> bool:
    """True when a turn was crystallized."""
    return any(one.state == "done" for one in _of_turn(reader, turn))


def release(writer: Writer, id: str, error: str | None) -> None:
    """Makes a job of this process available to others. With an ``error`` this counts as an attempt,
    and after too many the job is ``failed``."""
    for one in writer.jobs.find(CRYSTALLIZE, {"id": id, "taken_by": this_process()}):
        tries = one.tries if error else one.tries - 1
        free = one._replace(taken_at=None, taken_by=None, tries=tries, error=error)
        writer.jobs.put(free._replace(state="failed" if tries >= MOST_TRIES else "waiting"))


def _add(writer: Writer, turn: str, clock: Clock, state: JobState) -> None:
    id = clock.new_id("job", CRYSTALLIZE, turn)
    writer.jobs.add(StoredJob(id, CRYSTALLIZE, turn, writer.now, state))


def _job(stored: StoredJob, now: str) -> CrystallizeJob:
    state = stored.state
    if state == "taken" and not is_taken(stored, now):
        state = "failed" if stored.tries >= MOST_TRIES else "waiting"
    return CrystallizeJob(stored.id, stored.turn, state, stored.tries, stored.error)
