"""Restoring of states: the records that a change created are deleted, those that it changed or
retired are as before, and whatever rests on them follows.

A batch keeps these states as its items. Those of a turn are read from its ledger entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import convert

from thalamus.errors import NothingMatches
from thalamus.memory import fact_history, memories
from thalamus.memory.entities import resolve
from thalamus.memory.explain import record_text
from thalamus.memory.facts import forget_precision, propagate
from thalamus.memory.insights import check_support, rest_on, restore_supported
from thalamus.memory.intervals import groups_of
from thalamus.memory.mark_stale import clear_marks, sources_of
from thalamus.memory.quarantine import delete
from thalamus.memory.sessions import saved_plan
from thalamus.memory.world import undo_change
from thalamus.policy.reconciliation import ECHO_GAIN, GAIN
from thalamus.records import (
    Event,
    Fact,
    Insight,
    Memory,
    Note,
    Plan,
    Project,
    StageLog,
    Turn,
    Verdict,
    WorldChange,
)
from thalamus.records.kinds import kind_of
from thalamus.storage.protocol import other_than
from thalamus.storage.protocol.batches import BatchItem

if TYPE_CHECKING:
    from thalamus.storage.protocol import Change, Reader, Where, Writer

_KINDS = (Turn, WorldChange, Fact, Memory, Insight, Project)  # of what a turn stores


class Restored(NamedTuple):
    """Numbers of records removed, changed back and reactivated; ``facts`` has the changed
    intervals."""

    removed: int
    changed: int
    restored: int
    facts: list[Change]


def restore(
    items: Sequence[BatchItem], writer: Writer, zone: tzinfo, retired: Where | None = None
) -> Restored:
    """Deletes the records that were created, restores the fields of those that were changed, and
    reactivates the ``retired`` memories. ``zone``: the user's time zone, for dates in marks."""
    created = [item.id for item in items if item.before is None]
    before = [(item.id, item.before) for item in items if item.before is not None]
    groups = groups_of(writer, [item.id for item in items])
    removed = 0
    for id in created:
        removed += delete(writer, id)
        writer.memories.update({"stale": f"superseded by {id}"}, stale=None)
    count = sum(_set(writer, id, fields) for id, fields in before)
    active = writer.memories.ids(retired) if retired else []
    if retired:
        writer.memories.update(retired, status="active", batch=None)
    changes = resolve(writer, groups)
    propagate(changes, writer, writer.now, zone)
    for id in (id for id, fields in before if "status" in fields):
        clear_marks(writer, id)
    ids = [*active, *(id for id, _ in before)]
    restore_supported(writer, rest_on(writer, ids))
    check_support(writer, ids)
    return Restored(removed, count, len(active), changes)


def _set(writer: Writer, id: str, fields: Mapping[str, Any]) -> int:
    """Sets fields of a memory, an insight or a fact, or removes the note of a fact; returns the
    number of records changed (0 when it is missing)."""
    if "note" in fields:
        return _remove_note(writer, id, **fields)
    kind = Fact if "retired_at" in fields else Insight if "merged_into" in fields else Memory
    return writer.records(kind).update({"id": id}, **fields)


def _remove_note(writer: Writer, id: str, note: Any, at: str, known: str | None = None) -> int:
    """Removes a note from a fact; one that had been ``known`` since then stays."""
    key = writer.facts.key(id)
    if key is None:
        return 0
    writer.facts.delete_note(key, note, at)
    if known is not None:
        fact_history.add_note(writer, key, Note(kind=note, at=at, recorded_at=known))
    return 1


# -- turns -----------------------------------------------------------------------------------------


