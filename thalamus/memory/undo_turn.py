"""Undo of a turn: deletes it with everything stored because of it, and restores everything that it
ended, superseded or strengthened.

The effects of a turn are read from its ledger entries, by id. Unlike ``erase``, which searches for
words everywhere, nothing else is deleted: earlier statements stay, even with the same content.

The plan that the turn's own plan replaced is taken from the stage log of the turn before it, while
that is kept; otherwise the next turn recalls by its message. Beliefs in a fact are restored as if
the turn had never happened, unless the fact has changed since: in that case the belief of that time
stays (``known_at``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import convert

from thalamus.errors import NothingMatches
from thalamus.memory import facts, memories
from thalamus.memory.entities import resolve
from thalamus.memory.fact_history import believe_as_before
from thalamus.memory.insights import rest_on, restore_supported
from thalamus.memory.intervals import groups_of
from thalamus.memory.mark_stale import sources_of
from thalamus.memory.quarantine import delete
from thalamus.memory.sessions import saved_plan
from thalamus.memory.world import undo_change
from thalamus.policy.reconciliation import ECHO_GAIN, GAIN
from thalamus.records import (
    Event,
    Fact,
    Insight,
    Memory,
    Plan,
    Project,
    StageLog,
    Turn,
    Verdict,
    WorldChange,
)
from thalamus.storage.protocol.conditions import other_than

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.store import Store
    from thalamus.storage.protocol.writer import Writer

UNDONE = "turn_undone"  # name of the ledger entry


def undo_turn(id: str, context: Context, opened: Store) -> list[Verdict]:
    """Undoes a turn in one transaction. Returns the verdicts on deleted records (``drop``), the
    turn first, and on restored ones (``restore``).

    Raises ``NothingMatches`` when there is no such turn of this user, ``StoreBusy``, ``StoreFull``,
    and ``UsageError`` when the world state was changed again since.
    """
    with opened.writing() as writer:
        turn = writer.by_id(Turn, id)
        user = context.config.user or None
        if turn is None or (user is not None and turn.user not in (None, user)):
            raise NothingMatches(f"There is no turn {id}.")
        return _Undoing(turn, writer, context).run(list(opened.events.read(id)))


class _Undoing:
    """Undoes one turn in a transaction."""

    def __init__(self, turn: Turn, writer: Writer, context: Context) -> None:
        self._turn = turn
        self._id = turn.id or ""
        self._writer = writer
        self._context = context
        self._verdicts: list[Verdict] = []

    def run(self, events: Sequence[Event]) -> list[Verdict]:
        """Undoes everything recorded in the ledger entries of the turn."""
        stored = [e for e in events if e.name == "stage" and e.data.get("stage") == "store"]
        decisions = [d for e in stored for d in (e.data.get("detail") or {}).get("decisions") or ()]
        until = max((e.at for e in stored), default=self._turn.recorded_at or "")
        self._dropped("turn", self._id, self._turn.message)
        self._undo_world()
        self._undo_strength(decisions)
        self._undo_facts(decisions, until)
        self._undo_memories(decisions)
        self._drop_rest()
        delete(self._writer, self._id)
        self._log()
        return self._verdicts

    # -- the world -------------------------------------------------------------------------------

    def _undo_world(self) -> None:
        changes = self._writer.find(WorldChange, {"turn": self._id}, order=("-key",))
        for change in changes:
            if change.batch and change.undone_at is None:
                undo_change(self._writer, change.batch, self._writer.now)
            self._writer.remove(change.id or "")
            self._dropped("world_change", change.id or "", "")

    # -- memories --------------------------------------------------------------------------------

    def _undo_strength(self, decisions: list[dict[str, Any]]) -> None:
        """Restores the strength of memories that the turn repeated, and removes the repetition."""
        for decision in decisions:
            if decision["decision"] != "reinforce":
                continue
            id = decision["id"]
            gain = ECHO_GAIN if decision["rule"] == "came_back" else GAIN
            before = decision.get("before") or {}
            memories.undo_reinforcement(self._writer, id, gain, self._turn.created_at or "", before)
            self._writer.links.delete(id, "derived_from", self._id)

    def _undo_memories(self, decisions: list[dict[str, str]]) -> None:
        for id in (d["id"] for d in decisions if (d["decision"], d["rule"]) == ("stale", "ended")):
            memory = memories.with_id(self._writer, id)
            if memory is not None and (memory.stale or "").endswith(f"[{self._id}]"):
                self._writer.memories.update(id, stale=None, valid_to=None)
                self._restored(memory, id)
        added = [d["id"] for d in decisions if d["decision"] in ("add", "quarantine") and d["id"]]
        for id in dict.fromkeys(added):
            memory = memories.with_id(self._writer, id)
            if memory is None or not self._is_of_turn(memory):
                continue
            older = self._superseded_by(memory)
            delete(self._writer, id)
            self._dropped("memory", id, memory.content)
            for old in older:
                memories.set_status(self._writer, old, "active")
                self._restored(memories.with_id(self._writer, old), old)
            self._writer.memories.update_where({"stale": f"superseded by {id}"}, stale=None)
            restore_supported(self._writer, rest_on(self._writer, older))

    def _superseded_by(self, memory: Memory) -> list[str]:
        """Memories that only this one replaced, while it is active itself."""
        if memory.status != "active":
            return []
        links = self._writer.links
        found = links.targets(memory.id or "", "supersedes")
        unreplaced = [id for id in found if not {*links.sources(id, "supersedes")} - {memory.id}]
        return self._writer.memories.ids({"id": unreplaced, "status": "superseded"})

    # -- facts -----------------------------------------------------------------------------------

    def _undo_facts(self, decisions: list[dict[str, str]], until: str) -> None:
        """Deletes asserted facts, and restores retracted and ended ones."""
        writer = self._writer
        ids = list(dict.fromkeys(d["id"] for d in decisions if d["id"]))
        found = {fact.id or "": fact for fact in writer.by_ids(Fact, ids)} if ids else {}
        added = {d["id"] for d in decisions if d["decision"] == "add"}
        retracted = {d["id"] for d in decisions if d["decision"] == "retract"}
        groups = groups_of(writer, found)
        for id, fact in found.items():
            if id in added and self._is_of_turn(fact):
                writer.remove(id)
                self._dropped("fact", id, facts.fact_text(fact))
                continue
            if id in retracted:
                writer.facts.update(id, retired_at=None)
            self._drop_notes(id, until)
            writer.links.delete(id, "derived_from", self._id)
        changes = resolve(writer, groups)
        facts.propagate(changes, writer, writer.now, self._context.zone)
        facts.forget_precision({*found, *(change.id for change in changes)}, writer)
        since = self._turn.recorded_at or ""
        for id in dict.fromkeys([*found, *(change.id for change in changes)]):
            believe_as_before(writer, id, since, until)
        for change in changes:
            if not change.lost:
                self._restored(found.get(change.id), change.id)

    def _drop_notes(self, id: str, until: str) -> None:
        """Removes the notes that the turn added to a known fact: repetitions and ends."""
        since = self._turn.recorded_at or ""
        facts = self._writer.facts
        notes = facts.notes(facts.key(id) or 0)
        facts.delete_notes([n for n, note in notes if since <= note.recorded_at <= until])

    # -- the rest --------------------------------------------------------------------------------

    def _drop_rest(self) -> None:
        """Deletes the plan made after the turn, the project that it introduced, and insights based
        on it alone."""
        writer = self._writer
        self._undo_plan()
        derived = writer.links.sources(self._id, "derived_from")
        for insight in writer.by_ids(Insight, derived) if derived else ():
            if set(sources_of(writer, insight.id or "")) == {self._id}:
                writer.remove(insight.id or "")
                self._dropped("insight", insight.id or "", insight.content)
        for project in writer.by_ids(Project, derived) if derived else ():
            if self._is_of_turn(project):
                writer.remove(project.id or "")
                self._dropped("project", project.id or "", project.name)

    def _undo_plan(self) -> None:
        """Deletes the plan of the turn; if it was the session's current plan, the one of the turn
        before is restored."""
        writer, turn = self._writer, self._turn
        present = saved_plan(writer, turn.session or "", turn.user)
        for own in writer.find(Plan, {"turn": self._id}):
            writer.remove(own.id or "")
        if present is None or present.turn != self._id:
            return
        where: Where = {"session": turn.session, "id": other_than(self._id)}
        ids = writer.records(Turn).ids(where, order=("-key",), limit=1)
        logs = writer.find(StageLog, {"turn": ids[0], "stage": "plan"}) if ids else ()
        for log in logs:
            if plan := log.gave.get("plan"):
                before = convert(plan, Plan)
                if before.id and (before.session, before.user) == (turn.session, turn.user):
                    writer.put(before)

    def _is_of_turn(self, record: Memory | Fact | Project) -> bool:
        """True for a record that the turn added rather than repeated."""
        source = record.provenance
        return source is not None and source.turn == self._id

    def _dropped(self, kind: str, id: str, text: str) -> None:
        verdict = Verdict(decision="drop", rule="undone", reason=kind, id=id, content=text)
        self._verdicts.append(verdict)

    def _restored(self, record: Memory | Fact | None, id: str) -> None:
        text = ""
        if record is not None:
            text = record.content if isinstance(record, Memory) else facts.fact_text(record)
        verdict = Verdict(
            decision="restore", rule="undone", reason="as before", id=id, content=text
        )
        self._verdicts.append(verdict)

    def _log(self) -> None:
        counts = {
            name: sum(verdict.decision == name for verdict in self._verdicts)
            for name in ("drop", "restore")
        }
        turn = self._turn
        event = Event(
            name=UNDONE, at=self._writer.now, turn=turn.id, session=turn.session, data=counts
        )
        self._writer.add_event(event)
