"""retrieve: runs the instructions of the turn, its search plan and the session's saved plan, and a
search for the message."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from thalamus.errors import BadField, RecordProblem, ThalamusError
from thalamus.memory.hooks import after_retrieve
from thalamus.memory.normalize import begin_turn, normalize_instructions
from thalamus.memory.recall.dialogue import question_of
from thalamus.memory.recall.later_turns import with_later_turns
from thalamus.memory.recall.persona_filter import PersonaFilter
from thalamus.memory.recall.rerank import rerank, to_be_reranked
from thalamus.memory.recall.search import comparable_models, find, make_query
from thalamus.memory.standing.context import of_turn
from thalamus.memory.write import decision_entry
from thalamus.pipeline.prompt_parts import with_dialogue
from thalamus.policy import rank
from thalamus.policy.retrieval_plan import first_of, without
from thalamus.policy.standing_context import StandingContext
from thalamus.records import Evidence, Instruction, Turn, Verdict
from thalamus.store import plans
from thalamus.store.values import Filter
from thalamus.turn_run import TurnRun, issue, skip, step


def retrieve(turn: Turn, run: TurnRun) -> Turn:
    """Adds ``retrieval_instructions``, ``evidence`` and ``dialogue`` to the turn. What is in the
    prompt anyway is not evidence. Reads the store, never writes.

    A turn without id, session or time gets them here. Without a store (before the very first turn)
    there is no evidence, which is not an error.
    """
    tick = run.engine.clock.tick()
    store = run.engine.memory_store
    turn = begin_turn(turn, run)
    if store is None:
        note = "no store yet" if run.engine.use_memory else "memory is off"
        return skip(turn, run.engine, "retrieve", note)

    standing = of_turn(turn, run)
    turn = _with_dialogue(turn, run, standing)
    shown = turn.dialogue.shown if turn.dialogue else []
    # already in the prompt, or the turn itself when it is run again
    exclude = [turn.stored_id, *shown, *standing.ids]
    limit = run.engine.config.max_memory_results
    own = Instruction(mode="all", query=question_of(turn, run), limit=limit)
    plan = plans.last(store, turn.session or "", turn.user)
    requested = without(_given_instructions(turn), own)
    saved = plan.retrieval_instructions if plan else []
    planned_instructions, refused = first_of([*requested, *saved])
    instructions = [to_be_reranked(own, run.engine), *planned_instructions]
    found, problems = _execute(instructions, turn, run, exclude)
    assistant_statements = PersonaFilter(turn, run)
    found = [[item for item in items if assistant_statements.may_recall(item)] for items in found]
    own_found, *planned_found = found
    own_found, failure = rerank(own.query, own_found, limit, run)
    problems += [failure] if failure is not None else []
    merged = rank.merge([own_found, *planned_found], limit)
    where = Filter(user=turn.user, agent=turn.agent, exclude=tuple(exclude))
    evidence = after_retrieve(with_later_turns(merged, where, limit, run), run.engine)
    entry = step(
        run.engine,
        "retrieve",
        tick,
        inputs=[plan.id] if plan and plan.id else [],
        outputs=[item.id for item in evidence],
        detail=_detail(len(planned_instructions) + 1, refused),
    )
    return structs.replace(
        turn,
        retrieval_instructions=[*planned_instructions, own],
        evidence=evidence,
        issues=[*turn.issues, *(issue("retrieve", problem) for problem in problems)],
        trace=[*turn.trace, entry],
    )


def _given_instructions(turn: Turn) -> list[Instruction]:
    """Instructions of the turn and of its search plan. Raises ``BadField``."""
    try:
        return [
            *normalize_instructions(turn.retrieval_instructions),
            *normalize_instructions(turn.search_plan or [], "search_plan"),
        ]
    except RecordProblem as problem:
        raise BadField(problem.field, problem.problem) from None


def _detail(count: int, refused: Sequence[Verdict]) -> dict[str, object]:
    detail: dict[str, object] = {"instructions": count}
    if refused:
        detail["refused"] = [decision_entry(verdict) for verdict in refused]
    return detail


def _with_dialogue(turn: Turn, run: TurnRun, standing: StandingContext) -> Turn:
    """The turn with its dialogue decided; left to `answer` if no model reports its context
    window."""
    try:
        return with_dialogue(turn, run, standing)
    except ThalamusError:
        return turn


def _execute(
    instructions: list[Instruction],
    turn: Turn,
    run: TurnRun,
    exclude: Sequence[str],
) -> tuple[list[list[Evidence]], list[Exception]]:
    """Evidence for each instruction, without the ids in ``exclude``; the same failure is reported
    only once."""
    known = comparable_models(run.engine.store)
    where = Filter(
        user=turn.user, agent=turn.agent, now=run.engine.clock.stamp(), exclude=tuple(exclude)
    )
    found: list[list[Evidence]] = []
    problems: dict[str, Exception] = {}
    embedder = run.engine.models.embedder()
    for number, instruction in enumerate(instructions):
        has_query = bool(instruction.query.strip())
        embeds = embedder if has_query else None
        query = make_query(instruction.query, embeds, known=known, zone=run.zone)
        if query.vector is not None and query.text == turn.message:
            run.kept["vector", query.text] = query.vector
        evidence, failed = find(instruction, where, run, query=query, planned=number > 0)
        found.append(evidence if has_query else _listed(evidence))
        for problem in failed:
            problems.setdefault(str(problem), problem)
            embedder = None  # it failed: the others search full text only
    return found, list(problems.values())


def _listed(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Results of an instruction without a query, newest first. They were not compared with any
    words, so all of them count as much as the best result of a plan."""
    return [
        structs.replace(
            item,
            score=round(rank.SECONDARY * (1 - number / (2 * len(evidence))), 4),
            why="is listed by the plan",
        )
        for number, item in enumerate(evidence)
    ]
