"""Restoring of states: the records that a change created are deleted, those that it changed or
retired are as before, and whatever rests on them follows.

A batch keeps these states as its items. Those of a turn are read from its ledger entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct, convert

from thalamus.errors import NothingMatches
from thalamus.memory import memories
from thalamus.memory.facts import history as fact_history
from thalamus.memory.facts.assertion import forget_precision
from thalamus.memory.facts.entities import resolve
from thalamus.memory.facts.intervals import groups_of
from thalamus.memory.facts.propagation import propagate
from thalamus.memory.insights.lookup import check_support, rest_on, restore_supported
from thalamus.memory.mark_stale import clear_marks, sources_of
from thalamus.memory.quarantine import delete
from thalamus.memory.undo.batches import CURRENT
from thalamus.memory.user.world import undo_change
from thalamus.memory.views.explain import record_text
from thalamus.policy.reconciliation import ECHO_GAIN, GAIN
from thalamus.policy.retention import SESSION_SUMMARY, TASK_SUMMARY
from thalamus.records import (
    DiscoverySource,
    Event,
    Fact,
    Insight,
    Memory,
    Note,
    Plan,
    Project,
    Turn,
    Verdict,
    WorldChange,
)
from thalamus.records.kinds import kind_of
from thalamus.store import batches, plans, stage_logs
from thalamus.store import facts as fact_rows
from thalamus.store import links as link_rows
from thalamus.store import memories as memory_rows
from thalamus.store import turns as turn_rows
from thalamus.store import world as world_rows

if TYPE_CHECKING:
    from thalamus.store.reader import Reader
    from thalamus.store.values import Change
    from thalamus.store.writer import Writer

_KINDS = (
    Turn,
    WorldChange,
    Fact,
    Memory,
    Insight,
    Project,
    DiscoverySource,
)  # of what a turn stores


Before = tuple[str, Mapping[str, Any]]  # the id of a record, with fields as they were


class Effects(NamedTuple):
    """Effects of a change: ids of the records that it created, those that it changed, each with
    fields as they were before (see ``batches.keep``), and the memories that it retired."""

    created: Sequence[str]
    changed: Sequence[Before]
    retired: Sequence[str] = ()


class Restored(Struct, frozen=True):
    """Numbers of records removed, changed back and reactivated; ``facts`` has the changed
    intervals."""

    removed: int
    changed: int
    restored: int
    facts: list[Change]


def restore(effects: Effects, writer: Writer, zone: tzinfo) -> Restored:
    """Reverts the effects of a change. ``zone``: the user's time zone, for dates in marks."""
    created, changed, retired = effects
    groups = groups_of(writer, [*created, *(id for id, _ in changed)])
    removed = sum(delete(writer, id) for id in created)
    if created:
        memory_rows.remove_marks(writer, [f"superseded by {id}" for id in created])
    reverted = sum(_set(writer, id, fields) for id, fields in changed)
    left = {*memory_rows.in_status(writer, retired, "retired")}
    active = [id for id in retired if id in left]
    writer.change(Memory, active, status="active", batch=None)
    changes = resolve(writer, groups)
    propagate(changes, writer, writer.now, zone)
    for id, fields in changed:
        if "status" in fields:
            clear_marks(writer, id)
    ids = [*active, *(id for id, _ in changed)]
    restore_supported(writer, rest_on(writer, ids))
    check_support(writer, ids)
    return Restored(removed, reverted, len(active), changes)


def effects_of_batch(batch: str, reader: Reader) -> Effects:
    """The effects that a batch keeps."""
    items = batches.items(reader, batch)
    return Effects(
        created=[item.id for item in items if item.before is None],
        changed=[(item.id, item.before) for item in items if item.before is not None],
        retired=memory_rows.retired_by(reader, batch),
    )


def _set(writer: Writer, id: str, fields: Mapping[str, Any]) -> int:
    """Sets fields of a record, or removes the note of a fact; returns the number of records changed
    (0 when it is missing)."""
    if "note" in fields:
        return _remove_note(writer, id, **fields)
    if "superseded_by" in fields:  # a turn that was withdrawn
        return int(link_rows.delete(writer, str(fields["superseded_by"]), "supersedes", id))
    return writer.change(_kind(fields), id, **fields)


