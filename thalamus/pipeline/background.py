"""Background work: the stages of a turn after its answer, run later.

The message and the answer are stored at once, together with a job for the remaining stages, in one
transaction. Whichever process takes the job first runs it, this one or a later one, and deletes it
in the transaction that stores the reflection. So a process killed in between loses nothing, and
nothing is stored twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.cancel import Cancelled, CancelToken
from thalamus.errors import NothingFound, StoreBusy
from thalamus.events import TurnFinished, TurnStarted
from thalamus.memory.hooks import after_turn
from thalamus.memory.jobs import Job, give_back
from thalamus.memory.search import evidence, recalled_for
from thalamus.memory.sessions import last_turn_id
from thalamus.memory.stage_logs import write_waiting
from thalamus.pipeline.flow import MODEL_GONE, Flow, Step, find_stage, run, run_stage
from thalamus.policy.rank import Fused
from thalamus.records import Turn
from thalamus.storage.protocol.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.context import Context
    from thalamus.storage.protocol.store import Store

NOT_THE_JOBS_FAULT = (*MODEL_GONE, StoreBusy)  # does not count as a failed attempt


@dataclass(frozen=True)
class Finished:
    """Result of a job: the ``turn`` after its stages, or the ``problem`` that keeps the job
    waiting; neither if it was cancelled."""

    job: Job
    turn: Turn | None = None
    problem: Exception | None = None


def split_flow(flow: Flow, context: Context) -> tuple[Flow, tuple[str, ...]]:
    """Splits a flow into the part up to its stored answer and the stages that can run later.

    A flow is not split if it does not answer, does not reflect and store after its answer, or
    branches after it.
    """
    everything: tuple[Flow, tuple[str, ...]] = (flow, ())
    if not (context.use_memory and context.config.enable_reflection):
        return everything
    answers = [at for at, step in enumerate(flow.steps) if _answers(step, context)]
    if not answers:
        return everything
    end = answers[-1] + 1
    left = tuple(step for step in flow.steps[end:] if isinstance(step, str))
    if len(left) < len(flow.steps[end:]) or "reflect" not in left:
        return everything
    if "store" not in left[left.index("reflect") :]:
        return everything
    return Flow(flow.name, (*flow.steps[:end], "store")), left


def _answers(step: Step, context: Context) -> bool:
    """True if a step creates or changes the answer."""
    stage = find_stage(step, context.plugins) if isinstance(step, str) else None
    return stage is not None and "answer" in stage.writes


def answer_first(
    turn: Turn, flow: Flow, context: Context, cancel: CancelToken | None = None
) -> tuple[Turn, bool]:
    """Runs a flow up to its answer and stores that with a job for the rest. Returns the turn and
    whether a job was created: not if the flow cannot be split, nor if the turn was cancelled."""
    now, left = split_flow(flow, context)
    known = len(context.failures)
    done = run(turn, now, context, left, cancel)
    stored = all(stage != "store" for stage, _ in context.failures[known:])
    cancelled = done.interrupted is not None and turn.interrupted is None
    return done, bool(left) and stored and not cancelled


def finish(job: Job, context: Context, cancel: CancelToken | None = None) -> Finished:
    """Runs the stages of a job that this process has taken. A failing stage does not raise; the job
    is released instead.

    ``cancel`` stops it between stages and at each token of a model; a turn already stored by then
    counts as finished.
    """
    store = context.store
    own = replace(context, failures=[], cancel=cancel, finishing=True)
    turn: Turn | None = None
    try:
        turn = _turn(job, store)
        own.config = _config_of(turn, context)
        own.turn_id, own.session = turn.id, turn.session
        own.emit(TurnStarted, record=turn, stages=job.stages)
        own.logs.given = set()
        turn = after_turn(_run_stages(job, turn, own), own)
        write_waiting(own)
    except Cancelled:
        problem = _release(job, store, False)
    except Exception as error:
        problem = _release(job, store, not isinstance(error, NOT_THE_JOBS_FAULT)) or error
    except BaseException:
        _release(job, store, False)
        raise
    else:
        own.emit(TurnFinished, record=turn)
        return Finished(job, turn)
    if turn is not None:
        own.emit(TurnFinished, record=turn, left=job.stages)
    return Finished(job, problem=problem)


def _run_stages(job: Job, turn: Turn, context: Context) -> Turn:
    """Runs a job's stages and returns the turn. Raises errors of stages before the turn is stored
    (except those of ``plan``), and ``Cancelled``."""
    store = context.store
    stored = False
    for name in job.stages:
        stage = find_stage(name, context.plugins)
        if stage is None or (name == "plan" and _is_past(turn, store)):
            continue
        try:
            context.raise_if_cancelled()
            turn = run_stage(stage, turn, context)
        except Cancelled:
            if stored:
                return turn
            raise
        if context.failures and not (stored or name == "plan"):
            raise context.failures[0][1]
        stored = stored or name == "store"
        if name == "store" and any(verdict.rule == "same_id" for verdict in turn.stored):
            break  # another process was faster
    return turn


def _turn(job: Job, store: Store) -> Turn:
    """The job's turn with the evidence recalled for it. Raises ``NothingFound``."""
    turn = store.get(job.turn)
    if not isinstance(turn, Turn) or is_hidden(turn):
        raise NothingFound(f"the turn {job.turn} or its key")
    found = [
        evidence(entry, Fused(entry.id, 0.0, {}), False, "")
        for entry in recalled_for(job.turn, store)
    ]
    return structs.replace(turn, evidence=found)


def _config_of(turn: Turn, context: Context) -> Config:
    """Settings with the turn's owner and session, which may differ from this process's own."""
    return structs.replace(
        context.config,
        user=turn.user or "",
        agent=turn.agent or "",
        session=turn.session or context.config.session,
    )


def _is_past(turn: Turn, store: Store) -> bool:
    """True if the session has moved on: a plan for the next turn would come too late."""
    return last_turn_id(store, turn.session or "") != turn.id


def _release(job: Job, store: Store, tried: bool) -> Exception | None:
    """Releases the job for others; ``tried`` counts this as an attempt. Returns the error if the
    release cannot be written: the job is then free once this process ends."""
    try:
        with store.writing() as writer:
            give_back(writer, job.id, tried)
    except Exception as error:
        return error
    return None
