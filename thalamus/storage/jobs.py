"""What a store promises about turns that were stored before they were reflected upon."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.storage.shapes import Entry

MOST_TRIES = 5  # times that a job is taken before it is given up


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


class JobWriter(Protocol):
    """The part of a unit of work that leaves, takes and finishes jobs."""

    def add_job(self, job: Job) -> None:
        """Leaves a job, for any process to take."""
        ...

    def take_job(
        self, turn: str | None = None, but: Collection[str] = (), given_up: bool = False
    ) -> Job | None:
        """The first job that nobody is at work on, of one ``turn`` or of any; it is then this
        process's. Those with an id in ``but`` are left, and those that were ``given_up`` too
        unless they are asked for."""
        ...

    def give_back(self, id: str, tried: bool) -> None:
        """Lets others take a job that this process took; ``tried``: it counts as a try."""
        ...

    def finish_job(self, turn: Turn) -> bool:
        """Strikes off the job of a turn, which has its reflection now: from now on the turn is
        encrypted only if it is personal. False when there is no job."""
        ...


class JobReader(Protocol):
    """The part of a store that knows what is left to be done."""

    def jobs(self) -> list[Job]:
        """What is left to be done, oldest first."""
        ...

    def recalled_for(self, turn: str) -> list[Entry]:
        """What was recalled for a turn, as far as it can still be found."""
        ...
