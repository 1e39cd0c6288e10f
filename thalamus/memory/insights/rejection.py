"""Rejection of an insight by hand, in a batch that can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.errors import UsageError
from thalamus.memory.undo.batches import change_insight, new_batch
from thalamus.records import Event, Insight

if TYPE_CHECKING:
    from thalamus.engine import Engine


def reject(insight: Insight, engine: Engine) -> Insight:
    """Marks an insight as wrong: it is not recalled and not concluded again, unless that is undone.
    Raises ``UsageError`` for one that was merged."""
    if insight.status == "archived":
        raise UsageError(
            f"{insight.id} was merged into {insight.merged_into}.",
            fix=f"Reject that one, or undo the merge: `thalamus insights undo {insight.batch}`.",
        )
    if insight.status == "rejected":
        return insight
    id = insight.stored_id
    with engine.store.writing() as writer:
        batch = new_batch("reject", writer, engine.clock, id)
        change_insight(writer, id, {"status": "rejected"}, batch)
        data = {"insight": id, "batch": batch}
        writer.add_event(Event(name="insight_rejected", at=writer.now, data=data))
    return structs.replace(insight, status="rejected")
