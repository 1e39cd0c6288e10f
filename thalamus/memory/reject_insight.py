"""Rejection of an insight by hand, in a batch that can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.errors import UsageError
from thalamus.memory.batches import begin_batch, change_insight, count_batches
from thalamus.records import Batch, Event, Insight

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol.store import Store


def reject(insight: Insight, context: Context, opened: Store) -> Insight:
    """Marks an insight as wrong: it is not recalled and not concluded again, unless that is undone.
    Raises ``UsageError`` for one that was merged."""
    if insight.status == "archived":
        raise UsageError(
            f"{insight.id} was merged into {insight.merged_into}.",
            fix=f"Reject that one, or undo the merge: `thalamus insights undo {insight.batch}`.",
        )
    if insight.status == "rejected":
        return insight
    id = insight.id or ""
    with opened.writing() as writer:
        batch = context.clock.new_id("reject", id, str(count_batches(writer)))
        begin_batch(writer, Batch(id=batch, at=writer.now, action="reject"))
        change_insight(writer, id, {"status": "rejected"}, batch)
        data = {"insight": id, "batch": batch}
        writer.add_event(Event(name="insight_rejected", at=writer.now, data=data))
    return structs.replace(insight, status="rejected")
