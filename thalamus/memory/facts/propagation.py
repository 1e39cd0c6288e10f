"""Consequences of changed facts: marks on what rests on them, with a ledger entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.memory.facts import history as fact_history
from thalamus.memory.mark_stale import clear_marks, mark_dependents, update_marks
from thalamus.memory.user.project_status import close_introduced, reopen_introduced
from thalamus.policy import timeline
from thalamus.policy.staleness import ended_reason
from thalamus.policy.timeline import moment
from thalamus.records import (
    Event,
    Fact,
    Verdict,
)
from thalamus.store import facts
from thalamus.store.encrypted import HIDDEN
from thalamus.store.encryption import contents

if TYPE_CHECKING:
    from thalamus.store.values import Change
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun


def log_change(
    name: str,
    data: dict[str, Any],
    changes: Sequence[Change],
    writer: Writer,
    run: TurnRun,
) -> list[Verdict]:
    """Adds a ledger entry about facts: their ids, and the reason if there is one. Marks dependents
    of facts that no longer hold; returns a verdict for each mark."""
    now = run.engine.clock.stamp()
    known = {key: value for key, value in data.items() if value is not None}
    known["changed"] = [change.id for change in changes]
    writer.add_event(Event(name=name, at=now, data=known))
    return propagate(changes, writer, now, run.zone)


def propagate(changes: Sequence[Change], writer: Writer, now: str, zone: tzinfo) -> list[Verdict]:
    """Marks dependents of facts that no longer hold, and clears the marks of those that hold again.
    Returns a verdict for each mark. ``zone``: the user's time zone, for dates in the marks."""
    return [verdict for change in changes for verdict in _follow(change, writer, now, zone)]


def _follow(change: Change, writer: Writer, now: str, zone: tzinfo) -> list[Verdict]:
    """Marks the dependents of a fact that does not hold now, and closes its project; takes both
    back when it does."""
    same = facts.of_group(writer, change.statement)
    if timeline.holds(change.after, now):
        for fact in same:
            clear_marks(writer, fact.stored_id)
        reopen_introduced(same, change.before, writer)
        return []
    if any(_holds(fact, now) for fact in same):
        return []
    ends = [end for _, end in change.after if end is not None]
    end = max(ends, key=moment, default=None)
    close_introduced(same, end, writer)
    if not change.lost:  # only the end moved
        for fact in same:
            update_marks(writer, fact.stored_id, _reason(fact, end, writer, zone))
        return []
    return [verdict for fact in same for verdict in _mark(fact, end, writer, zone)]


def _holds(fact: Fact, now: str) -> bool:
    interval = (fact.valid_from or timeline.BEGINNING, fact.valid_to)
    return fact.retired_at is None and timeline.holds([interval], now)


def mark_if_over(asserted: Iterable[Fact], writer: Writer, now: str, zone: tzinfo) -> list[Verdict]:
    """Marks the dependents of facts that were asserted as current, when earlier records show that
    they had ended by then."""
    ids = [fact.stored_id for fact in asserted if fact.valid_to is None]
    stored = {fact.id: fact for fact in writer.by_ids(Fact, ids)} if ids else {}
    ended = [
        (fact, fact.valid_to)
        for id in ids
        if (fact := stored.get(id)) and fact.valid_to and moment(fact.valid_to) <= moment(now)
    ]
    return [verdict for fact, end in ended for verdict in _mark(fact, end, writer, zone)]


def _mark(fact: Fact, end: str | None, writer: Writer, zone: tzinfo) -> list[Verdict]:
    """Marks the dependents of a fact that is over, unless its correction contains it and more."""
    if fact.retired_at and fact_history.extended(writer, {fact.stored_id: fact.object}):
        return []
    return mark_dependents(writer, [fact.stored_id], _reason(fact, end, writer, zone))


def _reason(fact: Fact, end: str | None, writer: Writer, zone: tzinfo) -> str:
    encrypted = contents.ids(writer, [fact.stored_id])  # marks are plain text
    return ended_reason(structs.replace(fact, object=HIDDEN) if encrypted else fact, end, zone)
