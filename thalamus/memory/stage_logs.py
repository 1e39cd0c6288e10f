"""The stage log: what each stage was given and gave, so that a turn can be looked at afterwards and
learned from.

What is logged waits on the context and is written with the next transaction, that of `store` where
a flow stores. Where there is none it is written without waiting for anybody, and left out where
that cannot be done: nothing that a user asked for fails because of its log.
"""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, to_builtins

from thalamus.clock import days_later
from thalamus.errors import ThalamusError
from thalamus.policy.evidence_use import used_words
from thalamus.records import LoggedCall, PromptMessage, StageLog
from thalamus.storage.protocol import ERASURES, below

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from thalamus.context import Context, Stage
    from thalamus.models.protocol import ChatReply, ChatRequest
    from thalamus.records import Evidence, Step, Turn
    from thalamus.storage.protocol import Reader, Store, Writer

log = logging.getLogger(__name__)

MOST = 256  # logs that wait while they cannot be written
DELETED_AT_ONCE = 1000
_IDENTITY = {"id", "session", "created_at", "user", "agent"}
# what is said elsewhere: of the turn itself, of a reflection by the stage that made it
_NOT_GIVEN = {*_IDENTITY, "issues", "trace", "stored", "recorded_at", "interrupted", "ref"}


# -- what is logged --------------------------------------------------------------------------------


def log_stage(stage: Stage, before: Turn, done: Turn, context: Context) -> None:
    """Logs a stage that has just run. One that was skipped is not logged, and `store` logs itself:
    in its own transaction."""
    if stage.name == "store" or not wanted(context):
        return
    try:
        record = _log_of(stage, before, done, context)
        if record is not None:
            _wait(record, context)
    except Exception as error:  # a plugin may write anything
        log.debug("the stage %s is not logged: %s", stage.name, error)


def _log_of(stage: Stage, before: Turn, done: Turn, context: Context) -> StageLog | None:
    """The log of a stage; None for one that was skipped."""
    calls, known = context.logs.calls, context.logs.given
    steps = done.trace[len(before.trace) :]
    gave = _gave(stage, before, done, steps)
    if not (calls or gave):
        return None
    record = _record(stage.name, done, context, steps[-1] if steps else None)
    record.given, record.gave = _given(stage, before, steps, known), gave
    _put_calls(record, stage.role, calls)
    known |= {*stage.writes, "message"}
    return record


def log_store(turn: Turn, entry: Step, context: Context) -> None:
    """Logs what `store` decided about a turn, while its transaction is open."""
    if not wanted(context) or not turn.stored:
        return
    record = _record("store", turn, context, entry)
    record.gave = {"stored": to_builtins(turn.stored)}
    _wait(record, context)


def wanted(context: Context) -> bool:
    """Whether anything is logged at present."""
    return context.config.log_days > 0 and context.use_memory and context.logs.on


def _record(name: str, turn: Turn, context: Context, entry: Step | None) -> StageLog:
    clock = context.clock
    return StageLog(
        stage=name,
        id=clock.new_id("log", turn.id, turn.message, name, len(turn.trace)),
        turn=turn.id,
        at=entry.at if entry else clock.stamp(),
        session=turn.session,
        user=turn.user or context.config.user or None,
        agent=turn.agent or context.config.agent or None,
        model=entry.model if entry else None,
        ms=entry.ms if entry else 0,
    )


def _given(
    stage: Stage, before: Turn, steps: Sequence[Step], known: Container[str]
) -> dict[str, Any]:
    """What a stage read, but for the fields that the log of an earlier stage has: of evidence and
    dialogue the ids are said all the same, by which a log is found when they are forgotten."""
    given: dict[str, Any] = {}
    for name in stage.reads:
        value = getattr(before, name)
        if name in _NOT_GIVEN or name in known or value is UNSET or not value:
            continue
        if name not in ("evidence", "reflection"):
            given[name] = to_builtins(value)
    if before.evidence:
        found = enumerate(before.evidence, 1)
        given["evidence"] = [{"id": e.id, "score": e.score, "rank": n} for n, e in found]
    if before.dialogue is not UNSET and before.dialogue.shown:
        given["shown"] = [*before.dialogue.shown]
    inputs = dict.fromkeys(id for step in steps for id in step.inputs)
    return given | ({"inputs": list(inputs)} if inputs else {})


