"""The slow loop: extract → crystallize → merge → summarize → prune.

Each step is undone by itself: its changes are a batch (each merge is one), in the order in which
they were made.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field

from thalamus.memory.insights.writing import add_to_batch
from thalamus.memory.jobs import add_job
from thalamus.memory.retention import prune
from thalamus.memory.retention.prune import PruneOptions, PruneResult
from thalamus.pipeline.crystallize import Crystallized
from thalamus.pipeline.jobs import TOGETHER, JobResult, work
from thalamus.pipeline.merge_insights import reflect_deeply
from thalamus.records.reports import DeepReflection
from thalamus.store import turns
from thalamus.store.jobs import CRYSTALLIZE, FINISH

if TYPE_CHECKING:
    from thalamus.cancel import CancelToken
    from thalamus.turn_run import TurnRun

Step = Literal["extract", "crystallize", "merge", "summarize", "prune"]
Result = JobResult[Any] | DeepReflection | PruneResult
NEWEST = 3 * TOGETHER  # imported turns that are extracted from, before older ones
WITHIN = 600.0  # seconds of `extract` and of `summarize`, unless a time is given


class ConsolidateOptions(Struct, frozen=True):
    """Options: the ``steps`` to run; ``within``: seconds in each of ``extract`` and ``summarize``
    after which no further turn or session is begun; at most ``limit`` turns to crystallize, with
    ``failed`` also those that failed too often. Only the step ``prune`` retires memories; it must
    be requested."""

    steps: Collection[Step] = ("extract", "crystallize", "merge", "summarize")
    within: float = WITHIN
    limit: int | None = None
    failed: bool = False
    prune: PruneOptions = field(default_factory=PruneOptions)
    cancel: CancelToken | None = None


def consolidate(run: TurnRun, options: ConsolidateOptions) -> Iterator[tuple[Step, Result]]:
    """Runs steps in their order and yields each with its result, ``extract`` and ``crystallize``
    once for each turn. Ends after a turn that cannot be worked on now, because the model or the
    store is not available. Raises ``StoreBusy``, ``StoreFull``, and what ``reflect_deeply``
    raises."""
    for step in (name for name in _STEPS if name in options.steps):
        for result in _STEPS[step](run, options):
            yield step, result
            if isinstance(result, JobResult) and result.ends_work:
                return


def _extract(run: TurnRun, options: ConsolidateOptions) -> Iterator[JobResult[Any]]:
    """Extracts memories and facts from imported turns: from the newest ``NEWEST`` in the order in
    which they were said, then from those before them. Few get a job at a time, because other
    commands finish jobs too."""
    store = run.engine.open_store(False)
    end = time.monotonic() + options.within
    while store is not None and (newest := turns.newest_not_extracted(store, NEWEST)):
        for start in range(0, len(newest), TOGETHER):
            ids = newest[start : start + TOGETHER]
            if time.monotonic() >= end:
                return
            with store.writing() as writer:
                for id in ids:
                    add_job(writer, FINISH, id, run.engine.clock, ("reflect", "store"))
            for result in work(FINISH, run.engine, turns=ids, cancel=options.cancel):
                yield result
                if result.ends_work or time.monotonic() >= end:
                    return


def _crystallize(run: TurnRun, options: ConsolidateOptions) -> Iterator[JobResult[Crystallized]]:
    """Concludes insights from turns that wait for it, in one batch."""
    batch: str | None = None
    limit, failed, cancel = options.limit, options.failed, options.cancel
    for result in work(CRYSTALLIZE, run.engine, limit=limit, failed=failed, cancel=cancel):
        if result.result is not None and result.result.insights:
            ids = [insight.stored_id for insight in result.result.insights]
            batch = add_to_batch(ids, batch, run.engine)
        yield result


def _merge(run: TurnRun, _: ConsolidateOptions) -> Iterator[DeepReflection]:
    yield reflect_deeply(run)


def _summarize(run: TurnRun, options: ConsolidateOptions) -> Iterator[PruneResult]:
    yield prune.summarize_sessions(run, options.prune.use_model, options.within)


def _prune(run: TurnRun, options: ConsolidateOptions) -> Iterator[PruneResult]:
    yield prune.run(run, options.prune)


_STEPS: Mapping[Step, Callable[[TurnRun, ConsolidateOptions], Iterator[Result]]] = {
    "extract": _extract,
    "crystallize": _crystallize,
    "merge": _merge,
    "summarize": _summarize,
    "prune": _prune,
}
