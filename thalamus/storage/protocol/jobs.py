"""Jobs: what is left to be done for turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from thalamus.storage.protocol.conditions import Where

JobState = Literal["waiting", "taken", "done", "failed"]


class StoredJob(NamedTuple):
    """A job for a turn, of a ``kind``. ``stages``: what is left of its flow, with commas between
    them; ``taken_by``: the process that took it; ``tries``: how often it was taken."""

    id: str
    kind: str
    turn: str
    created_at: str
    state: JobState = "waiting"
    stages: str | None = None
    taken_at: str | None = None
    taken_by: str | None = None
    tries: int = 0
    error: str | None = None
    n: int = 0  # in the order in which they were added


class Jobs(Protocol):
    """The jobs of a store."""

    def find(
        self, kind: str, where: Where | None = None, limit: int | None = None
    ) -> list[StoredJob]:
        """The jobs of a kind, oldest first."""
        ...

    def count(self, kind: str) -> dict[JobState, int]:
        """How many jobs of a kind there are in each state."""
        ...


class MutableJobs(Jobs, Protocol):
    """The same in a unit of work."""

    def add(self, job: StoredJob) -> None:
        """Adds a job, which gets the next number."""
        ...

    def put(self, job: StoredJob) -> None:
        """Keeps a job as it is now."""
        ...

    def delete(self, kind: str, turn: str) -> bool:
        """Deletes the job of a turn; whether there was one."""
        ...
