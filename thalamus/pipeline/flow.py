"""A turn is a flow: a named list of stages, run one after the other.

retrieve → answer → reflect → store → plan
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs, to_builtins

from thalamus.context import Context, Stage, issue, skip
from thalamus.errors import ConfigError, ModelMissing, ModelUnreachable, ThalamusError, UsageError
from thalamus.memory.hooks import with_plugin_issues
from thalamus.pipeline.answer import answer
from thalamus.pipeline.plan import plan
from thalamus.pipeline.reflect import reflect
from thalamus.pipeline.retrieve import retrieve
from thalamus.pipeline.store import store
from thalamus.records import Issue, Turn

STAGES: dict[str, Stage] = {
    "retrieve": retrieve,
    "answer": answer,
    "reflect": reflect,
    "store": store,
    "plan": plan,
}
MODEL_STAGES = ("answer", "reflect", "plan")
MODEL_GONE = (ModelUnreachable, ModelMissing, UsageError)
FLOWS: dict[str, tuple[str, ...]] = {"classic": tuple(STAGES)}


def run(turn: Turn, stages: Sequence[str], context: Context, left: tuple[str, ...] = ()) -> Turn:
    """Runs the stages over a turn. A stage that raises is left out; the turn goes on. ``left``:
    the stages for which a job is left where the turn is stored.

    A model that is down or missing is not asked again for a later stage of the same turn. Ctrl-C
    ends the turn, but not before what there is of it is stored, if the flow stores anything.
    """
    down = context.down = set()
    told = len(turn.issues)
    for position, name in enumerate(stages):
        asks = name in MODEL_STAGES and (name != "plan" or context.config.planner == "model")
        spec = context.config.model_for(name) if asks else ""
        if spec in down and name != "reflect":  # which reads without a model first
            turn = skip(turn, context, name, "the model is down")
            continue
        known, before = len(context.failures), turn.issues
        try:
            turn = run_stage(name, turn, context, left)
        except KeyboardInterrupt:
            if "store" in stages[position:]:
                run_stage("store", interrupted(turn, name, context), context)
            raise
        if any(isinstance(error, MODEL_GONE) for _, error in context.failures[known:]):
            down.add(spec)
        turn = _once(turn, before[told:], len(before), context, known)
    return turn


def _once(
    turn: Turn, issues: Sequence[Issue], before: int, context: Context, failures: int
) -> Turn:
    """The turn without the issues of its last stage (those after the first ``before``) that say
    what an earlier stage met as well (``issues``): a store that cannot be written is told of once.
    The failures of the last stage (those after the first ``failures``) go with them."""
    known = {(item.code, item.message) for item in issues}
    new = [item for item in turn.issues[before:] if (item.code, item.message) not in known]
    if len(new) == len(turn.issues) - before:
        return turn
    met = {str(error) for _, error in context.failures[:failures]}
    kept = [item for item in context.failures[failures:] if str(item[1]) not in met]
    context.failures[failures:] = kept
    return structs.replace(turn, issues=[*turn.issues[:before], *new])


def interrupted(turn: Turn, stage: str, context: Context) -> Turn:
    """The turn as an interruption in ``stage`` leaves it: with as much of the answer as came."""
    note = Issue(stage=stage, code="interrupted", message="interrupted by the user")
    partial = "".join(context.heard).strip() if stage == "answer" else turn.answer
    issues = [*turn.issues, note]
    return structs.replace(turn, answer=partial or None, issues=issues, interrupted=stage)


def run_stage(
    name: str,
    turn: Turn,
    context: Context,
    left: tuple[str, ...] = (),
    finishing: bool = False,
) -> Turn:
    """Runs one stage. What it raises becomes an issue of the turn, an error event and an entry in
    ``context.failures``; the turn comes back as it was. ``left`` and ``finishing``: see
    ``pipeline.store``."""
    events = context.events
    events.emit("on_status_update", name, "started", turn=turn.id, session=turn.session)
    try:
        if name == "store":
            done = store(turn, context, left, finishing)
        else:
            done = STAGES[name](turn, context)
    except Exception as error:
        events.failed(f"stage {name}", error)
        events.emit("on_status_update", name, "failed", turn=turn.id, session=turn.session)
        if name == "store":
            error = as_unstored(error)
        context.failures.append((name, error))
        return structs.replace(turn, issues=[*turn.issues, issue(name, error)])
    done = with_plugin_issues(done, context)
    events.emit("on_status_update", name, "finished", turn=done.id, session=done.session)
    if done.trace:
        entry = to_builtins(done.trace[-1])
        about = {"turn": done.id, "session": done.session}
        events.emit("on_thalamus_control_entry", name, entry, **about)
    return done


def as_unstored(error: Exception) -> Exception:
    """The error with what it means for the user said first in its advice."""
    if isinstance(error, ThalamusError):
        error.fix = f"The message was not stored. {error.advice}".strip()
        return error
    return ThalamusError(f"{type(error).__name__}: {error}", fix="The message was not stored.")


def stages_of(name: str, own: Mapping[str, object]) -> list[str]:
    """The stages of a flow: a packaged one, one's own from the configuration, or a list of stages
    written out (``retrieve,answer``). Raises ``UsageError`` or ``ConfigError``."""
    if name in own:
        stages = own[name]
        if not isinstance(stages, list) or not all(stage in STAGES for stage in stages):
            known = ", ".join(STAGES)
            raise ConfigError(f"flows.{name} must be a list of stages ({known})")
        return list(stages)
    if name in FLOWS:
        return list(FLOWS[name])
    stages = [part.strip() for part in name.split(",")]
    if all(stage in STAGES for stage in stages):
        return stages
    known = ", ".join([*FLOWS, *own])
    raise UsageError(f"Unknown flow {name!r}.", fix=f"Choose {known}; or list stages.")
