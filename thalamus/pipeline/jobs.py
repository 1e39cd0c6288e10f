"""Work on jobs of any kind: each is taken, run and released if it fails.

The function of a kind finishes the job in the transaction that stores its results.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct, structs

from thalamus.cancel import Cancelled, CancelToken
from thalamus.errors import NothingFound, StoreBusy, ThalamusError
from thalamus.extract.together import Waiting, is_found
from thalamus.memory.jobs import Job, next_job, release_job, take_job
from thalamus.pipeline.flow import MODEL_GONE
from thalamus.records import Turn
from thalamus.store.encrypted import is_hidden
from thalamus.store.jobs import CRYSTALLIZE, FINISH
from thalamus.turn_run import TurnRun

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.models.protocol import Role
    from thalamus.pipeline.crystallize import Crystallized
    from thalamus.store.base import Store
    from thalamus.store.jobs import JobKind

TOGETHER = 8  # turns that are looked at to find those that are read in one call
NOT_THE_JOBS_FAULT = (*MODEL_GONE, StoreBusy)  # does not count as a failed attempt
T = TypeVar("T")


def _finish(job: Job, turn: Turn, run: TurnRun) -> Turn:
    from thalamus.pipeline.background import finish_turn

    return finish_turn(turn, job.stages, run)


def _crystallize(_: Job, turn: Turn, run: TurnRun) -> Crystallized:
    from thalamus.pipeline.crystallize import crystallize_turn

    return crystallize_turn(turn, run)


_FUNCTIONS: Mapping[JobKind, Callable[[Job, Turn, TurnRun], Any]] = {
    FINISH: _finish,
    CRYSTALLIZE: _crystallize,
}
# roles of models that must not be too small: jobs of these kinds wait for a larger one
_ROLES: Mapping[JobKind, Role] = {CRYSTALLIZE: "crystallize"}


class JobResult(Struct, Generic[T], frozen=True):
    """The ``result`` of a job, or the ``problem`` that keeps it waiting; neither if it was
    cancelled."""

    job: Job
    result: T | None = None
    problem: Exception | None = None

    @property
    def cancelled(self) -> bool:
        """True if it was stopped by its token."""
        return self.result is None and self.problem is None

    @property
    def ends_work(self) -> bool:
        """True if the next job would not be done either: the model or the store is not available,
        or the work was cancelled."""
        return self.cancelled or isinstance(self.problem, NOT_THE_JOBS_FAULT)


def work(
    kind: JobKind,
    engine: Engine,
    *,
    turns: Collection[str] | None = None,
    limit: int | None = None,
    failed: bool = False,
    cancel: CancelToken | None = None,
) -> Iterator[JobResult[Any]]:
    """Works on jobs of a kind, oldest first, at most ``limit``: on those of ``turns`` or on all
    that no other process works on; with ``failed`` also on those that failed too often. Ends after
    one that cannot be done now, and on ``cancel``; does nothing if the model is too small. Raises
    ``StoreBusy``, ``StoreFull``, and the errors of ``ModelSource.chat`` for a kind that depends on
    the model's size."""
    store, role = engine.open_store(False), _ROLES.get(kind)
    if store is None:
        return
    seen: set[str] = set()

    def after(turn: Turn) -> list[Turn]:
        """Turns whose jobs are next, with the owner and session of a turn."""
        count = None if limit is None else limit - len(seen)
        return _next_turns(turn, kind, engine, turns=turns, but=seen, failed=failed, count=count)

    waiting = Waiting(after)
    together = waiting if kind == FINISH else None
    while limit is None or len(seen) < limit:
        now = engine.clock.stamp()
        if next_job(store, kind, now, turns=turns, but=seen, failed=failed) is None:
            return  # nothing is written
        if role is not None and engine.too_small(role):
            return
        with store.writing() as writer:
            job = take_job(writer, kind, turns=turns, but=seen, failed=failed)
        if job is None:
            return
        seen.add(job.id)
        result = run_job(job, TurnRun(engine, cancel=cancel, waiting=together))
        yield result
        cancelled = cancel is not None and cancel.cancelled
        # what was read together is stored all the same, as far as no further call is needed
        if not (cancelled and waiting.found) and (cancelled or result.ends_work):
            return


def _next_turns(
    turn: Turn,
    kind: JobKind,
    engine: Engine,
    *,
    turns: Collection[str] | None,
    but: Collection[str],
    failed: bool,
    count: int | None,
) -> list[Turn]:
    """The turns of the next jobs, at most ``count`` and ``TOGETHER``, of the owner and session of
    ``turn``. Arguments as for ``next_job``."""
    store, seen = engine.store, {*but}
    found: list[Turn] = []
    most = TOGETHER if count is None else min(TOGETHER, count)
    while len(found) < most:
        job = next_job(store, kind, engine.clock.stamp(), turns=turns, but=seen, failed=failed)
        if job is None:
            break
        seen.add(job.id)
        one = store.get(job.turn)
        if not isinstance(one, Turn) or is_hidden(one):
            continue
        if (one.user, one.agent, one.session) == (turn.user, turn.agent, turn.session):
            found.append(one)
    return found


def run_job(job: Job, run: TurnRun) -> JobResult[Any]:
    """Runs a job that this process has taken. A failure does not raise; it releases the job.

    ``run.cancel`` stops it at each token of a model; what is stored by then counts as done.
    """
    engine = run.engine
    try:
        if not is_found(job.turn, run):
            run.raise_if_cancelled()
        turn = load_turn(job.turn, run)
        return JobResult(job, _FUNCTIONS[job.kind](job, turn, run))
    except Cancelled:
        _release(job, engine.store)
        return JobResult(job)
    except Exception as error:
        # not its message, which may contain words of an encrypted turn
        name = None if isinstance(error, NOT_THE_JOBS_FAULT) else type(error).__name__
        _release(job, engine.store, name)
        return JobResult(job, problem=error)
    except BaseException:
        _release(job, engine.store)
        raise


def load_turn(id: str, run: TurnRun) -> Turn:
    """A stored turn, as the turn of a run; its owner and session become those of the settings,
    from which they may differ. Raises ``NothingFound`` if it is not stored or cannot be
    decrypted."""
    engine = run.engine
    store = engine.open_store(False)
    turn = store.get(id) if store is not None else None
    if not isinstance(turn, Turn) or is_hidden(turn):
        raise NothingFound(f"the turn {id} or its key", fix="Store it first: `thalamus store`.")
    config = structs.replace(
        engine.config,
        user=turn.user or "",
        agent=turn.agent or "",
        session=turn.session or engine.config.session,
    )
    run.engine, run.turn = structs.replace(engine, config=config), turn
    return turn


def _release(job: Job, store: Store, error: str | None = None) -> None:
    """Releases a job. If even that cannot be written, the job is free once this process ends."""
    try:
        with store.writing() as writer:
            release_job(writer, job, error)
    except ThalamusError:
        return