def _gave(stage: Stage, before: Turn, done: Turn, steps: Sequence[Step]) -> dict[str, Any]:
    """What a stage wrote, and what its entries of the ledger say; empty for one that was skipped,
    whose entry has no more than a note."""
    if steps and all(set(step.detail) == {"note"} for step in steps):
        return {}
    gave: dict[str, Any] = {}
    for name in stage.writes:
        value = getattr(done, name)
        if name in _IDENTITY or value is UNSET or not value or value == getattr(before, name):
            continue
        if name == "evidence":
            gave[name] = [_evidence(item, n) for n, item in enumerate(done.evidence, 1)]
        else:
            gave[name] = to_builtins(value)
    outputs = dict.fromkeys(id for step in steps for id in step.outputs if id != done.id)
    if outputs and "evidence" not in gave:
        gave["outputs"] = list(outputs)
    detail = {name: value for step in steps for name, value in step.detail.items()}
    return gave | ({"detail": detail} if detail else {})


def _evidence(item: Evidence, rank: int) -> dict[str, Any]:
    said = {
        "id": item.id,
        "kind": item.kind,
        "text": item.text,
        "rank": rank,
        "score": item.score,
        "scores": item.scores,
        "relevance": item.relevance,
        "at": item.at,
        "type": item.type,
    }
    return {name: value for name, value in said.items() if value is not None}


def _put_calls(
    record: StageLog, role: str | None, calls: Sequence[tuple[ChatRequest, ChatReply]]
) -> None:
    """Puts the model calls of a stage on its log."""
    made = [
        LoggedCall(
            role=request.role,
            model=reply.model,
            messages=[PromptMessage(role=m.role, content=m.content) for m in request.messages],
            reply=_reply(reply),
        )
        for request, reply in calls
    ]
    own = [call for call in made if call.role == role] or made
    if own:
        main = own[-1]
        record.model, record.messages, record.reply = main.model, main.messages, main.reply
        record.calls = [call for call in made if call is not main]


def _reply(reply: ChatReply) -> str:
    """What a model replied, as it came; the tools that it wants called as it wrote their calls."""
    calls = [f"{call.name}({call.arguments})" for call in reply.calls]
    return "\n".join([reply.text, *calls] if reply.text else calls)


# -- writing ---------------------------------------------------------------------------------------


def _wait(record: StageLog, context: Context) -> None:
    """Has a log written with what is written next."""
    if not context.logs.records:
        context.logs.since = _state(context.open_store(False))
    context.logs.records.append(record)
    del context.logs.records[:-MOST]


def _state(reader: Reader | None) -> dict[str, Any]:
    """Which store it is, and how often something was erased from it; empty without a store."""
    if reader is None:
        return {}
    return {name: reader.value(name) for name in ("store", ERASURES)}


def write_logs(writer: Writer, context: Context) -> None:
    """Writes what waits in the present transaction; the caller then calls ``written``. Nothing when
    something was forgotten since the first of it was logged, which may hold it."""
    if not context.logs.records:
        return
    if context.logs.since and context.logs.since != _state(writer):
        log.debug("%d stage logs are left out: something was forgotten", len(context.logs.records))
        return
    for record in context.logs.records:
        writer.add(record)


def written(context: Context) -> None:
    """Nothing waits any more: it was written, or is not to be."""
    context.logs.records.clear()


def write_waiting(context: Context, *, last: bool = False) -> None:
    """Writes what waits, in a transaction of its own that waits for nobody. What cannot be written
    waits on, unless this is the ``last`` chance. Raises nothing."""
    if not context.logs.records:
        return
    try:
        store = context.open_store(False)
        if store is not None:
            with store.writing(wait=False) as writer:
                write_logs(writer, context)
        written(context)
    except (ThalamusError, OSError, sqlite3.Error) as error:
        log.debug("the stage log is not written: %s", error)
        if last:
            written(context)


# -- reading and deleting --------------------------------------------------------------------------


def logs_of(store: Reader, turn: str) -> list[StageLog]:
    """The logs of a turn, in the order in which they were written. The evidence that its answer
    used is worked out here, from what was logged: it takes longer than all the rest."""
    logs = store.find(StageLog, {"turn": turn}, order=("key",))
    message = ""
    found: dict[str, str] = {}
    for log in logs:
        message = log.given.get("message", message)
        found |= {item["id"]: item["text"] for item in log.gave.get("evidence", ())}
        said = log.gave.get("answer")
        if said:
            texts = [
                (item["id"], found.get(item["id"], "")) for item in log.given.get("evidence", ())
            ]
            log.gave["used"] = [id for id, text in texts if used_words(text, message, said)]
    return logs


def delete_old(store: Store, now: str, days: float) -> int:
    """Deletes the logs that are older than so many days; returns how many."""
    before, gone = days_later(now, -days), 0
    where = {"at": below(before)} if days > 0 else {}
    while True:
        ids = store.records(StageLog).ids(where, limit=DELETED_AT_ONCE)
        if not ids:
            return gone
        with store.writing() as writer:
            gone += writer.records(StageLog).delete({"id": ids})