def _kind(fields: Mapping[str, Any]) -> type[Memory | Insight | Fact | DiscoverySource]:
    """The kind of record that these fields were kept of."""
    if "uses" in fields:
        return DiscoverySource
    if "note" in fields or "retired_at" in fields:
        return Fact
    return Insight if "merged_into" in fields else Memory


def _remove_note(
    writer: Writer,
    id: str,
    note: Any,
    at: str,
    known: str | None = None,
    mentions: Sequence[tuple[str, str]] = (),
) -> int:
    """Removes a note from a fact, or dates it back to when it was recorded before (``known``), and
    adds the ``mentions`` that an end removed."""
    key = writer.key(Fact, id)
    if key is None:
        return 0
    fact_rows.delete_note(writer, key, note, at)
    if known is not None:
        fact_history.add_note(writer, key, Note(kind=note, at=at, recorded_at=known))
    for time, recorded_at in mentions:
        fact_history.add_note(writer, key, Note(kind="mention", at=time, recorded_at=recorded_at))
    return 1


# -- turns -----------------------------------------------------------------------------------------


class _Decisions(Struct, frozen=True):
    """The ledger ``entries`` for the decisions of `store` about a turn, and the period in which
    they were carried out."""

    turn: Turn
    entries: list[dict[str, Any]]
    since: str
    until: str

    @property
    def id(self) -> str:
        """The id of the turn."""
        return self.turn.stored_id

    def ids(self, *kinds: str) -> list[str]:
        """Ids of the records with a decision of these kinds, or of any."""
        found = (d for d in self.entries if not kinds or d["decision"] in kinds)
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
    turn = writer.by_id(Turn, id)
    if turn is None:
        raise NothingMatches(f"There is no turn {id}.")
    decisions = _decisions(turn, events)
    _restore_world(decisions, writer)
    _restore_strength(decisions, writer)
    _restore_plan(decisions.turn, writer)
    effects = _effects_of_turn(decisions, writer)
    deleted = _verdicts("drop", effects.created, writer)
    done = restore(effects, writer, zone)
    _restore_history([*decisions.ids(), *(change.id for change in done.facts)], decisions, writer)
    again = [change.id for change in done.facts if not change.lost]
    again += [id for id, fields in effects.changed if _kind(fields) is Memory]
    restored = _verdicts("restore", again, writer)
    return {"removed": done.removed, "restored": len(restored)}, [*deleted, *restored]


def _decisions(turn: Turn, events: Iterable[Event]) -> _Decisions:
    stored = [e for e in events if e.name == "stage" and e.data.get("stage") == "store"]
    entries = [d for e in stored for d in (e.data.get("detail") or {}).get("decisions") or ()]
    since = turn.recorded_at or ""
    return _Decisions(turn, entries, since, max((e.at for e in stored), default=since))


def _effects_of_turn(decisions: _Decisions, writer: Writer) -> Effects:
    """The effects of a turn, apart from strength, plan and world state. The turn itself is the
    last to be deleted: whatever still rests on it alone would be quarantined."""
    facts, memories = _facts(decisions, writer), _memories(decisions, writer)
    changes = world_rows.change_ids_of_turn(writer, decisions.id)
    created = [*facts.created, *memories.created, *changes]
    derived = _based_only_on([*created, decisions.id], decisions, writer)
    return Effects([*derived, *created, decisions.id], [*facts.changed, *memories.changed])


def _restore_world(decisions: _Decisions, writer: Writer) -> None:
    """Reverts the changes of the world state that came with the turn, the last one first."""
    for change in reversed(world_rows.changes_of_turn(writer, decisions.id)):
        # of topics alone it has no batch, and after a time no states
        if change.undone_at is None and (change.batch or change.before):
            undo_change(writer, change, writer.now)


def _restore_strength(decisions: _Decisions, writer: Writer) -> None:
    """Restores the strength of memories that the turn repeated, and removes the repetition."""
    for decision in decisions.entries:
        if decision["decision"] == "reinforce":
            id, before = decision["id"], decision.get("before") or {}
            gain = ECHO_GAIN if decision["rule"] == "came_back" else GAIN
            at = decisions.turn.created_at or ""
            memories.undo_reinforcement(writer, id, gain, at, before)
            link_rows.delete(writer, id, "derived_from", decisions.id)


