"""plan: what the next turn will need, saved for the session: by the model, if it is asked for."""

from __future__ import annotations

from msgspec import structs, to_builtins

from thalamus.context import Context, skip, step
from thalamus.memory.sessions import saved_plan
from thalamus.memory.structured_output import request_record
from thalamus.models.protocol import Message
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import PLAN_SCHEMA, PlanReply
from thalamus.records import Event, Instruction, Plan, Turn
from thalamus.text.tokens import content_words, share_found, words


def plan(turn: Turn, context: Context) -> Turn:
    """Puts ``plan`` on the record and saves it for the session's next ``retrieve``."""
    tick = context.clock.tick()
    if not (context.config.enable_reflection and context.use_memory):
        return skip(turn, context, "plan", "disabled")
    if context.config.planner == "none":
        return _without_model(turn, context)
    if context.config.model_for("plan") in context.down:
        return skip(turn, context, "plan", "the model is down")
    prompt = context.templates.fill(
        "plan",
        NOW=(turn.created_at or context.clock.stamp())[:10],
        USER_MESSAGE=fence(turn.message),
        ASSISTANT_ANSWER=fence(turn.answer or "(none)"),
    )
    asked = request_record(context, "plan", [Message("user", prompt)], PLAN_SCHEMA, PlanReply)
    instructions = _useful(asked.value.retrieval_instructions, turn) if asked.value else []
    session = turn.session or context.config.session
    user = turn.user or context.config.user or None
    saved = Plan(
        retrieval_instructions=instructions,
        id=context.clock.new_id("plan", turn.id or user, session),
        session=session,
        turn=turn.id,
        created_at=turn.created_at or context.clock.stamp(),
        user=user,
    )
    detail: dict[str, object] = {"instructions": len(instructions)}
    if asked.raw:
        detail["unusable_replies"] = asked.raw
    entry = step(
        context,
        "plan",
        tick,
        replies=asked.replies,
        inputs=[turn.id] if turn.id else [],
        outputs=[saved.id] if saved.id else [],
        detail=detail,
    )
    _save(saved, turn, context, to_builtins(entry))
    return structs.replace(
        turn, plan=saved, issues=[*turn.issues, *asked.issues], trace=[*turn.trace, entry]
    )


def _without_model(turn: Turn, context: Context) -> Turn:
    """An empty plan. It is saved where it takes the place of one that says something."""
    session = turn.session or context.config.session
    user = turn.user or context.config.user or None
    said_at = turn.created_at or context.clock.stamp()
    empty = Plan(session=session, turn=turn.id, user=user, created_at=said_at)
    store = context.open_store(False)
    before = saved_plan(store, session, user) if store is not None else None
    if before is not None and before.retrieval_instructions:
        empty.id = context.clock.new_id("plan", turn.id or user, session)
        tick = context.clock.tick()
        entry = step(context, "plan", tick, outputs=[empty.id], detail={"instructions": 0})
        _save(empty, turn, context, to_builtins(entry))
    return structs.replace(skip(turn, context, "plan", "planner: none"), plan=empty)


def _useful(instructions: list[Instruction], turn: Turn) -> list[Instruction]:
    """Those that ask for something that has to do with the turn: small models copy the prompt's
    example. A topic would only narrow the search to one that the store may not use, so it becomes
    words of the query."""
    said = words("\n".join((turn.message, turn.answer or "", *(e.text for e in turn.evidence))))
    useful = []
    for item in instructions:
        query = " ".join(part for part in (item.query.strip(), item.topic or "") if part)
        if share_found(content_words(item.query), said) > 0 and content_words(item.query):
            useful.append(structs.replace(item, query=query, topic=None, limit=min(item.limit, 5)))
    return useful


def _save(saved: Plan, turn: Turn, context: Context, data: dict[str, object]) -> None:
    store = context.open_store(True)
    assert store is not None
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
