"""Jobs to crystallize turns: left with a turn that was reflected upon, and done when nothing else
is to do.

A job is taken by one process, and done at least once: one whose process has ended, or is at work
for too long, is free again. It is done in the transaction that writes what was concluded, and its
row stays, so that a process that is killed in between loses nothing, and that nothing is written
twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.memory.jobs import MOST_TRIES, is_taken, mark_taken, this_process
from thalamus.storage.protocol import CRYSTALLIZE
from thalamus.storage.protocol.jobs import JobState as JobState
from thalamus.storage.protocol.jobs import StoredJob

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.storage.protocol import Reader, Writer


class CrystallizeJob(Struct, frozen=True):
    """A turn that is to be crystallized; ``tries``: how often it was taken, ``error``: what went
    wrong the last time."""

    id: str
    turn: str
    state: JobState
    tries: int = 0
    error: str | None = None


def leave(writer: Writer, turn: str, clock: Clock) -> None:
    """Leaves a job for a turn, for any process to take; nothing where there is one."""
    if not _of_turn(writer, turn):
        _add(writer, turn, clock, "waiting")


def count_jobs(store: Reader, now: str) -> dict[JobState, int]:
    """How many there are in each state: as ``waiting`` also those whose process has ended, as
    ``failed`` those that were tried too often."""
    count: Counter[JobState] = Counter(store.jobs.count(CRYSTALLIZE))
    del count["taken"]
    count.update(_job(one, now).state for one in _of_state(store, "taken"))
    return dict(count)


def next_job(
    reader: Reader, now: str, but: Collection[str] = (), failed: bool = False
) -> CrystallizeJob | None:
    """The first job that nobody is at work on; None when there is none. Those with an id in ``but``
    are left, and those that ``failed`` too often unless asked for."""
    found = _first(reader, now, but, failed)
    return _job(found, now) if found is not None else None


def take(writer: Writer, but: Collection[str] = (), failed: bool = False) -> CrystallizeJob | None:
    """The same; it is then this process's."""
    found = _first(writer, writer.now, but, failed)
    if found is None:
        return None
    mark_taken(writer, found)
    return _job(found, writer.now)


def _first(reader: Reader, now: str, but: Collection[str], failed: bool) -> StoredJob | None:
    """The first job to take. Of those that wait only as many are read as may be left."""
    wanted: tuple[JobState, ...] = ("waiting", "failed") if failed else ("waiting",)
    found = [one for state in wanted for one in _of_state(reader, state, len(but) + 1)]
    found += [one for one in _of_state(reader, "taken") if _job(one, now).state in wanted]
    return min((one for one in found if one.id not in but), key=lambda one: one.n, default=None)


def _of_state(reader: Reader, state: JobState, limit: int | None = None) -> list[StoredJob]:
    return reader.jobs.find(CRYSTALLIZE, {"state": state}, limit)


def _of_turn(reader: Reader, turn: str) -> list[StoredJob]:
    return reader.jobs.find(CRYSTALLIZE, {"turn": turn}, limit=1)


def finish(writer: Writer, turn: str, clock: Clock) -> bool:
    """Notes, in the transaction that writes what was concluded, that a turn is crystallized; False
    when it was already, and nothing is to be written."""
    known = _of_turn(writer, turn)
    if not known:
        _add(writer, turn, clock, "done")
    elif known[0].state == "done":
        return False
    else:
        writer.jobs.put(known[0]._replace(state="done", taken_at=None, taken_by=None, error=None))
    return True


def is_done(reader: Reader, turn: str) -> bool:
    """Whether a turn was crystallized."""
    return any(one.state == "done" for one in _of_turn(reader, turn))


def release(writer: Writer, id: str, error: str | None) -> None:
    """Lets others take a job that this process took. With an ``error`` it counts as a try, and
    after too many of them the job is ``failed``."""
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