def _restore_plan(turn: Turn, writer: Writer) -> None:
    """Deletes the plan of the turn. If it was the session's current plan, the one of the turn
    before is taken from that turn's stage log, while that is kept; otherwise the next turn recalls
    by its message."""
    present = plans.last(writer, turn.session or "", turn.user)
    for id in plans.ids_of_turn(writer, turn.stored_id):
        writer.remove(id)
    if present is None or present.turn != turn.id:
        return
    last = turn_rows.last_ids(writer, turn.session, 2)
    others = [id for id in last if id != turn.id]
    for log in stage_logs.of_stage(writer, others[0], "plan") if others else ():
        if plan := log.gave.get("plan"):
            before = convert(plan, Plan)
            if before.id and (before.session, before.user) == (turn.session, turn.user):
                writer.put(before)


def _facts(decisions: _Decisions, writer: Writer) -> Effects:
    """The facts that the turn asserted, retracted, repeated or ended."""
    created: list[str] = []
    changed: list[Before] = []
    ids = decisions.ids()
    for fact in writer.by_ids(Fact, ids) if ids else ():
        id = fact.stored_id
        if id in decisions.ids("add") and decisions.created(fact):
            created.append(id)
            continue
        link_rows.delete(writer, id, "derived_from", decisions.id)
        if id in decisions.ids("retract"):
            changed.append((id, CURRENT))
        for note in fact_rows.notes(writer, id):
            if decisions.since <= note.recorded_at <= decisions.until:
                changed.append((id, {"note": note.kind, "at": note.at}))
    return Effects(created, changed)


def _memories(decisions: _Decisions, writer: Writer) -> Effects:
    """The memories that the turn added, ended or superseded."""
    ids, added = decisions.ids(), decisions.ids("add", "quarantine")
    found = writer.by_ids(Memory, ids) if ids else []
    ended = [one for one in found if (one.stale or "").endswith(f"[{decisions.id}]")]
    created = [one for one in found if one.id in added and decisions.created(one)]
    names = [one.stored_id for one in created]
    active = [one.stored_id for one in created if one.status == "active"]
    changed: list[Before] = []
    changed += [(one.stored_id, {"stale": None, "valid_to": None}) for one in ended]
    changed += [(id, {"status": "active"}) for id in _superseded(active, names, writer)]
    return Effects(names, changed)


def _superseded(by: Sequence[str], created: Sequence[str], writer: Writer) -> list[str]:
    """Memories that only those of the turn replaced."""
    older = link_rows.targets(writer, by, "supersedes")
    links = link_rows.incoming(writer, older, "supersedes")
    others = {link.target for link in links if link.source not in created}
    left = [id for id in dict.fromkeys(older) if id not in others]
    return memory_rows.in_status(writer, left, "superseded")


def _based_only_on(created: Sequence[str], decisions: _Decisions, writer: Writer) -> list[str]:
    """Insights that rest on nothing but what is deleted, projects and sources that the turn
    introduced, and summaries of the goals that it reached and of its conversation."""
    insights = [id for id in rest_on(writer, created) if {*sources_of(writer, id)} <= {*created}]
    derived = link_rows.sources(writer, decisions.id, "derived_from")
    if not derived:
        return insights
    made = writer.by_ids(Memory, derived)
    found: list[Project | Memory] = [*writer.by_ids(Project, derived)]
    found += [one for one in made if one.type == TASK_SUMMARY]
    introduced = [one.stored_id for one in found if decisions.created(one)]
    # a summary of the conversation is made again, of the other turns
    introduced += [one.stored_id for one in made if one.type == SESSION_SUMMARY]
    return [*insights, *introduced, *_candidates(derived, writer)]


def _candidates(ids: Sequence[str], writer: Writer) -> list[str]:
    """Sources among these that no other message mentions and that were never read."""
    found = writer.by_ids(DiscoverySource, ids)
    return [one.stored_id for one in found if one.mentions == 1 and one.last_crawled is None]


def _restore_history(ids: Iterable[str], decisions: _Decisions, writer: Writer) -> None:
    """Restores the beliefs in facts, and the precision of their dates."""
    wanted = tuple(dict.fromkeys(ids))
    known = writer.existing(Fact, wanted)
    forget_precision(known, writer)
    for id in known:
        fact_history.believe_as_before(writer, id, decisions.since, decisions.until)


def _verdicts(
    decision: Literal["drop", "restore"], ids: Sequence[str], reader: Reader
) -> list[Verdict]:
    """Verdicts on turns, changes of the world state, facts, memories, insights and projects, in
    this order."""
    found: list[Any] = []
    for kind in _KINDS if ids else ():
        found += reader.by_ids(kind, ids)
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
