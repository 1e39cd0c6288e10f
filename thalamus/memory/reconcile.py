"""Reconciliation of a new memory with the stored ones.

The memory is added, or it reinforces, updates or supersedes a stored one, or it is ignored or
quarantined (``policy.reconciliation``). Neighbours are found before the transaction begins; inside
it the target of each decision is read again, and one that changed meanwhile is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from thalamus.memory import memories
from thalamus.memory.draft import Draft, Storable, save
from thalamus.memory.mark_stale import derived_from, mark_dependents
from thalamus.memory.recall import dialogue
from thalamus.memory.standing.core import core_or_archival
from thalamus.policy import consent
from thalamus.policy.admission import ANSWER_TRUST, least_trust, quarantine, with_limits
from thalamus.policy.evidence_text import without_answer
from thalamus.policy.novelty import Neighbour, similarity
from thalamus.policy.reconciliation import (
    CAME_BACK,
    ECHO_GAIN,
    GAIN,
    REASONS,
    decide,
    merged,
)
from thalamus.policy.relevance import Unrelated
from thalamus.policy.speakers import INFERRED_TYPES, outranks
from thalamus.policy.vector import unpack
from thalamus.records import Evidence, Link, Memory, Turn, Verdict
from thalamus.store import embeddings
from thalamus.store import memories as memory_rows
from thalamus.store import turns as turn_rows
from thalamus.store.values import Filter, IndexedRow, Vector
from thalamus.text.statements import says_within, share_said
from thalamus.text.tokens import query_words

if TYPE_CHECKING:
    from thalamus.memory.draft import ReflectionDraft
    from thalamus.memory.memories import KnownMemories
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

NEIGHBOURS = 10  # neighbours from each search arm
# fields that name the memory to be replaced, with the rule and the reason
_REPLACING = (
    ("corrects", "corrected", "the user corrected it"),
    ("replaces", "replaced", "the user said what holds instead"),
)
# rules by which a model's statement is refused but kept in quarantine
KEPT_REJECTED = ("invented", "doubted")
Reconciled = tuple[Memory, list[Verdict]]


class Reconciler:
    """Reconciles the memories in one transaction."""

    def __init__(self, run: TurnRun) -> None:
        self._run = run
        self._store = run.engine.store
        self._fresh: list[Memory] = []
        self._reinforced: set[tuple[str | None, str]] = set()
        self.before: dict[tuple[str | None, str], dict[str, str | None]] = {}  # for undo

    # -- before the transaction ------------------------------------------------------------------

    def find_neighbours(self, drafts: Sequence[Draft[Storable]], everything: bool = False) -> None:
        """Sets the neighbours of the memories to be reconciled; with ``everything`` also of those
        outside reflections."""
        for draft in drafts:
            record, parts = draft.record, draft.parts
            if isinstance(record, Memory) and everything and not draft.refused:
                draft.neighbours = self._similar_memories(record, draft.vector, ())
            elif parts is not None:
                prompt = self._in_prompt(record, parts) if isinstance(record, Turn) else []
                for part in (*parts.memories, *parts.rejected):
                    part.neighbours = self._similar_memories(part.record, part.vector, prompt)

    def _similar_memories(
        self,
        memory: Memory,
        vector: Vector | None,
        prompt: Sequence[tuple[Neighbour, Vector | None]],
    ) -> list[Neighbour]:
        """Similar active memories of the same owner, and the contents of the prompt."""
        store = self._store
        where = Filter(user=memory.user, kinds=("memory",), now=self._run.engine.clock.stamp())
        cosines: dict[int, float] = {}
        unrelated = 0.0
        words = query_words(memory.content)
        hits = store.search(words, vector, where, NEIGHBOURS, informative=True, scored=False)
        entries = {h.entry.id: h.entry for h in (*hits.text, *hits.vector)}
        if vector is not None:
            similarities = store.similarities(vector, [entry.key for entry in entries.values()])
            cosines = similarities.cosines
            unrelated = Unrelated.of(similarities.mean, similarities.sampled, vector.model).cosine
        agents = memory_rows.agents(store, entries.keys())
        neighbours = [
            Neighbour(_as_memory(entry), cosines.get(entry.key), unrelated)
            for id, entry in entries.items()
            if id in agents and (entry.user, agents[id]) == (memory.user, memory.agent)
        ]
        if _may_repeat(memory):
            neighbours += [_with_cosine(*item, vector, unrelated) for item in prompt]
        return neighbours

    def _in_prompt(
        self, turn: Turn, parts: ReflectionDraft
    ) -> list[tuple[Neighbour, Vector | None]]:
        """Memories of everything that an answer could repeat, with its embedding; other records
        keep their own ids. Empty if nothing in the reflection is from the answer."""
        answered = [part for part in (*parts.memories, *parts.rejected) if _may_repeat(part.record)]
        if not answered:
            return []
        items = [
            Neighbour(
                Memory(content=without_answer(item), id=item.id, user=turn.user), recalled=True
            )
            for item in turn.evidence
            if item.text.strip()
        ]
        for before in dialogue.visible_turns(turn, self._run):
            message = Memory(content=before.message, id=before.id, user=turn.user)
            items.append(Neighbour(message, recalled=True))
        embedded = any(part.vector is not None for part in answered)
        ids = [item.memory.stored_id for item in items] if embedded else []
        vectors = embeddings.of(self._store, ids)
        return [(item, vectors.get(item.memory.stored_id)) for item in items]

    # -- within the transaction ------------------------------------------------------------------

    def reconcile(
        self, draft: Draft[Memory], turn: Turn | None, writer: Writer, known: KnownMemories
    ) -> Reconciled:
        """Reconciles one memory and writes the result; returns the memory as it is stored, and the
        verdicts."""
        memory = draft.record
        answered = turn is not None and _may_repeat(memory)
        evidence = turn.evidence if turn is not None and answered else []
        supports = [item for item in evidence if share_said(memory.content, item.text) >= CAME_BACK]
        neighbours = self._all_neighbours(draft)
        same = memories.with_same_content(writer, memory)
        stored = memories.with_id(writer, same) if same else None
        if stored is not None and all(item.memory.id != same for item in neighbours):
            neighbours.append(Neighbour(stored))
        trust = least_trust(memory.trust, (item.trust for item in supports))
        draft.record = memory = with_limits(structs.replace(memory, trust=trust))[0]
        verdict = self._replacement(memory, writer)
        verdict = verdict or decide(memory, neighbours, answered=answered)
        if verdict.decision == "quarantine":
            return self._quarantine(draft, verdict.rule, verdict.reason, writer, known)
        if verdict.decision == "ignore":
            return memory, [structs.replace(verdict, content=memory.content)]
        if verdict.decision == "reinforce":
            target = stored if verdict.id == same else None
            target = target or self._target(verdict.stored_id, memory, writer)
            if target is not None:
                reinforced = self._reinforce(target, turn, memory, verdict, writer)
                return structs.replace(memory, id=target.id), [reinforced]
            if answered:
                verdict = Verdict(decision="ignore", rule="came_back", reason=verdict.reason)
                return memory, [structs.replace(verdict, content=memory.content)]
        elif answered and any(item.recalled for item in neighbours):
            return self._quarantine(draft, "from_answer", REASONS["from_answer"], writer, known)
        return self._add(draft, verdict, turn, supports, writer, known)

    def reconcile_rejected(
        self,
        rejected: Sequence[Draft[Memory]],
        turn: Turn | None,
        writer: Writer,
        known: KnownMemories,
    ) -> list[Verdict]:
        """Puts a refused statement into quarantine, unless it is known; one that merely repeats
        recalled text reinforces the memory that it came from."""
        verdicts = []
        for draft in rejected:
            memory, verdict = draft.record, draft.verdict
            assert verdict is not None
            neighbours = sorted(
                self._all_neighbours(draft), key=lambda n: -similarity(draft.record.content, n)
            )
            repeated = [n for n in neighbours if says_within(memory.content, n.memory.content)]
            if verdict.rule == "recalled":
                similar = [n for n in neighbours if similarity(memory.content, n) >= CAME_BACK]
                found = [
                    self._target(n.memory.stored_id, memory, writer) for n in (*repeated, *similar)
                ]
                target = next((target for target in found if target), None)
                if target is not None:
                    echo = Verdict(decision="reinforce", rule="came_back", reason="")
                    verdicts.append(self._reinforce(target, turn, memory, echo, writer))
            elif verdict.rule == consent.RULE:
                verdicts.append(
                    self._hold_for_consent(draft, verdict, repeated, turn, writer, known)
                )
            elif verdict.rule == "injection" or not repeated:
                verdicts += self._quarantine(draft, verdict.rule, verdict.reason, writer, known)[1]
        return verdicts

    def _hold_for_consent(
        self,
        draft: Draft[Memory],
        verdict: Verdict,
        repeated: Sequence[Neighbour],
        turn: Turn | None,
        writer: Writer,
        known: KnownMemories,
    ) -> Verdict:
        """Quarantines a memory until there is consent; one with consent is only recorded as
        repeated."""
        memory = draft.record
        for neighbour in repeated:
            target = self._target(neighbour.memory.stored_id, memory, writer)
            if target is not None and target.type == memory.type:
                repetition = Verdict(decision="reinforce", rule="said_again", reason="")
                return self._reinforce(target, turn, memory, repetition, writer)
        return self._quarantine(draft, verdict.rule, verdict.reason, writer, known)[1][0]

    def _replacement(self, memory: Memory, writer: Writer) -> Verdict | None:
        """Verdict on a memory that names the memory of the same owner which it replaces: one that
        was wrong, or no longer holds."""
        for field, rule, reason in _REPLACING:
            replaced_id = getattr(memory, field)
            if replaced_id is UNSET or not replaced_id:
                continue
            old = memories.with_id(writer, replaced_id)
            if old is None or old.status != "active" or not same_owner(memory, old):
                continue
            if outranks(old.trust, memory.trust):
                continue
            return Verdict(decision="supersede", rule=rule, reason=reason, id=old.id)
        return None

    def _all_neighbours(self, draft: Draft[Memory]) -> list[Neighbour]:
        """Neighbours found before the transaction began, and those written in it since."""
        written = [Neighbour(other) for other in self._fresh if same_owner(draft.record, other)]
        return [*draft.neighbours, *written]

    def _target(self, id: str, memory: Memory, writer: Writer) -> Memory | None:
        """Active memory that a decision is about: the memory itself, or the most similar one
        derived from an item of the prompt."""
        found = memories.with_id(writer, id)
        if found is None:
            derived = derived_from(writer, [id])[id]
            by_id = {other.id: other for other in writer.by_ids(Memory, derived)}
            candidates = [
                by_id[other]
                for other in derived
                if other in by_id and same_owner(memory, by_id[other])
            ]
            candidates.sort(key=lambda other: -similarity(memory.content, Neighbour(other)))
            found = next((other for other in candidates if other.status == "active"), None)
        return found if found is not None and found.status == "active" else None

    def _add(
        self,
        draft: Draft[Memory],
        verdict: Verdict,
        turn: Turn | None,
        supports: Sequence[Evidence],
        writer: Writer,
        known: KnownMemories,
    ) -> Reconciled:
        """Adds a new row, and updates the memories that it replaces."""
        memory = draft.record
        old = memories.with_id(writer, verdict.id) if verdict.id else None
        old = old if old is not None and old.status == "active" else None
        if old is not None and verdict.decision == "update":
            draft.record = merged(memory, old)
        rule, reason = self._checked_core(draft, turn, old, writer) or ("new", "new")
        wrong = _corrected_turn(memory, verdict, old, writer)
        kept = save(draft, writer, self._run.engine, known)
        self._fresh.append(kept)
        id = kept.stored_id
        for item in supports:
            writer.add(Link(source=id, relation="derived_from", target=item.id))
        if wrong:
            writer.add(Link(source=id, relation="supersedes", target=wrong))
        added = Verdict(decision="add", rule=rule, reason=reason, id=id, content=kept.content)
        if old is None or verdict.decision not in ("update", "supersede"):
            return kept, [added]
        old_id = old.stored_id
        writer.add(Link(source=id, relation="supersedes", target=old_id))
        memory_rows.set_status(writer, [old_id], "superseded")
        self._fresh = [other for other in self._fresh if other.id != old_id]
        closed = structs.replace(verdict, id=old_id, content=old.content)
        if verdict.decision == "update":
            return kept, [added, closed]
        return kept, [added, closed, *mark_dependents(writer, [old_id], f"superseded by {id}")]

    def _checked_core(
        self, draft: Draft[Memory], turn: Turn | None, old: Memory | None, writer: Writer
    ) -> tuple[str, str] | None:
        """Makes a core memory archival where it may not be core; returns (rule, reason) in that
        case."""
        memory = draft.record
        if memory.scope != "core":
            return None
        if memory.stale:
            draft.record = structs.replace(memory, scope="archival")
            return None
        if draft.by_itself:
            return None  # checked before it came here
        draft.record, demotion = core_or_archival(memory, turn, old, writer, self._run.engine)
        return demotion

    def _reinforce(
        self, target: Memory, turn: Turn | None, memory: Memory, verdict: Verdict, writer: Writer
    ) -> Verdict:
        """Records a repetition of the target: by the user, or only by a model that had it in its
        prompt."""
        came_back = verdict.rule == "came_back" or _may_repeat(memory)
        id, key = target.stored_id, (turn.id if turn else None, target.stored_id)
        if turn is None or key not in self._reinforced:
            self._reinforced.add(key)
            at = memory.created_at or self._run.engine.clock.stamp()
            [stored] = memory_rows.as_stored(writer, [id])
            self.before[key] = memories.before_reinforcement(writer, stored)
            changes: dict[str, str | None] = {}
            if not came_back and stored.stale:
                changes["stale"] = None
            if not came_back and target.stale and target.valid_to:  # it ended, and holds again
                changes["valid_to"] = memory.valid_to
            memories.reinforce(writer, stored, ECHO_GAIN if came_back else GAIN, at, **changes)
            if not came_back and turn is not None and turn.id:
                writer.add(Link(source=id, relation="derived_from", target=turn.id))
        reason = "it only repeats what was recalled" if came_back else "said again"
        return Verdict(
            decision="reinforce", rule=verdict.rule, reason=reason, id=id, content=target.content
        )

    def _quarantine(
        self, draft: Draft[Memory], rule: str, reason: str, writer: Writer, known: KnownMemories
    ) -> Reconciled:
        """Quarantines a memory, once for each content of an owner."""
        now = self._run.engine.clock.stamp()
        if memories.clear_quarantine(writer, now):
            known.forget()
        memory = draft.record = quarantine(with_limits(draft.record)[0], rule, reason, now)
        draft.vector = None  # nothing may find it
        same = memories.quarantined_like(writer, memory)
        if same is not None:
            [stored] = memory_rows.as_stored(writer, [same])
            memories.reinforce(writer, stored, 0.0, memory.created_at or now)
            memory = structs.replace(memory, id=same)
        else:
            memory = save(draft, writer, self._run.engine, known)
        verdict = Verdict(
            decision="quarantine", rule=rule, reason=reason, id=memory.id, content=memory.content
        )
        return memory, [verdict]


def _may_repeat(memory: Memory) -> bool:
    """True if a memory rests on the assistant's words, which may repeat what was recalled. An
    interest rests on the user's, however often its subject is recalled."""
    return memory.trust <= ANSWER_TRUST and memory.type not in INFERRED_TYPES


