"""search_plan: retrieval instructions for this turn, from the message and its draft.

A draft that runs into gaps in its knowledge names things that a search for the bare question would
miss: as in FLARE (Jiang et al., EMNLP 2023), which searches for what the next sentence lacks, and
query2doc (Wang et al., EMNLP 2023), which searches with the words of a made-up answer. Here the
words of the draft only supplement those of the conversation.
"""

from __future__ import annotations

from typing import get_args

from msgspec import structs, to_builtins

from thalamus.errors import MODEL_ERRORS
from thalamus.memory.normalize import begin_turn
from thalamus.memory.recall.dialogue import turns_before
from thalamus.memory.structured_output import StructuredReply, request_record
from thalamus.memory.views.counts import vocabulary
from thalamus.memory.write import decision_entry
from thalamus.pipeline.draft import EXCHANGES, degraded, too_small
from thalamus.pipeline.plan import with_times
from thalamus.policy.json_schema import object_schema
from thalamus.policy.prompts import fence
from thalamus.policy.reply_parsing import PlanReply
from thalamus.policy.retrieval_plan import CheckedPlan, Vocabulary
from thalamus.policy.search_plan import MOST, check_search_plan
from thalamus.records import Instruction, Turn
from thalamus.records.base import Mode
from thalamus.turn_run import TurnRun, issue, skip, step

# short: a small model writes as much as the schema allows, and every token takes time
SCHEMA = object_schema(
    retrieval_instructions={
        "type": "array",
        "items": object_schema(
            mode={"type": "string", "enum": list(get_args(Mode))},
            query={"type": "string", "minLength": 2, "maxLength": 80},
        ),
        "maxItems": MOST,
    }
)


def search_plan(turn: Turn, run: TurnRun) -> Turn:
    """Adds ``search_plan`` to the turn: instructions for `retrieve` in addition to the message
    itself.

    Without a usable reply only the message is searched for, with an issue; the same if the model is
    down or too small, then with the ``status`` ``degraded``. Reads the store, never writes.
    """
    if run.engine.config.model_for("search_plan") in run.down:
        return degraded(skip(turn, run.engine, "search_plan", "the model is down"))
    tick = run.engine.clock.tick()
    store = run.engine.memory_store
    turn = begin_turn(turn, run)
    before = turns_before(turn, run)[-EXCHANGES:] if store is not None else []
    try:
        if run.engine.too_small("search_plan"):
            return degraded(turn, too_small(run.engine, "search_plan"))
        reply = _request(turn, before, run)
    except MODEL_ERRORS as error:
        run.failed("stage search_plan", error)
        run.failures.append(("search_plan", error))
        return degraded(turn, issue("search_plan", error))
    known = vocabulary(store, turn.user) if store is not None else Vocabulary()
    checked = _checked(reply, turn, before, known, run)
    detail: dict[str, object] = {"search_plan": to_builtins(_compact(checked))}
    if checked.verdicts:
        detail["refused"] = [decision_entry(verdict) for verdict in checked.verdicts]
    entry = step(run.engine, "search_plan", tick, replies=reply.replies, detail=detail)
    return structs.replace(
        turn,
        search_plan=checked.instructions,
        issues=[*turn.issues, *reply.issues],
        trace=[*turn.trace, entry],
    )


def _request(turn: Turn, before: list[Turn], run: TurnRun) -> StructuredReply[PlanReply]:
    earlier = "\n".join(f"- {fence(item.message)}" for item in before)
    messages = run.engine.dialogue(
        "search_plan",
        BEFORE=f"Before:\n{earlier}" if earlier else "",
        USER_MESSAGE=fence(turn.message),
        DRAFT=fence(turn.draft or "(none)"),
    )
    return request_record(run, "search_plan", messages, SCHEMA, PlanReply)


def _checked(
    reply: StructuredReply[PlanReply],
    turn: Turn,
    before: list[Turn],
    known: Vocabulary,
    run: TurnRun,
) -> CheckedPlan:
    """The instructions to execute; the message itself if the reply is unusable."""
    if reply.value is None:
        return CheckedPlan([Instruction(mode="all", query=turn.message)])
    dated, verdicts = with_times(reply.value.retrieval_instructions, run.zone)
    conversation = "\n".join(
        [turn.message, *(f"{item.message}\n{item.answer or ''}" for item in before)]
    )
    checked = check_search_plan(dated, conversation, turn.draft or "", known)
    return CheckedPlan(checked.instructions, [*verdicts, *checked.verdicts])


def _compact(checked: CheckedPlan) -> list[dict[str, object]]:
    """The instructions for the ledger, without empty fields."""
    return [
        {name: value for name, value in structs.asdict(item).items() if value}
        for item in checked.instructions
    ]
