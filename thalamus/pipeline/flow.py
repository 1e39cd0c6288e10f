"""Flows: sequences of stages with branches, run over a turn.

    classic     retrieve → answer → reflect → store → plan
    routed      route → (gather | act | nothing) → answer → topics → reflect → store → plan
    deliberate  draft → search_plan → retrieve → answer → reflect → store

A flow holds only the names of its stages, so that it can be written down in the configuration or in
a job; ``find_stage`` resolves them, including those of plugins.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import UNSET, Struct, structs, to_builtins

from thalamus.cancel import Cancelled
from thalamus.engine import PluginHooks
from thalamus.errors import (
    MODEL_ERRORS,
    ConfigError,
    ModelMissing,
    ModelUnreachable,
    ThalamusError,
    UsageError,
)
from thalamus.events import (
    LedgerEntry,
    StageFailed,
    StageFinished,
    StageStarted,
    TurnFinished,
    TurnStarted,
)
from thalamus.logs import logger
from thalamus.memory.hooks import after_turn, with_plugin_issues
from thalamus.memory.normalize import begin_turn
from thalamus.memory.recall.dialogue import may_outgrow_window
from thalamus.memory.stage_logs import log_stage, write_waiting
from thalamus.memory.standing.context import known_of_turn
from thalamus.records import Issue, Turn
from thalamus.turn_run import Stage, TurnRun, issue, skip

log = logger(__name__)

# a model is not called again in a turn after these; an invalid name of one is a UsageError
MODEL_GONE = (ModelUnreachable, ModelMissing, UsageError)
ANY_STAGE = ("issues", "trace")  # fields that any stage may add to
# environment variable that, set to 1, makes undeclared writes of a stage raise; used in tests
STRICT = "THALAMUS_STRICT_STAGES"
_IDENTITY = ("id", "session", "created_at", "user", "agent")
# empty values for the fields that a stage is not given
_EMPTY: dict[str, object] = {
    field.name: []
    if field.default_factory is list
    else {}
    if field.default_factory is dict
    else field.default
    for field in structs.fields(Turn)
    if not field.required
}


def _function(name: str) -> Callable[[Turn, TurnRun], Turn]:
    """A stage's function. Its module, which has the same name, is imported on the first run, so
    that a flow loads only what it needs."""

    def stage(turn: Turn, run: TurnRun) -> Turn:
        module = importlib.import_module(f"thalamus.pipeline.{name}")
        result: Turn = getattr(module, name)(turn, run)
        return result

    return stage


STAGES: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage(
            "route",
            _function("route"),
            role="route",
            reads=("message", "metadata", *_IDENTITY),
            writes=(
                *("route", "status", "context", "world", "tool_calls", "evidence"),
                *("retrieval_instructions", "dialogue", "metadata", *_IDENTITY),
            ),
            degrades=True,
        ),
        Stage(
            "gather",
            _function("gather"),
            role="gather",
            reads=("message", "route", "search_plan", "metadata", *_IDENTITY),
            writes=(
                *("context", "tool_calls", "evidence"),
                *("retrieval_instructions", "dialogue", "metadata", *_IDENTITY),
            ),
            degrades=True,
        ),
        Stage(
            "act",
            _function("act"),
            role="act",
            reads=("message", "route", "world", "evidence", *_IDENTITY),
            writes=("context", "tool_calls", "world_operations", "proposals", "evidence"),
        ),
        Stage(
            "draft",
            _function("draft"),
            role="draft",
            reads=("message", "metadata", *_IDENTITY),
            writes=("draft", "status", "metadata", *_IDENTITY),
            degrades=True,
        ),
        Stage(
            "search_plan",
            _function("search_plan"),
            role="search_plan",
            reads=("message", "draft", "metadata", *_IDENTITY),
            writes=("search_plan", "status", "metadata", *_IDENTITY),
            degrades=True,
        ),
        Stage(
            "retrieve",
            _function("retrieve"),
            reads=("message", "metadata", "retrieval_instructions", "search_plan", *_IDENTITY),
            writes=("retrieval_instructions", "evidence", "dialogue", "metadata", *_IDENTITY),
        ),
        Stage(
            "answer",
            _function("answer"),
            role="answer",
            reads=(
                *("message", "evidence", "dialogue", "metadata", *_IDENTITY),
                *("route", "status", "context", "tool_calls", "draft"),
            ),
            writes=("answer", "dialogue", "profile", "evidence"),
        ),
        Stage(
            "topics",
            _function("topics"),
            role="topics",
            reads=("message", "answer", "world", "world_operations", "proposals", *_IDENTITY),
            writes=("world_operations", "proposals"),
            degrades=True,
        ),
        Stage(
            "reflect",
            _function("reflect"),
            role="reflect",
            reads=("message", "metadata", *_IDENTITY),
            writes=("reflection",),
            degrades=True,
        ),
        Stage(
            "store",
            _function("store"),
            reads=(
                *("message", "answer", "evidence", "dialogue", "profile", "reflection"),
                *("world_operations", "proposals", *_IDENTITY),
                *("plan", "recorded_at", "interrupted", "ref", "metadata", "issues", "trace"),
                "sensitivity",
            ),
            writes=(
                *("reflection", "stored", "plan", "metadata", *_IDENTITY),
                *("world_operations", "proposals"),
            ),
        ),
        Stage(
            "plan",
            _function("plan"),
            role="plan",
            reads=("message", "answer", "evidence", "metadata", *_IDENTITY),
            writes=("plan",),
            degrades=True,
        ),
    )
}


class Branch(Struct, frozen=True):
    """A fork in a flow on a field of the turn.

    ``cases``: the steps for each value of ``field``; ``otherwise``: those for any other value.
    Raises ``ValueError`` for a field that a turn does not have.
    """

    field: str
    cases: Mapping[str, tuple[Step, ...]]
    otherwise: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        if self.field not in Turn.__struct_fields__:
            raise ValueError(f"a turn has no field {self.field!r}")

    def chosen(self, turn: Turn) -> tuple[Step, ...]:
        """The steps that a turn takes."""
        value = getattr(turn, self.field)
        return self.cases.get(value, self.otherwise) if isinstance(value, str) else self.otherwise

    def paths(self) -> list[tuple[Step, ...]]:
        """All that may be chosen."""
        return [*self.cases.values(), self.otherwise]


class Rest(Struct, frozen=True):
    """The ``stages`` after a turn's answer; ``chosen`` returns those that are run now."""

    stages: tuple[str, ...]
    chosen: Callable[[Turn], tuple[str, ...]]

    def paths(self) -> list[tuple[Step, ...]]:
        return [self.stages]


