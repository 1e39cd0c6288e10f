"""plan: saves retrieval instructions for the session's next turn, proposed by the model if
enabled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from msgspec import structs, to_builtins

from thalamus.engine import Engine
from thalamus.errors import RecordProblem
from thalamus.memory.normalize import INSTRUCTION_TIMES, normalize_times
from thalamus.memory.recall.dialogue import turns_before
from thalamus.memory.structured_output import request_record
from thalamus.memory.user.projects import projects
from thalamus.memory.views.counts import vocabulary
from thalamus.memory.write import decision_entry
from thalamus.models.protocol import Message
from thalamus.policy.follow_up import subject_of
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import PLAN_SCHEMA, PlanReply
from thalamus.policy.retrieval_plan import (
    CheckedPlan,
    Vocabulary,
    check_plan,
    project_instructions,
    refused,
    subject_instruction,
    with_standing,
)
from thalamus.records import Event, Instruction, Plan, Turn, Verdict
from thalamus.store import plans
from thalamus.turn_run import TurnRun, skip, step

PROJECTS = 2  # active projects that a plan looks up, the most recent ones


def plan(turn: Turn, run: TurnRun) -> Turn:
    """Adds ``plan`` to the turn and saves it for the session's next ``retrieve``."""
    tick = run.engine.clock.tick()
    if not (run.engine.config.enable_reflection and run.engine.use_memory):
        return skip(turn, run.engine, "plan", "disabled")
    if run.engine.config.planner == "none":
        return _without_model(turn, run.engine)
    if run.engine.config.model_for("plan") in run.down:
        return skip(turn, run.engine, "plan", "the model is down")
    user = turn.user or run.engine.config.user or None
    store = run.engine.open_store(False)
    known = vocabulary(store, user) if store is not None else Vocabulary()
    prompt = _prompt(turn, known, run)
    reply = request_record(run, "plan", [Message("user", prompt)], PLAN_SCHEMA, PlanReply)
    proposed = reply.value.retrieval_instructions if reply.value else []
    planned = with_standing(
        standing_instructions(turn, run), _checked(proposed, turn, known, run.zone)
    )
    session = turn.session or run.engine.config.session
    saved = Plan(
        retrieval_instructions=planned.instructions,
        id=run.engine.clock.new_id("plan", turn.id or user, session),
        session=session,
        turn=turn.id,
        created_at=turn.created_at or run.engine.clock.stamp(),
        user=user,
    )
    detail: dict[str, object] = {"instructions": len(planned.instructions)}
    if planned.verdicts:
        detail["refused"] = [decision_entry(verdict) for verdict in planned.verdicts]
    if reply.raw:
        detail["unusable_replies"] = reply.raw
    entry = step(
        run.engine,
        "plan",
        tick,
        replies=reply.replies,
        inputs=[turn.id] if turn.id else [],
        outputs=[saved.id] if saved.id else [],
        detail=detail,
    )
    _save(saved, turn, run.engine, to_builtins(entry))
    return structs.replace(
        turn, plan=saved, issues=[*turn.issues, *reply.issues], trace=[*turn.trace, entry]
    )


def _without_model(turn: Turn, engine: Engine) -> Turn:
    """An empty plan, saved only if it replaces one with instructions."""
    session = turn.session or engine.config.session
    user = turn.user or engine.config.user or None
    sent_at = turn.created_at or engine.clock.stamp()
    empty = Plan(session=session, turn=turn.id, user=user, created_at=sent_at)
    store = engine.open_store(False)
    before = plans.last(store, session, user) if store is not None else None
    if before is not None and before.retrieval_instructions:
        empty.id = engine.clock.new_id("plan", turn.id or user, session)
        tick = engine.clock.tick()
        entry = step(engine, "plan", tick, outputs=[empty.id], detail={"instructions": 0})
        _save(empty, turn, engine, to_builtins(entry))
    return structs.replace(skip(turn, engine, "plan", "planner: none"), plan=empty)


def standing_instructions(turn: Turn, run: TurnRun) -> list[Instruction]:
    """Instructions of every plan: the open subject of the session and the user's active
    projects."""
    store = run.engine.open_store(False)
    before = turns_before(turn, run) if store is not None else []
    messages = [turn.message, *(item.message for item in reversed(before))]
    subject = subject_instruction(subject_of(messages))
    active = projects(store, turn.user, "active") if store is not None else []
    return [
        *([subject] if subject else []),
        *project_instructions([project.name for project in active[-PROJECTS:]]),
    ]


def _checked(
    proposed: Sequence[Instruction], turn: Turn, known: Vocabulary, zone: tzinfo
) -> CheckedPlan:
    """The part of a model's plan that is executed, with normalized times."""
    messages = "\n".join((turn.message, turn.answer or "", *(e.text for e in turn.evidence)))
    dated, verdicts = with_times(proposed, zone)
    checked = check_plan(dated, messages, known)
    return CheckedPlan(checked.instructions, [*verdicts, *checked.verdicts])


def with_times(
    proposed: Sequence[Instruction], zone: tzinfo
) -> tuple[list[Instruction], list[Verdict]]:
    """Proposed instructions with normalized times, and a verdict on each invalid time."""
    dated, verdicts = [], []
    for number, item in enumerate(proposed, start=1):
        try:
            dated.append(normalize_times(item, INSTRUCTION_TIMES, zone))
        except RecordProblem as problem:
            dated.append(structs.replace(item, since=None, until=None, as_of=None))
            verdicts.append(refused(number, "invalid_time", problem.problem))
    return dated, verdicts


def _prompt(turn: Turn, known: Vocabulary, run: TurnRun) -> str:
    return run.engine.templates.fill(
        "plan",
        NOW=run.local_now(turn)[:10],
        KNOWN=_vocabulary_lines(known),
        USER_MESSAGE=fence(turn.message),
        ASSISTANT_ANSWER=fence(turn.answer or "(none)"),
    )


def _vocabulary_lines(known: Vocabulary) -> str:
    """Types, topics and scopes that a plan may name, for the prompt."""
    groups = (("types", known.types), ("topics", known.topics), ("scopes", known.scopes))
    lines = [f"{name}: {fence(', '.join(values))}" for name, values in groups if values]
    return "\n".join(lines) or "There are no types, topics or scopes yet."


def _save(saved: Plan, turn: Turn, engine: Engine, data: dict[str, object]) -> None:
    store = engine.create_store()
    with store.writing() as writer:
        writer.put(saved)
        writer.add_event(
            Event(
                name="stage",
                at=engine.clock.stamp(),
                turn=turn.id,
                session=saved.session,
                data=data,
            )
        )
