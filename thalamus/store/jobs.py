"""The table ``job``: remaining work for turns."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from thalamus.store.tables import EVERY

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

JobKind = Literal["finish", "crystallize"]
JobState = Literal["waiting", "taken", "done", "failed"]
FINISH: Final = "finish"  # the remaining stages of a turn's flow
CRYSTALLIZE: Final = "crystallize"  # insights from a turn

JOB = """
SELECT id, kind, turn, created_at, state, stages, taken_at, taken_by, tries, error, n FROM job"""
UNFINISHED = f"{JOB} WHERE kind = ? AND state <> 'done' ORDER BY n"
IN_STATE = f"{JOB} WHERE kind = ? AND state = ? ORDER BY n LIMIT ?"
OF_TURNS = f"""{JOB} WHERE kind = ? AND state = ?
AND turn IN (SELECT value FROM json_each(?)) ORDER BY n LIMIT ?"""
OF_TURN = f"{JOB} WHERE kind = ? AND turn = ? ORDER BY n LIMIT 1"
TAKEN_BY = f"{JOB} WHERE kind = ? AND id = ? AND taken_by = ?"
COUNT = "SELECT state, count(*) FROM job WHERE kind = ? GROUP BY state"


class StoredJob(NamedTuple):
    """A job for a turn, of a ``kind``. ``stages``: the remaining ones of its flow, separated by
    commas; ``taken_by``: the process that works on it; ``tries``: number of attempts."""

    id: str
    kind: JobKind
    turn: str
    created_at: str
    state: JobState = "waiting"
    stages: str | None = None
    taken_at: str | None = None
    taken_by: str | None = None
    tries: int = 0
    error: str | None = None
    n: int = 0  # in order of adding


def unfinished(reader: Reader, kind: JobKind) -> list[StoredJob]:
    """Jobs that are not done, oldest first."""
    return [StoredJob(*row) for row in reader.fetch(UNFINISHED, kind)]


def in_state(
    reader: Reader,
    kind: JobKind,
    state: JobState,
    turns: Collection[str] | None = None,
    limit: int = EVERY,
) -> list[StoredJob]:
    """Jobs in a state, oldest first: of these turns, or of all."""
    if turns is None:
        found = reader.fetch(IN_STATE, kind, state, limit)
    else:
        found = reader.fetch(OF_TURNS, kind, state, turns, limit)
    return [StoredJob(*row) for row in found]


def of_turn(reader: Reader, kind: JobKind, turn: str | None) -> StoredJob | None:
    """The job of a turn."""
    found = reader.fetch(OF_TURN, kind, turn)
    return StoredJob(*found[0]) if found else None


def taken_by(reader: Reader, kind: JobKind, id: str, process: str) -> StoredJob | None:
    """A job, if this process has taken it."""
    found = reader.fetch(TAKEN_BY, kind, id, process)
    return StoredJob(*found[0]) if found else None


def count(reader: Reader, kind: JobKind) -> dict[JobState, int]:
    """Number of jobs of a kind in each state."""
    return {row[0]: int(row[1]) for row in reader.fetch(COUNT, kind)}


def add(writer: Writer, job: StoredJob) -> None:
    """Adds a job, which gets the next number."""
    writer.insert("job", StoredJob._fields[:-1], [job[:-1]])


def put(writer: Writer, job: StoredJob) -> None:
    """Replaces a stored job."""
    changed = ("state", "taken_at", "taken_by", "tries", "error")
    writer.update("job", {name: getattr(job, name) for name in changed}, "n = ?", job.n)