Step = str | Branch | Rest


class Flow(Struct, frozen=True):
    """A sequence of steps, each the name of a stage or a fork."""

    name: str
    steps: tuple[Step, ...]

    def names(self) -> list[str]:
        """Names of all stages, including those in branches."""
        return list(_names(self.steps))


FLOWS: dict[str, Flow] = {
    flow.name: flow
    for flow in (
        Flow("classic", ("retrieve", "answer", "reflect", "store", "plan")),
        Flow(
            "routed",
            (
                "route",
                Branch("route", {"context": ("gather",), "world": ("act",)}),
                *("answer", "topics", "reflect", "store", "plan"),
            ),
        ),
        Flow("deliberate", ("draft", "search_plan", "retrieve", "answer", "reflect", "store")),
    )
}


def find_stage(name: str, plugins: PluginHooks | None = None) -> Stage | None:
    """The stage with this name, built in or from a plugin; None if there is none."""
    known = STAGES.get(name)
    return known or (plugins.stages().get(name) if plugins is not None else None)


def find_flow(name: str, own: Mapping[str, object], plugins: PluginHooks | None = None) -> Flow:
    """The flow with this name: configured (``own``), built in, or a list of stages
    (``retrieve,answer``). Raises ``UsageError`` or ``ConfigError``."""
    if name in own:
        stages = own[name]
        if not isinstance(stages, list) or not all(_is_stage(item, plugins) for item in stages):
            known = ", ".join(all_stages(plugins))
            raise ConfigError(f"flows.{name} must be a list of stages ({known})")
        return Flow(name, tuple(stages))
    if name in FLOWS:
        return FLOWS[name]
    parts = tuple(part.strip() for part in name.split(","))
    if all(_is_stage(part, plugins) for part in parts):
        return Flow(name, parts)
    known = ", ".join([*FLOWS, *own])
    stages = ", ".join(all_stages(plugins))
    raise UsageError(f"Unknown flow {name!r}.", fix=f"Choose {known}, or list stages ({stages}).")


