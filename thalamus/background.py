"""The part of the Python API that answers first, and reflects on what was said afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.engine import Thalamus
    from thalamus.events import ThalamusEvents
    from thalamus.records import Turn
    from thalamus.stages.background import Finished
    from thalamus.stages.context import Context
    from thalamus.storage.jobs import Job
    from thalamus.storage.sqlite.store import SqliteStore


class Background:
    """Part of ``Thalamus``."""

    config: Config
    clock: Clock
    _use_memory: bool

    if TYPE_CHECKING:

        @cached_property
        def context(self) -> Context: ...

        def open_store(self, create: bool = False) -> SqliteStore | None: ...

        def in_session(self, turn: Turn) -> Turn: ...

    def answer_turn(self, message: str | Turn, *, flow: str | None = None) -> tuple[Turn, bool]:
        """Like ``run_turn``, but only up to the answer: the turn is stored, and what follows is
        left as a job for ``finish_turns``, of this process or of a later one.

        Returns the turn, and whether anything was left: a flow that does not reflect, or stores
        nothing, is run to its end.
        """
        from thalamus.records import Turn
        from thalamus.stages.background import answer_first
        from thalamus.stages.turn import flow as stages_of

        turn = message if isinstance(message, Turn) else Turn(message=message)
        stages = stages_of(flow or self.config.flow, self.config.flows)
        return answer_first(self.in_session(turn), stages, self.context)

    def unfinished_turns(self) -> list[Job]:
        """What is left to be done for turns that were answered, oldest first."""
        opened = self.open_store(False) if self._use_memory else None
        return opened.jobs() if opened is not None else []

    def finish_turns(
        self,
        turn: str | None = None,
        *,
        most: int | None = None,
        given_up: bool = False,
        stopped: Callable[[], bool] | None = None,
    ) -> Iterator[Finished]:
        """Reflects on turns that were only answered so far, stores what is found, and plans.

        One ``turn``, or all that no other process is at work on, but at most ``most``; with
        ``given_up`` also those that failed too often. Yields what became of each, and ends after
        one that cannot be done now, because the model is gone or the store is busy. ``stopped`` is
        asked again and again whether to stop. Raises ``StoreBusy``, ``StoreFull``.
        """
        from thalamus.stages.background import NOT_THE_JOBS_FAULT, finish

        seen: set[str] = set()
        while most is None or len(seen) < most:
            job = self._take(turn, seen, given_up)
            if job is None:
                return
            seen.add(job.id)
            done = finish(job, self.context, stopped)
            yield done
            if done.turn is None and not _failed(done, NOT_THE_JOBS_FAULT):
                return

    def sibling(self, events: ThalamusEvents | None = None) -> Thalamus:
        """Another object over the same store for another thread, with the same models."""
        from thalamus.engine import Thalamus

        return Thalamus(
            config=self.config,
            events=events,
            clock=self.clock,
            use_memory=self._use_memory,
            share_models=self.context.models,
        )

    def _take(self, turn: str | None, seen: set[str], given_up: bool) -> Job | None:
        """The next job, now this process's. Looked for first, so that nothing is written when
        there is none."""
        if not self.config.enable_reflection:
            return None
        if all(job.id in seen for job in self.unfinished_turns()):
            return None
        opened = self.open_store(False)
        assert opened is not None
        with opened.writing() as writer:
            return writer.take_job(turn, seen, given_up)


def _failed(done: Finished, passing: tuple[type[Exception], ...]) -> bool:
    """Whether the job itself failed, so that the next one may still go well."""
    return done.problem is not None and not isinstance(done.problem, passing)