def _as_memory(entry: IndexedRow) -> Memory:
    """A found memory, as far as others are compared with it."""
    return Memory(
        content=entry.text,
        id=entry.id,
        type=str(entry.type),
        trust=entry.trust,
        created_at=entry.created_at,
    )


def _with_cosine(
    item: Neighbour, known: Vector | None, vector: Vector | None, background: float
) -> Neighbour:
    """An item of the prompt, with the cosine of its embedding (``known``) if it has one."""
    if vector is None or known is None or known.model != vector.model:
        return item
    pairs = zip(unpack(vector.data), unpack(known.data), strict=True)
    return Neighbour(item.memory, sum(a * b for a, b in pairs), background, recalled=True)


def _corrected_turn(
    memory: Memory, verdict: Verdict, old: Memory | None, writer: Writer
) -> str | None:
    """Turn whose statement a memory corrects: the source of the replaced memory, or the turn of the
    same owner that ``corrects`` names."""
    if old is not None and verdict.rule == "corrected":
        return old.provenance.turn if old.provenance is not None else None
    if memory.corrects is UNSET or not memory.corrects:
        return None
    same = turn_rows.is_of(writer, memory.corrects, memory.user, memory.agent)
    return memory.corrects if same else None


def same_owner(one: Memory, other: Memory) -> bool:
    """True when two memories belong to the same user and agent."""
    return (one.user, one.agent) == (other.user, other.agent)