class _Effects(NamedTuple):
    """The decisions of `store` about a turn in the ledger, and the period in which they were
    carried out."""

    turn: Turn
    decisions: list[dict[str, Any]]
    since: str
    until: str

    @property
    def id(self) -> str:
        """The id of the turn."""
        return self.turn.id or ""

    def ids(self, *decisions: str) -> list[str]:
        """Ids of the records about which it was decided so, or in any way."""
        found = (d for d in self.decisions if not decisions or d["decision"] in decisions)
        return list(dict.fromkeys(d["id"] for d in found if d["id"]))

    def created(self, record: Memory | Fact | Project) -> bool:
        """True for a record that the turn added rather than repeated."""
        source = record.provenance
        return source is not None and source.turn == self.id


def restore_turn(
    id: str, events: Iterable[Event], writer: Writer, zone: tzinfo
) -> tuple[dict[str, int], list[Verdict]]:
    """Deletes a turn with everything stored because of it, and restores what it ended, superseded
    or strengthened. ``events``: its ledger entries. Returns counts, and the verdicts on what was
    deleted, the turn first, and on what holds again.

    Unlike ``erase``, which searches for words everywhere, nothing else is deleted: earlier
    statements stay, even with the same content. Beliefs in a fact are restored as if the turn had
    never happened, unless the fact has changed since. Raises ``NothingMatches`` when the turn is
    missing, and ``UsageError`` when the world state was changed again.
    """
    found = writer.find(Turn, {"id": id})
    if not found:
        raise NothingMatches(f"There is no turn {id}.")
    effects = _effects(found[0], events)
    _restore_world(effects, writer)
    _restore_strength(effects, writer)
    _restore_plan(effects.turn, writer)
    facts, memories = [*_fact_items(effects, writer)], [*_memory_items(effects, writer)]
    changed = [item for item in (*facts, *memories) if item.before is not None]
    created = [id, *writer.records(WorldChange).ids({"turn": id})]
    created += [item.id for item in (*facts, *memories) if item.before is None]
    created += _based_only_on(created, effects, writer)
    deleted = _verdicts("drop", created, writer)
    # the turn goes last: what still rests on nothing else would be quarantined
    done = restore([BatchItem("", id) for id in reversed(created)] + changed, writer, zone)
    _restore_history([*effects.ids(), *(change.id for change in done.facts)], effects, writer)
    again = [change.id for change in done.facts if not change.lost]
    again += [item.id for item in memories if item.before is not None]
    restored = _verdicts("restore", again, writer)
    return {"removed": done.removed, "restored": len(restored)}, [*deleted, *restored]


def _effects(turn: Turn, events: Iterable[Event]) -> _Effects:
    stored = [e for e in events if e.name == "stage" and e.data.get("stage") == "store"]
    decisions = [d for e in stored for d in (e.data.get("detail") or {}).get("decisions") or ()]
    since = turn.recorded_at or ""
    return _Effects(turn, decisions, since, max((e.at for e in stored), default=since))


def _restore_world(effects: _Effects, writer: Writer) -> None:
    for change in writer.find(WorldChange, {"turn": effects.id}, order=("-key",)):
        if change.batch and change.undone_at is None:
            undo_change(writer, change.batch, writer.now)


def _restore_strength(effects: _Effects, writer: Writer) -> None:
    """Restores the strength of memories that the turn repeated, and removes the repetition."""
    for decision in effects.decisions:
        if decision["decision"] == "reinforce":
            id, before = decision["id"], decision.get("before") or {}
            gain = ECHO_GAIN if decision["rule"] == "came_back" else GAIN
            at = effects.turn.created_at or ""
            memories.undo_reinforcement(writer, id, gain, at, before)
            writer.links.delete(id, "derived_from", effects.id)


