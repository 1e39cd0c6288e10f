"""Writing of insights, which pass the gate (``memory.write``) as memories do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.memory.embeddings import embed_alone
from thalamus.memory.insights.lookup import (
    add_insight,
    insight_id,
    is_supported,
    known_like,
    missing,
)
from thalamus.memory.jobs import add_job, finish_job
from thalamus.memory.undo.batches import note_created
from thalamus.memory.write import admit_memories
from thalamus.policy.reconciliation import REASONS
from thalamus.records import Event, Insight, Memory, Turn, Verdict
from thalamus.records.reports import Batch
from thalamus.store import batches
from thalamus.store.encryption import contents
from thalamus.store.jobs import CRYSTALLIZE

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.records import Decision
    from thalamus.store.values import Vector
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun


def write_insights(
    insights: Sequence[Insight], target: Turn, run: TurnRun, detail: dict[str, object]
) -> list[tuple[Insight, Verdict]]:
    """Writes insights concluded from a turn, in the transaction that finishes its job; returns each
    with its verdict. Empty if another process was faster.

    ``detail`` goes into the ledger, without any words of the user. Insights that rest on something
    deleted meanwhile are left out. Raises what ``write_records`` raises.
    """
    admitted = [_admit(insight, run.engine) for insight in insights]
    vectors = embed_alone([insight for insight, _ in admitted], run)
    decided: list[tuple[Insight, Verdict]] = []
    with run.engine.store.writing() as writer:
        add_job(writer, CRYSTALLIZE, target.stored_id, run.engine.clock)  # unless there is one
        if not finish_job(writer, CRYSTALLIZE, target.stored_id):
            return []
        for (insight, verdict), vector in zip(admitted, vectors, strict=True):
            decided.append(_write(insight, verdict, vector, target, writer))
        decisions = [{"id": one.id, "rule": v.rule, "decision": v.decision} for one, v in decided]
        data = {**detail, "decisions": decisions}
        at = run.engine.clock.stamp()
        writer.add_event(Event(name="crystallized", at=at, turn=target.id, data=data))
    return decided


def add_to_batch(ids: Sequence[str], batch: str | None, engine: Engine) -> str:
    """Adds insights to a ``batch``, or to a new one, so that ``undo`` deletes them; returns its
    id."""
    with engine.store.writing() as writer:
        if batch is None:
            batch = engine.clock.new_id("crystallize", batches.count(writer), *ids[:1])
            batches.add(writer, Batch(id=batch, at=writer.now, action="crystallize"))
        for id in ids:
            note_created(writer, id, batch)
    return batch


def write_merged(
    insight: Insight, run: TurnRun, archive: Callable[[Writer, Insight], bool]
) -> Insight | None:
    """Writes a merged insight, in the transaction in which ``archive`` retires its sources; None
    when it may not be stored unchanged, or ``archive`` returns False. Raises what ``write_records``
    raises."""
    insight, verdict = _admit(insight, run.engine)
    if verdict is not None:
        return None
    [vector] = embed_alone([insight], run)
    with run.engine.store.writing() as writer:
        if missing(writer, insight.sources):
            return None
        made_from = "\x1f".join(insight.sources)
        id = insight_id(writer, insight, made_from, insight.created_at or writer.now)
        insight = structs.replace(insight, id=id)
        if not archive(writer, insight):
            return None
        add_insight(insight, vector, writer)
    return insight


def _admit(insight: Insight, engine: Engine) -> tuple[Insight, Verdict | None]:
    """An insight after admission by the gate, which receives it as a memory, personal by itself or
    by its support; and the verdict if it may not be stored unchanged."""
    private = insight.sensitivity == "personal" or bool(contents.ids(engine.store, insight.sources))
    memory = Memory(
        content=insight.content,
        type="insight",
        topic=insight.concepts[0] if insight.concepts else None,
        scope="archival",
        sensitivity="personal" if private else "normal",
        trust=insight.trust,
        session=insight.session,
        user=insight.user,
        agent=insight.agent,
    )
    [draft] = admit_memories([memory], engine, machine_made=True)
    now = engine.clock.stamp()
    insight = structs.replace(
        insight,
        content=draft.record.content,
        sensitivity=draft.record.sensitivity,
        created_at=insight.created_at or now,
        recorded_at=now,
    )
    reason = draft.record.quarantine
    if reason is not None:
        insight = structs.replace(insight, status="quarantined", quarantine=reason)
    return insight, draft.verdict


def _write(
    insight: Insight,
    verdict: Verdict | None,
    vector: Vector | None,
    target: Turn,
    writer: Writer,
) -> tuple[Insight, Verdict]:
    """Decides about an insight and writes it, linked with its support."""
    if verdict is not None and verdict.decision != "quarantine":
        return insight, verdict
    if missing(writer, insight.sources):
        reason = REASONS["source_deleted"]
        return insight, _verdict_on(insight, "refuse", "source_deleted", reason)
    known = known_like(writer, insight)
    if known is not None:
        verdict = _verdict_on(insight, "exists", "same_content", "an insight says it already")
        return structs.replace(insight, id=known.id), structs.replace(verdict, id=known.id)
    id = insight_id(writer, insight, target.stored_id, target.created_at or writer.now)
    insight = structs.replace(insight, id=id)
    if insight.status == "active" and not is_supported(writer, insight):
        insight = structs.replace(insight, status="unsupported")
    add_insight(insight, vector, writer)
    quarantined = insight.quarantine
    if quarantined is not None:
        return insight, _verdict_on(insight, "quarantine", quarantined.rule, quarantined.reason)
    return insight, _verdict_on(insight, "add", "grounded", "its sources say so")


def _verdict_on(insight: Insight, decision: Decision, rule: str, reason: str) -> Verdict:
    return Verdict(
        decision=decision, rule=rule, reason=reason, id=insight.id, content=insight.content
    )