def up_to_answer(flow: Flow, plugins: PluginHooks | None = None) -> Flow:
    """A flow cut off after its last answering stage. Raises ``UsageError`` if it does not answer,
    or only within a branch."""
    ends = [
        position
        for position, step in enumerate(flow.steps)
        if isinstance(step, str) and (stage := find_stage(step, plugins)) and _answers(stage)
    ]
    if not ends:
        raise UsageError(f"The flow {flow.name} does not answer.", fix="Give it the stage answer.")
    return Flow(flow.name, flow.steps[: ends[-1] + 1])


def _answers(stage: Stage) -> bool:
    return "answer" in stage.writes


def all_stages(plugins: PluginHooks | None = None) -> dict[str, Stage]:
    """All stages that a flow may name, including those of plugins."""
    return {**STAGES, **(plugins.stages() if plugins is not None else {})}


def run_flow(turn: Turn, flow: Flow, run: TurnRun) -> Turn:
    """Runs a flow over a turn. A stage that fails becomes an issue of the turn, which continues,
    and a failure of the run and of its engine.

    A model that is down or missing is not called again in the same turn. Ctrl-C and ``cancel`` end
    the turn, but only after what there is of it has been stored, if the flow stores anything.
    Ctrl-C is then raised again; a cancelled turn is returned as it was stored.
    """
    reported = len(turn.issues)  # issues that the turn came with do not belong to this run
    stores = run.log.on = "store" in flow.names()
    try:
        turn = _begin(turn, run)
        run.emit(TurnStarted, record=turn, stages=tuple(flow.names()))
        pending = list(flow.steps)
        while pending:
            step = pending.pop(0)
            try:
                if isinstance(step, str):
                    turn = _next(turn, step, run, reported)
                else:
                    pending[:0] = step.chosen(turn)
            except (KeyboardInterrupt, Cancelled) as stop:
                turn = _interrupt(turn, step, pending, run)
                if stores:
                    write_waiting(run)
                run.emit(TurnFinished, record=turn)
                if isinstance(stop, Cancelled):
                    return turn
                raise
        if not run.left:
            turn = with_summaries(turn, run) if stores else turn
            turn = after_turn(turn, run.engine)
        if stores:  # logs of the stages after it; no others are kept
            write_waiting(run)
        run.emit(TurnFinished, record=turn, left=run.left)
    finally:
        run.engine.failures.extend(run.failures)
    return turn


def with_summaries(turn: Turn, run: TurnRun) -> Turn:
    """The turn after goals that it reached and what left its prompt were summarized, with the
    issues of that."""
    turn = with_task_summaries(turn, run)
    if run.engine.config.enable_reflection:
        with suppress(Cancelled):  # the next turn looks again
            turn = _with_issues(turn, _summarize_dialogue, run)
    return turn


def with_task_summaries(turn: Turn, run: TurnRun) -> Turn:
    """The turn after the goals that it reached were summarized, with the issues of that."""
    if not (run.engine.config.summarize_tasks and run.engine.use_memory and turn.id):
        return turn
    from thalamus.memory.retention.tasks import summarize_tasks

    return _with_issues(turn, summarize_tasks, run)


