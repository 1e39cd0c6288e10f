"""Jobs that crystallize stored turns in the background."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.cancel import Cancelled, CancelToken
from thalamus.errors import NothingFound, StoreBusy, ThalamusError
from thalamus.memory import crystallize_jobs as jobs
from thalamus.memory.insight_writing import write_insights
from thalamus.pipeline.crystallize import crystallize, describe
from thalamus.pipeline.flow import MODEL_GONE
from thalamus.records import Turn
from thalamus.storage.protocol import is_hidden

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.memory.crystallize_jobs import CrystallizeJob
    from thalamus.records import Insight, Issue, Verdict
    from thalamus.storage.protocol import Store

NOT_THE_JOBS_FAULT = (*MODEL_GONE, StoreBusy)  # does not count as a failed attempt


@dataclass
class CrystallizedTurn:
    """Result for one ``turn``: the ``insights`` written, a verdict on each proposal, and the
    ``problem`` that keeps its job waiting. ``asked``: a model was called; most turns have no
    connection to another day."""

    turn: str
    insights: list[Insight] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    asked: bool = False
    cancelled: bool = False
    problem: Exception | None = None


def crystallize_turn(turn: Turn, context: Context, *, dry_run: bool = False) -> CrystallizedTurn:
    """Crystallizes a stored turn now, with or without a job; a turn done before is skipped. With
    ``dry_run`` nothing is stored.

    Raises ``NothingFound`` if the turn is not stored or cannot be decrypted, and the model's
    errors.
    """
    store = context.open_store(False)
    stored = store.get(turn.id or "") if store is not None else None
    if store is None or not isinstance(stored, Turn) or is_hidden(stored):
        raise NothingFound(f"the turn {turn.id}", fix="Store it first: `thalamus store`.")
    if not dry_run and jobs.is_done(store, stored.id or ""):
        return CrystallizedTurn(stored.id or "")
    own = replace(
        context,
        config=structs.replace(context.config, user=stored.user or "", agent=stored.agent or ""),
        turn_id=stored.id,
        session=stored.session,
    )
    found = crystallize(stored, own)
    done = CrystallizedTurn(stored.id or "", issues=found.issues, asked=found.asked)
    if dry_run:
        done.insights, done.verdicts = found.insights, found.verdicts
        return done
    decided = write_insights(found.insights, stored, own, describe(found))
    refused = [verdict for verdict in found.verdicts if verdict.decision == "refuse"]
    done.verdicts = [*refused, *(verdict for _, verdict in decided)]
    done.insights = [insight for insight, v in decided if v.decision in ("add", "quarantine")]
    return done


def work(
    context: Context,
    limit: int | None = None,
    *,
    failed: bool = False,
    cancel: CancelToken | None = None,
) -> Iterator[CrystallizedTurn]:
    """Works on jobs, oldest first, at most ``limit``; with ``failed`` also on those that failed too
    often. Stops when none is left, on ``cancel``, or when a job cannot run now because the model or
    the store is unavailable; that job is released. Raises ``StoreBusy`` and ``StoreFull``."""
    store = context.open_store(False)
    if store is None:
        return
    seen: set[str] = set()
    while limit is None or len(seen) < limit:
        if jobs.next_job(store, context.clock.stamp(), seen, failed) is None:
            return  # nothing is written
        with store.writing() as writer:
            job = jobs.take(writer, seen, failed)
        if job is None:
            return
        seen.add(job.id)
        done = _work_on(job, context, cancel)
        yield done
        if done.cancelled or isinstance(done.problem, NOT_THE_JOBS_FAULT):
            return


def _work_on(job: CrystallizeJob, context: Context, cancel: CancelToken | None) -> CrystallizedTurn:
    """Runs one job. An error releases it and becomes the ``problem`` of the result."""
    store = context.store
    own = replace(context, failures=[], cancel=cancel)
    try:
        own.raise_if_cancelled()
        return crystallize_turn(Turn(message="-", id=job.turn), own)
    except Cancelled:
        _release(job, store, None)
        return CrystallizedTurn(job.turn, cancelled=True)
    except Exception as error:
        counts = not isinstance(error, NOT_THE_JOBS_FAULT)
        # the message of any other error may contain personal text
        error_text = str(error) if isinstance(error, ThalamusError) else type(error).__name__
        _release(job, store, error_text if counts else None)
        return CrystallizedTurn(job.turn, problem=error)
    except BaseException:
        _release(job, store, None)
        raise


def _release(job: CrystallizeJob, store: Store, error: str | None) -> None:
    """Releases a job. If even that cannot be written, the job is free once this process ends."""
    try:
        with store.writing() as writer:
            jobs.release(writer, job.id, error)
    except ThalamusError:
        return
