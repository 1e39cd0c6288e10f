"""plan: saves retrieval instructions for the session's next turn, proposed by the model if
enabled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from msgspec import structs, to_builtins

from thalamus.context import Context, skip, step
from thalamus.memory.draft import RecordProblem
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

PROJECTS = 2  # active projects that a plan looks up, the most recent ones


def plan(turn: Turn, context: Context) -> Turn:
    """Adds ``plan`` to the turn and saves it for the session's next ``retrieve``."""
    tick = context.clock.tick()
    if not (context.config.enable_reflection and context.use_memory):
        return skip(turn, context, "plan", "disabled")
    if context.config.planner == "none":
        return _without_model(turn, context)
    if context.config.model_for("plan") in context.down:
        return skip(turn, context, "plan", "the model is down")
    user = turn.user or context.config.user or None
    store = context.open_store(False)
    known = vocabulary(store, user) if store is not None else Vocabulary()
    prompt = _prompt(turn, known, context)
    reply = request_record(context, "plan", [Message("user", prompt)], PLAN_SCHEMA, PlanReply)
    proposed = reply.value.retrieval_instructions if reply.value else []
    planned = with_standing(
        standing_instructions(turn, context), _checked(proposed, turn, known, context.zone)
    )
    session = turn.session or context.config.session
    saved = Plan(
        retrieval_instructions=planned.instructions,
        id=context.clock.new_id("plan", turn.id or user, session),
        session=session,
        turn=turn.id,
        created_at=turn.created_at or context.clock.stamp(),
        user=user,
    )
    detail: dict[str, object] = {"instructions": len(planned.instructions)}
    if planned.verdicts:
        detail["refused"] = [decision_entry(verdict) for verdict in planned.verdicts]
    if reply.raw:
        detail["unusable_replies"] = reply.raw
    entry = step(
        context,
        "plan",
        tick,
        replies=reply.replies,
        inputs=[turn.id] if turn.id else [],
        outputs=[saved.id] if saved.id else [],
        detail=detail,
    )
    _save(saved, turn, context, to_builtins(entry))
    return structs.replace(
        turn, plan=saved, issues=[*turn.issues, *reply.issues], trace=[*turn.trace, entry]
    )


def _without_model(turn: Turn, context: Context) -> Turn:
    """An empty plan, saved only if it replaces one with instructions."""
    session = turn.session or context.config.session
    user = turn.user or context.config.user or None
    sent_at = turn.created_at or context.clock.stamp()
    empty = Plan(session=session, turn=turn.id, user=user, created_at=sent_at)
    store = context.open_store(False)
    before = plans.last(store, session, user) if store is not None else None
    if before is not None and before.retrieval_instructions:
        empty.id = context.clock.new_id("plan", turn.id or user, session)
        tick = context.clock.tick()
        entry = step(context, "plan", tick, outputs=[empty.id], detail={"instructions": 0})
        _save(empty, turn, context, to_builtins(entry))
    return structs.replace(skip(turn, context, "plan", "planner: none"), plan=empty)


def standing_instructions(turn: Turn, context: Context) -> list[Instruction]:
    """Instructions of every plan: the open subject of the session and the user's active
    projects."""
    store = context.open_store(False)
    before = turns_before(turn, context) if store is not None else []
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
            verdicts.append(refused(number, "invalid_time", str(problem)))
    return dated, verdicts


def _prompt(turn: Turn, known: Vocabulary, context: Context) -> str:
    return context.templates.fill(
        "plan",
        NOW=context.local_now(turn)[:10],
        KNOWN=_vocabulary_lines(known),
        USER_MESSAGE=fence(turn.message),
        ASSISTANT_ANSWER=fence(turn.answer or "(none)"),
    )


def _vocabulary_lines(known: Vocabulary) -> str:
    """Types, topics and scopes that a plan may name, for the prompt."""
    groups = (("types", known.types), ("topics", known.topics), ("scopes", known.scopes))
    lines = [f"{name}: {fence(', '.join(values))}" for name, values in groups if values]
    return "\n".join(lines) or "There are no types, topics or scopes yet."


def _save(saved: Plan, turn: Turn, context: Context, data: dict[str, object]) -> None:
    store = context.create_store()
    with store.writing() as writer:
        writer.put(saved)
        writer.add_event(
            Event(
                name="stage",
                at=context.clock.stamp(),
                turn=turn.id,
                session=saved.session,
                data=data,
            )
        )