def _summarize_dialogue(turn: Turn, run: TurnRun) -> list[Issue]:
    try:
        if run.down or not may_outgrow_window(turn, run):
            return []
    except MODEL_ERRORS:  # an earlier stage has reported it
        return []
    from thalamus.memory.retention.running_summary import summarize_dialogue

    return summarize_dialogue(turn, run)


def _with_issues(
    turn: Turn, summarize: Callable[[Turn, TurnRun], list[Issue]], run: TurnRun
) -> Turn:
    """The turn with the issues of writing summaries."""
    try:
        found = summarize(turn, run)
    except ThalamusError as error:
        run.failed("summary", error)
        found = [issue("summary", error)]
    return structs.replace(turn, issues=[*turn.issues, *found])


def _interrupt(turn: Turn, step: Step, pending: Sequence[Step], run: TurnRun) -> Turn:
    """The turn as an interruption of a step leaves it: with the answer received so far, and stored
    if the flow would have stored it."""
    run.left, run.cancel = (), None
    names = [*_names([step, *pending])]
    name = names[0]
    answer = turn.answer
    if name == "answer":
        answer = "".join(run.heard).strip()
        if turn.profile is UNSET and (standing := known_of_turn(turn, run)) is not None:
            # stored with the turn, so that forgetting the profile finds it
            turn = structs.replace(turn, profile=standing.profile_lines())
    note = Issue(stage=name, code="interrupted", message="interrupted by the user")
    turn = structs.replace(
        turn, answer=answer or None, issues=[*turn.issues, note], interrupted=name
    )
    # a turn that is stored already has a job for what is left
    if "store" in names and not run.finishing:
        turn = run_stage(STAGES["store"], turn, run)
    return turn


def _begin(turn: Turn, run: TurnRun) -> Turn:
    """The turn with id, session, owner and time, so that its first event can name them."""
    try:
        turn = begin_turn(turn, run)
    except Exception as error:  # reported by the stage that needs the store
        log.info("the turn begins without an id: %s", error)
    run.turn = turn
    return turn


def _next(turn: Turn, name: str, run: TurnRun, reported: int) -> Turn:
    """Runs the next stage of a flow unless its model is down. ``reported``: number of issues before
    the flow started. Raises ``Cancelled`` before every stage except ``store``."""
    if name != "store":
        run.raise_if_cancelled()
    stage = find_stage(name, run.engine.plugins)
    if stage is None:  # a plugin was removed in the meantime
        return skip(turn, run.engine, name, "the stage does not exist")
    model = run.engine.config.model_for(stage.role) if stage.role else None
    if model in run.down and not stage.degrades:
        return skip(turn, run.engine, name, "the model is down")
    known, before = len(run.failures), turn.issues
    turn = run_stage(stage, turn, run)
    if model and any(isinstance(error, MODEL_GONE) for _, error in run.failures[known:]):
        run.down.add(model)
    return _without_repeated(turn, before[reported:], len(before), run, known)


def run_stage(stage: Stage, turn: Turn, run: TurnRun) -> Turn:
    """Runs one stage. An exception becomes an issue of the turn, an error event and an entry in
    ``run.failures``, and the turn is returned unchanged. Fields written without having been
    declared are restored and reported as an issue."""
    run.turn = turn
    run.emit(StageStarted, stage=stage.name)
    run.log.calls.clear()
    try:
        checked = stage.name not in STAGES or os.environ.get(STRICT) == "1"
        result = stage.function(_view(stage, turn) if checked else turn, run)
    except Exception as error:
        run.failed(f"stage {stage.name}", error)
        run.emit(StageFailed, stage=stage.name, error=error)
        if stage.name == "store":
            error = _as_unstored(error)
        run.failures.append((stage.name, error))
        return structs.replace(turn, issues=[*turn.issues, issue(stage.name, error)])
    result = _as_declared(stage, turn, result) if checked else result
    result = with_plugin_issues(result, run.engine)
    run.turn = result
    log_stage(stage, turn, result, run)
    run.emit(StageFinished, stage=stage.name, record=result)
    if len(result.trace) > len(turn.trace):
        content = _written(stage, result)
        run.emit(LedgerEntry, stage=stage.name, entry=result.trace[-1], content=content)
    return result


