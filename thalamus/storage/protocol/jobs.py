"""Jobs: remaining work for turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where

JobKind = Literal["finish", "crystallize"]
JobState = Literal["waiting", "taken", "done", "failed"]
FINISH: Final = "finish"  # the remaining stages of a turn's flow
CRYSTALLIZE: Final = "crystallize"  # insights from a turn


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


class Jobs(Protocol):
    """The jobs of a store."""

    def find(
        self, kind: JobKind, where: Where | None = None, limit: int | None = None
    ) -> list[StoredJob]:
        """Jobs of a kind, oldest first."""
        ...

    def count(self, kind: JobKind) -> dict[JobState, int]:
        """Number of jobs of a kind in each state."""
        ...


class MutableJobs(Jobs, Protocol):
    """Jobs in a unit of work."""

    def add(self, job: StoredJob) -> None:
        """Adds a job, which gets the next number."""
        ...

    def put(self, job: StoredJob) -> None:
        """Replaces a stored job."""
        ...
