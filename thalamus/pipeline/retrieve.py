"""retrieve: executes the session's saved plan and the message's own instruction."""

from __future__ import annotations

from msgspec import structs

from thalamus.context import Context, issue, skip, step
from thalamus.memory.hooks import after_retrieve
from thalamus.memory.search import comparable_models, make_query, recall
from thalamus.policy import prompt_budget, rank
from thalamus.policy.follow_up import says_nothing, with_subject
from thalamus.records import Evidence, Instruction, Turn
from thalamus.storage.protocol import Filter, Store

MOST_PLANNED = 5  # instructions of a plan that are executed
RECENT = 4  # earlier turns in which the subject of a message is looked for


def retrieve(turn: Turn, context: Context) -> Turn:
    """Puts ``retrieval_instructions`` and ``evidence`` on the record. Reads, never writes.

    A turn that comes without id, session or time is given them here. Without a store (the very
    first turn) there is no evidence, and that is no problem.
    """
    tick = context.clock.tick()
    store = context.open_store(False)
    turn = begin_turn(turn, context, store)
    if store is None or not context.use_memory:
        note = "no store yet" if store is None else "memory is switched off"
        return skip(turn, context, "retrieve", note)

    limit = context.config.max_memory_results
    own = Instruction(mode="all", query=_question(turn, store), limit=limit)
    plan = store.saved_plan(turn.session or "", turn.user)
    planned = plan.retrieval_instructions[:MOST_PLANNED] if plan else []
    found, problems = _execute([own, *planned], turn, context, store)
    evidence = after_retrieve(rank.merge(found, limit), context)
    entry = step(
        context,
        "retrieve",
        tick,
        inputs=[plan.id] if plan and plan.id else [],
        outputs=[item.id for item in evidence],
        detail={"instructions": len(planned) + 1},
    )
    return structs.replace(
        turn,
        retrieval_instructions=[*planned, own],
        evidence=evidence,
        issues=[*turn.issues, *(issue("retrieve", problem) for problem in problems)],
        trace=[*turn.trace, entry],
    )


def _question(turn: Turn, store: Store) -> str:
    """What to search for: the message, with the subject it goes on with if it names none."""
    if not says_nothing(turn.message):
        return turn.message
    recent = store.recent_turns(turn.session or "", turn.user, RECENT)
    return with_subject(turn.message, [t.message for t in reversed(recent) if t.id != turn.id])


def begin_turn(turn: Turn, context: Context, store: Store | None) -> Turn:
    """Gives a turn what it needs to be told from all others: session, time, owner, id."""
    config = context.config
    session = turn.session or config.session
    created_at = turn.created_at or context.clock.stamp()
    id = turn.id
    if id is None:
        before = store.last_turn_id(session) if store else None
        parts = (before, session, created_at, turn.message, context.turns_begun)
        id = context.clock.new_id("turn", *parts)
        context.turns_begun += 1
    return structs.replace(
        turn,
        id=id,
        session=session,
        created_at=created_at,
        user=turn.user or config.user or None,
        agent=turn.agent or config.agent or None,
    )


def _in_prompt(turn: Turn, context: Context, store: Store) -> list[str]:
    """The ids of the turns that stand in the prompt as dialogue; not those that had to leave it."""
    recent = store.recent_turns(turn.session or "", turn.user, context.config.recent_messages)
    ids = [
        item.id or "" for item in prompt_budget.newest_turns(recent, context.config.recent_messages)
    ]
    left = store.distilled(ids) if ids else set()
    return [id for id in ids if id not in left]


def _execute(
    instructions: list[Instruction], turn: Turn, context: Context, store: Store
) -> tuple[list[list[Evidence]], list[Exception]]:
    """What each instruction finds; a failure is met once, not once per instruction."""
    known = comparable_models(store)
    dialogue = _in_prompt(turn, context, store)
    where = Filter(
        user=turn.user,
        agent=turn.agent,
        now=context.clock.stamp(),
        # what is in the prompt as dialogue anyway, and the turn itself when it is run again
        exclude=(turn.id or "", *dialogue),
    )
    found: list[list[Evidence]] = []
    problems: dict[str, Exception] = {}
    embedder = context.models.embedder()
    for number, instruction in enumerate(instructions):
        query = make_query(instruction.query, embedder, known=known)
        found.append(recall(store, query, instruction, where, planned=number > 0))
        for problem in query.problems:
            problems.setdefault(str(problem), problem)
            embedder = None  # it failed: the rest goes by words alone
    return found, list(problems.values())