def _written(stage: Stage, result: Turn) -> dict[str, object]:
    """The fields that a stage wrote, without the turn's identity."""
    written = {name: getattr(result, name) for name in stage.writes if name not in _IDENTITY}
    return {name: to_builtins(value) for name, value in written.items() if value}


def _as_unstored(error: Exception) -> Exception:
    """The error of ``store``, with its consequence for the user first in the advice."""
    if isinstance(error, ThalamusError):
        error.fix = f"The message was not stored. {error.advice}".strip()
        return error
    return ThalamusError(f"{type(error).__name__}: {error}", fix="The message was not stored.")


def _visible(stage: Stage) -> set[str]:
    """The fields of a turn that a stage is given."""
    return {*stage.reads, *stage.writes, *ANY_STAGE, "message", *_IDENTITY}


def _view(stage: Stage, turn: Turn) -> Turn:
    """Copy of the turn with the fields that the stage declares to read or write, so that changes in
    place are noticed as well. All other fields are empty."""
    visible = _visible(stage)
    fields: dict[str, object] = {}
    for name, empty in _EMPTY.items():
        value = getattr(turn, name) if name in visible else empty
        fields[name] = value.copy() if isinstance(value, (list, dict)) else value
    return structs.replace(turn, **fields)


def _as_declared(stage: Stage, before: Turn, result: Turn) -> Turn:
    """The stage's turn with the hidden fields restored and undeclared writes reverted. With
    ``STRICT`` set, undeclared writes raise ``TypeError``."""
    visible = _visible(stage)
    allowed = {*stage.writes, *ANY_STAGE}
    kept: dict[str, object] = {}
    wrong = []
    for name in Turn.__struct_fields__:
        if name in allowed:
            continue
        value, old = getattr(result, name), getattr(before, name)
        if value != (old if name in visible else _EMPTY[name]):
            wrong.append(name)
        if value != old:
            kept[name] = old
    if kept:
        result = structs.replace(result, **kept)
    if not wrong:
        return result
    message = f"the stage {stage.name} writes {', '.join(wrong)} without declaring it"
    if os.environ.get(STRICT) == "1":
        raise TypeError(message)
    note = Issue(
        stage=stage.name,
        code="undeclared_write",
        message=message,
        fix="These fields were restored; add them to the stage's declaration of writes.",
    )
    return structs.replace(result, issues=[*result.issues, note])


def _without_repeated(
    turn: Turn, issues: Sequence[Issue], before: int, run: TurnRun, failures: int
) -> Turn:
    """The turn without issues of its last stage (after the first ``before``) that repeat an earlier
    stage's (``issues``): a store that cannot be written is reported once. The matching failures
    (after the first ``failures``) are removed as well."""
    known = {(item.code, item.message) for item in issues}
    new = [item for item in turn.issues[before:] if (item.code, item.message) not in known]
    if len(new) == len(turn.issues) - before:
        return turn
    known_errors = {str(error) for _, error in run.failures[:failures]}
    kept = [item for item in run.failures[failures:] if str(item[1]) not in known_errors]
    run.failures[failures:] = kept
    return structs.replace(turn, issues=[*turn.issues[:before], *new])


def _names(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        if isinstance(step, str):
            yield step
        else:
            for path in step.paths():
                yield from _names(path)


def _is_stage(name: object, plugins: PluginHooks | None) -> bool:
    return isinstance(name, str) and find_stage(name, plugins) is not None