def _restore_plan(turn: Turn, writer: Writer) -> None:
    """Deletes the plan of the turn. If it was the session's current plan, the one of the turn
    before is taken from that turn's stage log, while that is kept; otherwise the next turn recalls
    by its message."""
    present = saved_plan(writer, turn.session or "", turn.user)
    for own in writer.find(Plan, {"turn": turn.id}):
        writer.remove(own.id or "")
    if present is None or present.turn != turn.id:
        return
    where: Where = {"session": turn.session, "id": other_than(turn.id)}
    ids = writer.records(Turn).ids(where, order=("-key",), limit=1)
    logs = writer.find(StageLog, {"turn": ids[0], "stage": "plan"}) if ids else ()
    for log in logs:
        if plan := log.gave.get("plan"):
            before = convert(plan, Plan)
            if before.id and (before.session, before.user) == (turn.session, turn.user):
                writer.put(before)


def _fact_items(effects: _Effects, writer: Writer) -> Iterator[BatchItem]:
    """The facts that the turn asserted, retracted, repeated or ended."""
    ids, retracted = effects.ids(), effects.ids("retract")
    for fact in writer.find(Fact, {"id": ids}) if ids else ():
        id = fact.id or ""
        if id in effects.ids("add") and effects.created(fact):
            yield BatchItem("", id)
            continue
        writer.links.delete(id, "derived_from", effects.id)
        if id in retracted:
            yield BatchItem("", id, {"retired_at": None})
        for _, note in writer.facts.notes(writer.facts.key(id) or 0):
            if effects.since <= note.recorded_at <= effects.until:
                yield BatchItem("", id, {"note": note.kind, "at": note.at})


def _memory_items(effects: _Effects, writer: Writer) -> Iterator[BatchItem]:
    """The memories that the turn added, ended or superseded."""
    ids = effects.ids()
    found = writer.find(Memory, {"id": ids}) if ids else []
    for memory in found:
        if (memory.stale or "").endswith(f"[{effects.id}]"):
            yield BatchItem("", memory.id or "", {"stale": None, "valid_to": None})
    added = effects.ids("add", "quarantine")
    created = [one for one in found if one.id in added and effects.created(one)]
    for memory in created:
        yield BatchItem("", memory.id or "")
    active = [one.id or "" for one in created if one.status == "active"]
    for id in _superseded(active, [one.id or "" for one in created], writer):
        yield BatchItem("", id, {"status": "active"})


def _superseded(by: Sequence[str], created: Sequence[str], writer: Writer) -> list[str]:
    """Memories that only those of the turn replaced."""
    older = writer.links.targets(by, "supersedes")
    links = writer.links.incoming(older, "supersedes")
    others = {link.target for link in links if link.source not in created}
    left = [id for id in dict.fromkeys(older) if id not in others]
    return writer.memories.ids({"id": left, "status": "superseded"}) if left else []


def _based_only_on(created: Sequence[str], effects: _Effects, writer: Writer) -> list[str]:
    """Insights that rest on nothing but what is deleted, and projects that the turn introduced."""
    insights = [id for id in rest_on(writer, created) if {*sources_of(writer, id)} <= {*created}]
    derived = writer.links.sources(effects.id, "derived_from")
    projects = writer.find(Project, {"id": derived}) if derived else []
    return insights + [one.id or "" for one in projects if effects.created(one)]


def _restore_history(ids: Iterable[str], effects: _Effects, writer: Writer) -> None:
    """Restores the beliefs in facts, and the precision of their dates."""
    known = [id for id in dict.fromkeys(ids) if writer.facts.exists({"id": id})]
    forget_precision(known, writer)
    for id in known:
        fact_history.believe_as_before(writer, id, effects.since, effects.until)


def _verdicts(
    decision: Literal["drop", "restore"], ids: Sequence[str], reader: Reader
) -> list[Verdict]:
    """Verdicts on turns, changes of the world state, facts, memories, insights and projects, in
    this order."""
    found: list[Any] = []
    for kind in _KINDS if ids else ():
        found += reader.find(kind, {"id": tuple(ids)})
    return [
        Verdict(
            decision=decision,
            rule="undone",
            reason=kind_of(type(one)).name if decision == "drop" else "as before",
            id=one.id,
            content=record_text(one),
        )
        for one in found
    ]
