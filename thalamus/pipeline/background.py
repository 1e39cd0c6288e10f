"""Background work: the stages of a turn after its answer, run later.

Where the remaining stages may need a model, the message and the answer are stored at once, together
with a job for these stages, in one transaction. Whichever process takes the job first runs it, this
one or a later one, and finishes it in the transaction that stores the reflection (``jobs``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.cancel import Cancelled
from thalamus.events import TurnFinished, TurnStarted
from thalamus.extract.together import is_found
from thalamus.logs import logger
from thalamus.memory.hooks import after_turn
from thalamus.memory.jobs import take_job
from thalamus.memory.recall.search import evidence, recalled_for
from thalamus.memory.stage_logs import write_waiting
from thalamus.pipeline.flow import (
    Flow,
    Rest,
    Step,
    find_stage,
    run_flow,
    run_stage,
    with_summaries,
)
from thalamus.policy.rank import Fused
from thalamus.records import Turn
from thalamus.store import turns
from thalamus.store.jobs import FINISH
from thalamus.turn_run import RunLog, TurnRun

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.records import Evidence
    from thalamus.store.base import Store

log = logger(__name__)


def split_flow(flow: Flow, engine: Engine) -> tuple[Flow, tuple[str, ...]]:
    """Splits a flow into the part up to its answer and the stages that can run later.

    A flow is not split if it does not answer, does not reflect and store after its answer, or
    branches after it.
    """
    everything: tuple[Flow, tuple[str, ...]] = (flow, ())
    if not (engine.use_memory and engine.config.enable_reflection):
        return everything
    answers = [at for at, step in enumerate(flow.steps) if _answers(step, engine)]
    if not answers:
        return everything
    end = answers[-1] + 1
    left = tuple(step for step in flow.steps[end:] if isinstance(step, str))
    if len(left) < len(flow.steps[end:]) or "reflect" not in left:
        return everything
    if "store" not in left[left.index("reflect") :]:
        return everything
    return Flow(flow.name, flow.steps[:end]), left


def _answers(step: Step, engine: Engine) -> bool:
    """True if a step creates or changes the answer."""
    stage = find_stage(step, engine.plugins) if isinstance(step, str) else None
    return stage is not None and "answer" in stage.writes


def answer_first(turn: Turn, flow: Flow, run: TurnRun) -> tuple[Turn, bool]:
    """Runs a flow; what follows its answer is left for a job if it may need a model. Without one
    it is done at once: the next message may turn on it. Returns the turn and whether a job is
    left: not if the flow cannot be split, nor if the turn was cancelled or not stored."""
    first, rest = split_flow(flow, run.engine)

    def choose(answered: Turn) -> tuple[str, ...]:
        try:
            wait = _must_wait(rest, answered, run)
        except Exception as error:  # the answer is stored first; then the stage reports it
            log.info("the rest of the turn waits: %s", error)
            wait = True
        if not wait:
            return rest
        run.left = rest
        return ("store",)

    if rest:
        flow = Flow(flow.name, (*first.steps, Rest(rest, choose)))
    answered = run_flow(turn, flow, run)
    stored = all(stage != "store" for stage, _ in run.failures)
    return answered, bool(run.left) and stored


def answer_early(
    turn: Turn,
    flow: Flow,
    run: TurnRun,
    show: Callable[[Turn], object],
) -> Turn:
    """Runs a whole flow, and passes the turn to ``show`` as soon as it is stored with its answer.
    If the process ends after that, a later one does the rest."""
    answered, is_left = answer_first(turn, flow, run)
    show(answered)
    return _with_rest(answered, Flow(flow.name, run.left), run) if is_left else answered


def _must_wait(stages: Sequence[str], turn: Turn, run: TurnRun) -> bool:
    """True if the stages left for an answered turn may need a model, or are a plugin's."""
    if turn.answer is None or run.down or run.engine.config.summarize_tasks:
        return True
    plans = run.engine.config.planner != "none"
    if not {"reflect", "store"}.union(() if plans else ("plan",)).issuperset(stages):
        return True
    from thalamus.pipeline.reflect import must_wait

    return must_wait(turn, run)


def _with_rest(answered: Turn, rest: Flow, run: TurnRun) -> Turn:
    """The turn after the stages for which it has a job, unless another process is doing them."""
    with run.engine.store.writing() as writer:
        job = take_job(writer, FINISH, turns=[answered.stored_id])
    if job is None:
        return answered
    # its trace and issues so far are in the ledger
    begun = structs.replace(answered, trace=[], issues=[])
    run = structs.replace(run, left=(), finishing=True, failures=[], heard=[], log=RunLog())
    done = run_flow(begun, rest, run)
    known = {(item.code, item.message) for item in answered.issues}
    new = [item for item in done.issues if (item.code, item.message) not in known]
    return structs.replace(
        done, trace=[*answered.trace, *done.trace], issues=[*answered.issues, *new]
    )


def finish_turn(turn: Turn, stages: Sequence[str], run: TurnRun) -> Turn:
    """Runs the stages left for a stored turn and returns it as it is then. Raises what a stage
    raises before the turn is stored again, and ``Cancelled``.

    ``run.cancel`` stops it between stages and at each token of a model; a turn already stored
    by then counts as finished.
    """
    run.finishing = True
    turn = structs.replace(turn, evidence=_evidence(turn, run.engine.store))
    run.emit(TurnStarted, record=turn, stages=stages)
    try:
        finished = with_summaries(_run_stages(turn, stages, run), run)
        finished = after_turn(finished, run.engine)
        write_waiting(run)
    except (Exception, Cancelled):
        write_waiting(run)
        run.emit(TurnFinished, record=turn, left=stages)
        raise
    run.emit(TurnFinished, record=finished)
    return finished


def _evidence(turn: Turn, store: Store) -> list[Evidence]:
    """The evidence recalled for a turn, which is not stored with it."""
    return [
        evidence(entry, Fused(entry.id, 0.0, {}), False, "")
        for entry in recalled_for(turn.stored_id, store)
    ]


def _run_stages(turn: Turn, stages: Sequence[str], run: TurnRun) -> Turn:
    """Runs stages and returns the turn. Raises errors of stages before the turn is stored (except
    those of ``plan``), and ``Cancelled``."""
    store = run.engine.store
    stored = False
    for name in stages:
        stage = find_stage(name, run.engine.plugins)
        if stage is None or (name == "plan" and _is_past(turn, store)):
            continue
        try:
            if name != "store" and not is_found(turn.stored_id, run):
                run.raise_if_cancelled()
            turn = run_stage(stage, turn, run)
        except Cancelled:
            if stored:
                return turn
            raise
        if run.failures and not (stored or name == "plan"):
            raise run.failures[0][1]
        stored = stored or name == "store"
        if name == "store" and any(verdict.rule == "same_id" for verdict in turn.stored):
            break  # another process was faster
    return turn


def _is_past(turn: Turn, store: Store) -> bool:
    """True if the session has moved on: a plan for the next turn would come too late."""
    return turns.last_id(store, turn.session or "", None) != turn.id
