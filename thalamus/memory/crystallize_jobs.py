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
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from thalamus.memory.jobs import MOST_TRIES, is_taken, mark_taken, this_process
from thalamus.storage.protocol import CRYSTALLIZE, other_than

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.storage.protocol import Reader, Writer

JobState = Literal["waiting", "taken", "done", "failed"]
_KIND = {"kind": CRYSTALLIZE}
_COLUMNS = ("n", "id", "turn", "state", "taken_at", "taken_by", "tries", "error")


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
    if not writer.select("job", ("n",), {**_KIND, "turn": turn}, limit=1):
        _insert(writer, turn, clock, "waiting")


def count_jobs(store: Reader, now: str) -> dict[JobState, int]:
    """How many there are in each state: as ``waiting`` also those whose process has ended, as
    ``failed`` those that were tried too often."""
    rows = store.select("job", ("state", "count(*)"), _KIND, group=("state",))
    count: Counter[JobState] = Counter({row[0]: row[1] for row in rows if row[0] != "taken"})
    count.update(_job(row, now).state for row in _of_state(store, "taken"))
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


def _first(reader: Reader, now: str, but: Collection[str], failed: bool) -> Any:
    """The row of the first job to take. Of those that wait only as many are read as may be left."""
    wanted: tuple[JobState, ...] = ("waiting", "failed") if failed else ("waiting",)
    rows = [row for state in wanted for row in _of_state(reader, state, len(but) + 1)]
    rows += [row for row in _of_state(reader, "taken") if _job(row, now).state in wanted]
    return min((row for row in rows if row["id"] not in but), key=_number, default=None)


def _of_state(reader: Reader, state: JobState, limit: int | None = None) -> list[Any]:
    return reader.select("job", _COLUMNS, {**_KIND, "state": state}, order=("n",), limit=limit)


def _number(row: Any) -> int:
    return int(row["n"])


def finish(writer: Writer, turn: str, clock: Clock) -> bool:
    """Notes, in the transaction that writes what was concluded, that a turn is crystallized; False
    when it was already, and nothing is to be written."""
    done = {"state": "done", "taken_at": None, "taken_by": None, "error": None}
    rows = writer.select("job", ("state",), {**_KIND, "turn": turn})
    if not rows:
        _insert(writer, turn, clock, "done")
        return True
    return writer.update("job", done, {**_KIND, "turn": turn, "state": other_than("done")}) > 0


def is_done(reader: Reader, turn: str) -> bool:
    """Whether a turn was crystallized."""
    return bool(reader.select("job", ("n",), {**_KIND, "turn": turn, "state": "done"}, limit=1))


def release(writer: Writer, id: str, error: str | None) -> None:
    """Lets others take a job that this process took. With an ``error`` it counts as a try, and
    after too many of them the job is ``failed``."""
    mine = {**_KIND, "id": id, "taken_by": this_process()}
    for n, tries in writer.select("job", ("n", "tries"), mine):
        left = tries if error else tries - 1
        state = "failed" if left >= MOST_TRIES else "waiting"
        free = {"state": state, "taken_at": None, "taken_by": None, "tries": left, "error": error}
        writer.update("job", free, {"n": n})


def _insert(writer: Writer, turn: str, clock: Clock, state: JobState) -> None:
    columns = ("id", "kind", "turn", "state", "created_at")
    row = (clock.new_id("job", CRYSTALLIZE, turn), CRYSTALLIZE, turn, state, writer.now)
    writer.insert("job", columns, [row])


def _job(row: Any, now: str) -> CrystallizeJob:
    state: JobState = row["state"]
    if state == "taken" and not is_taken(row, now):
        state = "failed" if row["tries"] >= MOST_TRIES else "waiting"
    return CrystallizeJob(row["id"], row["turn"], state, row["tries"], row["error"])
