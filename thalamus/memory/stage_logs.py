"""The stage log: input and output of each stage, for inspection and for training data.

Log entries wait on the run and are written in its next transaction, that of `store` where a flow
has one. Otherwise they are written without waiting for a lock, or dropped: no request fails because
of its log.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, to_builtins

from thalamus.clock import days_later
from thalamus.errors import ThalamusError
from thalamus.logs import logger
from thalamus.records import LoggedCall, PromptMessage, StageLog
from thalamus.store import records
from thalamus.store import stage_logs as stage_log_rows
from thalamus.store.erasure import ERASURES

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from thalamus.engine import Engine
    from thalamus.models.protocol import ChatReply, ChatRequest
    from thalamus.records import Evidence, Step, Turn
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer
    from thalamus.turn_run import Stage, TurnRun

log = logger(__name__)

DELETED_AT_ONCE = 1000
_IDENTITY = {"id", "session", "created_at", "user", "agent"}
# logged elsewhere: with the turn itself, or by the stage that made the reflection
_NOT_GIVEN = {*_IDENTITY, "issues", "trace", "stored", "recorded_at", "interrupted", "ref"}


# -- contents of a log -----------------------------------------------------------------------------


def log_stage(stage: Stage, before: Turn, after: Turn, run: TurnRun) -> None:
    """Logs a stage that has just run. A skipped stage is not logged, and `store` logs itself, in
    its own transaction."""
    if stage.name == "store" or not is_logging(run):
        return
    try:
        record = _log_of(stage, before, after, run)
        if record is not None:
            _wait(record, run)
    except Exception as error:  # a plugin may write anything
        log.debug("the stage %s is not logged: %s", stage.name, error)


def _log_of(stage: Stage, before: Turn, after: Turn, run: TurnRun) -> StageLog | None:
    """Log of a stage; None for one that was skipped."""
    calls, known = run.log.calls, run.log.given
    steps = after.trace[len(before.trace) :]
    gave = _output(stage, before, after, steps)
    if not (calls or gave):
        return None
    record = _record(stage.name, after, run.engine, steps[-1] if steps else None)
    record.given, record.gave = _input(stage, before, steps, known), gave
    _put_calls(record, stage.role, calls)
    known |= {*stage.writes, "message"}
    return record


def log_store(turn: Turn, entry: Step, run: TurnRun) -> None:
    """Logs the decisions of `store` about a turn, while its transaction is open."""
    if not is_logging(run) or not turn.stored:
        return
    record = _record("store", turn, run.engine, entry)
    record.gave = {"stored": to_builtins(turn.stored)}
    _wait(record, run)


def is_logging(run: TurnRun) -> bool:
    """True when logging is on."""
    return run.engine.config.log_days > 0 and run.engine.use_memory and run.log.on


def _record(name: str, turn: Turn, engine: Engine, entry: Step | None) -> StageLog:
    clock = engine.clock
    return StageLog(
        stage=name,
        id=clock.new_id("log", turn.id, turn.message, name, len(turn.trace)),
        turn=turn.id,
        at=entry.at if entry else clock.stamp(),
        session=turn.session,
        user=turn.user or engine.config.user or None,
        agent=turn.agent or engine.config.agent or None,
        model=entry.model if entry else None,
        ms=entry.ms if entry else 0,
    )


def _input(
    stage: Stage, before: Turn, steps: Sequence[Step], known: Container[str]
) -> dict[str, Any]:
    """Input of a stage, without the fields that the log of an earlier stage has. The ids of
    evidence and dialogue are always included, so that a log can be found when they are
    forgotten."""
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


def _output(stage: Stage, before: Turn, after: Turn, steps: Sequence[Step]) -> dict[str, Any]:
    """Output of a stage, and its ledger entries; empty for a skipped stage, whose entry has only a
    note."""
    if steps and all(set(step.detail) == {"note"} for step in steps):
        return {}
    gave: dict[str, Any] = {}
    for name in stage.writes:
        value = getattr(after, name)
        if name in _IDENTITY or value is UNSET or not value or value == getattr(before, name):
            continue
        if name == "evidence":
            gave[name] = [_evidence(item, n) for n, item in enumerate(after.evidence, 1)]
        else:
            gave[name] = to_builtins(value)
    outputs = dict.fromkeys(id for step in steps for id in step.outputs if id != after.id)
    if outputs and "evidence" not in gave:
        gave["outputs"] = list(outputs)
    detail = {name: value for step in steps for name, value in step.detail.items()}
    return gave | ({"detail": detail} if detail else {})


def _evidence(item: Evidence, rank: int) -> dict[str, Any]:
    words_by_id = {
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
    return {name: value for name, value in words_by_id.items() if value is not None}


def _put_calls(
    record: StageLog, role: str | None, calls: Sequence[tuple[ChatRequest, ChatReply]]
) -> None:
    """Adds the model calls of a stage to its log."""
    logged_calls = [
        LoggedCall(
            role=request.role,
            model=reply.model,
            messages=[PromptMessage(role=m.role, content=m.content) for m in request.messages],
            reply=_reply(reply),
        )
        for request, reply in calls
    ]
    own = [call for call in logged_calls if call.role == role] or logged_calls
    if own:
        main = own[-1]
        record.model, record.messages, record.reply = main.model, main.messages, main.reply
        record.calls = [call for call in logged_calls if call is not main]


def _reply(reply: ChatReply) -> str:
    """A model's reply verbatim; tool calls in the model's own notation."""
    calls = [f"{call.name}({call.arguments})" for call in reply.calls]
    return "\n".join([reply.text, *calls] if reply.text else calls)


# -- writing ---------------------------------------------------------------------------------------


def _wait(record: StageLog, run: TurnRun) -> None:
    """Buffers a log for the next transaction."""
    if not run.log.records:
        run.log.since = _state(run.engine.open_store(False))
    run.log.records.append(record)


def _state(reader: Reader | None) -> dict[str, str]:
    """Identity of the store, and its number of erasures; empty without a store."""
    return {} if reader is None else reader.values("store", ERASURES)


def write_logs(writer: Writer, run: TurnRun) -> None:
    """Writes the buffered logs in the current transaction; the caller then clears the buffer.
    Writes nothing if something was forgotten since the first was buffered, because the logs may
    contain it."""
    records = run.log.records
    if not records:
        return
    if run.log.since and run.log.since != _state(writer):
        log.debug("%d stage logs are left out: something was forgotten", len(records))
        return
    writer.add_logs(records)


def write_waiting(run: TurnRun) -> None:
    """Writes the buffered logs in a transaction of their own, without waiting for a lock. Raises
    nothing."""
    if not run.log.records:
        return
    try:
        store = run.engine.open_store(False)
        if store is not None:
            with store.writing(wait=False) as writer:
                write_logs(writer, run)
    except (ThalamusError, OSError, sqlite3.Error) as error:
        log.debug("the stage log is not written: %s", error)
    run.log.records.clear()


# -- reading and deleting --------------------------------------------------------------------------


def logs_of(store: Reader, turn: str) -> list[StageLog]:
    """Logs of a turn, in the order of writing; that of its answer with the evidence that was
    ``used``."""
    logs = stage_log_rows.of_turn(store, turn)
    for log in logs:
        if log.gave.get("answer"):
            log.gave["used"] = log.gave.get("detail", {}).get("used", [])
    return logs


def count_old(reader: Reader, now: str, days: float) -> int:
    """Number of the logs that ``delete_old`` would delete."""
    return stage_log_rows.count_older(reader, _older_than(now, days))


def _older_than(now: str, days: float) -> str:
    return days_later(now, -days) if days > 0 else records.AFTER_ALL


def delete_old(store: Store, now: str, days: float) -> int:
    """Deletes logs older than this many days; returns how many."""
    before, count = _older_than(now, days), 0
    while True:
        ids = stage_log_rows.older(store, before, DELETED_AT_ONCE)
        if not ids:
            return count
        with store.writing() as writer:
            count += records.delete(writer, StageLog, ids)
