"""retrieve: executes what the turn asks for, its search plan, the session's saved plan and the
message's own instruction."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from thalamus.context import Context, issue, skip, step
from thalamus.errors import BadField, ThalamusError
from thalamus.memory.dialogue import turns_before
from thalamus.memory.draft import RecordProblem
from thalamus.memory.hooks import after_retrieve
from thalamus.memory.normalize import begin_turn, normalize_instructions
from thalamus.memory.rerank import rerank, to_be_reranked
from thalamus.memory.search import comparable_models, find
from thalamus.memory.sessions import saved_plan
from thalamus.memory.told_assistant import Told
from thalamus.memory.write import decision_entry
from thalamus.pipeline.prompt_parts import core_in_prompt, profile_in_prompt, with_dialogue
from thalamus.policy import rank
from thalamus.policy.follow_up import says_nothing, with_subject
from thalamus.policy.retrieval_plan import first_of, without
from thalamus.records import Evidence, Instruction, Memory, ProfileLine, Turn, Verdict
from thalamus.storage.protocol import Filter, Store

RECENT = 4  # earlier turns in which the subject of a message is looked for


def retrieve(turn: Turn, context: Context) -> Turn:
    """Puts ``retrieval_instructions``, ``evidence`` and ``dialogue`` on the record: what stands in
    the prompt anyway is not evidence. Reads, never writes.

    A turn that comes without id, session or time is given them here. Without a store (the very
    first turn) there is no evidence, which is not a failure.
    """
    tick = context.clock.tick()
    store = context.open_store(False) if context.use_memory else None
    turn = begin_turn(turn, context, store)
    if store is None:
        note = "no store yet" if context.use_memory else "memory is off"
        return skip(turn, context, "retrieve", note)

    core = core_in_prompt(turn, context, store)
    profile = profile_in_prompt(turn, context, store)
    turn = _with_dialogue(turn, context, store, core, profile)
    shown = turn.dialogue.shown if turn.dialogue else []
    # what is in the prompt anyway, and the turn itself when it is run again
    exclude = [turn.id or "", *shown, *(memory.id or "" for memory in core)]
    exclude += [id for line in profile for id in line.ids]
    limit = context.config.max_memory_results
    own = Instruction(mode="all", query=_question(turn, context, store), limit=limit)
    plan = saved_plan(store, turn.session or "", turn.user)
    given = without(_given(turn), own)
    saved = plan.retrieval_instructions if plan else []
    planned, refused = first_of([*given, *saved])
    asked = [to_be_reranked(own, context), *planned]
    found, problems = _execute(asked, turn, context, store, exclude)
    told = Told(store, turn, context)
    found = [[item for item in items if told.may_recall(item)] for items in found]
    own_found, *planned_found = found
    own_found, failure = rerank(own.query, own_found, limit, context)
    problems += [failure] if failure is not None else []
    evidence = after_retrieve(rank.merge([own_found, *planned_found], limit), context)
    entry = step(
        context,
        "retrieve",
        tick,
        inputs=[plan.id] if plan and plan.id else [],
        outputs=[item.id for item in evidence],
        detail=_detail(len(planned) + 1, refused),
    )
    return structs.replace(
        turn,
        retrieval_instructions=[*planned, own],
        evidence=evidence,
        issues=[*turn.issues, *(issue("retrieve", problem) for problem in problems)],
        trace=[*turn.trace, entry],
    )


def _given(turn: Turn) -> list[Instruction]:
    """The instructions that the turn brings, and those of its search plan. Raises ``BadField``."""
    try:
        return [
            *normalize_instructions(turn.retrieval_instructions),
            *normalize_instructions(turn.search_plan or [], "search_plan"),
        ]
    except RecordProblem as problem:
        raise BadField(problem.field, str(problem)) from None


def _detail(count: int, refused: Sequence[Verdict]) -> dict[str, object]:
    detail: dict[str, object] = {"instructions": count}
    if refused:
        detail["refused"] = [decision_entry(verdict) for verdict in refused]
    return detail


def _question(turn: Turn, context: Context, store: Store) -> str:
    """What to search for: the message, with the subject it goes on with if it names none."""
    if not says_nothing(turn.message):
        return turn.message
    recent = turns_before(turn, context, store)[-RECENT:]
    return with_subject(turn.message, [item.message for item in reversed(recent)])


def _with_dialogue(
    turn: Turn,
    context: Context,
    store: Store,
    core: Sequence[Memory],
    profile: Sequence[ProfileLine],
) -> Turn:
    """The turn with the decision what of the conversation stands in its prompt. Where no model says
    how much it can read, `answer` decides."""
    try:
        return with_dialogue(turn, context, store, core, profile)
    except ThalamusError:
        return turn


def _execute(
    instructions: list[Instruction],
    turn: Turn,
    context: Context,
    store: Store,
    exclude: Sequence[str],
) -> tuple[list[list[Evidence]], list[Exception]]:
    """What each instruction finds but for ``exclude``; a failure is met once, not once per
    instruction."""
    known = comparable_models(store)
    where = Filter(
        user=turn.user, agent=turn.agent, now=context.clock.stamp(), exclude=tuple(exclude)
    )
    found: list[list[Evidence]] = []
    problems: dict[str, Exception] = {}
    embedder = context.models.embedder()
    for number, instruction in enumerate(instructions):
        worded = bool(instruction.query.strip())
        evidence, failed = find(
            instruction,
            store,
            where,
            context,
            embedder if worded else None,
            known=known,
            planned=number > 0,
        )
        found.append(evidence if worded else _listed(evidence))
        for problem in failed:
            problems.setdefault(str(problem), problem)
            embedder = None  # it failed: the rest goes by words alone
    return found, list(problems.values())


def _listed(evidence: Sequence[Evidence]) -> list[Evidence]:
    """What an instruction without a query lists, newest first. Nothing of it was compared with
    words: all of it is what was asked for, and counts as much as the best of a plan."""
    return [
        structs.replace(
            item,
            score=round(rank.PLANNED * (1 - number / (2 * len(evidence))), 4),
            why="is what the plan lists",
        )
        for number, item in enumerate(evidence)
    ]
