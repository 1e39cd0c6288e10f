"""The part of a turn that nobody has to wait for: what follows its answer.

The message and the answer are stored at once, and in the same transaction a job is left: the
stages of the flow that are still to come. Whoever takes the job first does it, in this process or
in a later one; it is struck off in the transaction that stores what was reflected. So a process
that is killed in between loses nothing, and nothing is stored twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.context import Stopped
from thalamus.errors import NothingFound, StoreBusy
from thalamus.memory.hooks import after_turn
from thalamus.memory.search import evidence
from thalamus.pipeline.flow import MODEL_GONE, STAGES, run, run_stage
from thalamus.policy.rank import Fused
from thalamus.records import Turn
from thalamus.storage.protocol import is_hidden

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.context import Context
    from thalamus.storage.protocol import Job, Store

NOT_THE_JOBS_FAULT = (*MODEL_GONE, StoreBusy)  # it is tried again as often as need be


@dataclass(frozen=True)
class Finished:
    """What became of a job: the ``turn`` with what the stages put on it, or the ``problem`` for
    which it is still waiting; neither when it was stopped."""

    job: Job
    turn: Turn | None = None
    problem: Exception | None = None


def split_flow(stages: Sequence[str], context: Context) -> tuple[list[str], tuple[str, ...]]:
    """The stages of a flow up to the answer, with the storing of it, and those that may follow
    later. Nothing is left of a flow that does not answer first, or reflects and stores nothing."""
    everything: tuple[list[str], tuple[str, ...]] = (list(stages), ())
    if not (context.use_memory and context.config.enable_reflection and "answer" in stages):
        return everything
    end = list(stages).index("answer") + 1
    left = tuple(stages[end:])
    if "reflect" not in left or "store" not in left[left.index("reflect") :]:
        return everything
    return [*stages[:end], "store"], left


def answer_first(turn: Turn, stages: Sequence[str], context: Context) -> tuple[Turn, bool]:
    """Runs a flow up to its answer and stores that, with a job for the rest. The turn, and whether
    a job was left."""
    now, left = split_flow(stages, context)
    known = len(context.failures)
    done = run(turn, now, context, left)
    stored = all(stage != "store" for stage, _ in context.failures[known:])
    if left:
        return done, stored
    return after_turn(done, context), False


def finish(job: Job, context: Context, stopped: Callable[[], bool] | None = None) -> Finished:
    """Does a job that was taken. Never raises for a stage that fails: the job is then given back.

    ``stopped`` is asked whether to stop, between stages and at every token of a model.
    """
    store = context.open_store(False)
    assert store is not None
    own = replace(context, failures=[], stopped=stopped)
    try:
        turn = _turn(job, store)
        own.config = _of(turn, context)
        for name in job.stages:
            if name in STAGES and not (name == "plan" and _is_past(turn, store)):
                turn = run_stage(name, turn, own, finishing=True)
            if own.failures and name != "plan":
                raise own.failures[0][1]
            if name == "store" and any(verdict.rule == "same_id" for verdict in turn.stored):
                break  # somebody else was faster
    except Stopped:
        return Finished(job, problem=_give_back(job, store, False))
    except Exception as error:
        tried = not isinstance(error, NOT_THE_JOBS_FAULT)
        return Finished(job, problem=_give_back(job, store, tried) or error)
    except BaseException:
        _give_back(job, store, False)
        raise
    return Finished(job, after_turn(turn, own))


def _turn(job: Job, store: Store) -> Turn:
    """The turn of a job, with what was recalled for it."""
    turn = store.get(job.turn)
    if not isinstance(turn, Turn) or is_hidden(turn):
        raise NothingFound(f"the turn {job.turn}, or the key that decrypts it")
    found = [
        evidence(entry, Fused(entry.id, 0.0, {}), False, "")
        for entry in store.recalled_for(job.turn)
    ]
    return structs.replace(turn, evidence=found)


def _of(turn: Turn, context: Context) -> Config:
    """The settings with the owner and the session of the turn, who need not be those of this
    process."""
    return structs.replace(
        context.config,
        user=turn.user or "",
        agent=turn.agent or "",
        session=turn.session or context.config.session,
    )


def _is_past(turn: Turn, store: Store) -> bool:
    """Whether the session has gone on: a plan for the next turn would come too late."""
    return store.last_turn_id(turn.session or "") != turn.id


def _give_back(job: Job, store: Store, tried: bool) -> Exception | None:
    """Lets others take the job. Where even that cannot be written it is free when this process
    has ended."""
    try:
        with store.writing() as writer:
            writer.give_back(job.id, tried)
    except Exception as error:
        return error
    return None
