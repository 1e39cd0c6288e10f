"""Reconciliation of a new memory with the stored ones.

The memory is added, or it reinforces, updates or supersedes a stored one, or it is ignored or
quarantined (``policy.reconciliation``). Neighbours are found before the transaction begins. Inside
it a change is decided, which only reads: the target is read again, and one that changed meanwhile
is left alone. Then the change is applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, structs

from thalamus.memory import memories
from thalamus.memory.draft import Draft, Storable, new_id, save
from thalamus.memory.mark_stale import derived_from, mark_dependents
from thalamus.memory.recall import dialogue
from thalamus.memory.standing.core import core_or_archival
from thalamus.memory.user.projects import may_replace_here
from thalamus.policy import consent
from thalamus.policy.admission import ANSWER_TRUST, least_trust, quarantine, with_limits
from thalamus.policy.evidence_text import without_answer
from thalamus.policy.novelty import Neighbour, similarity
from thalamus.policy.reconciliation import (
    CAME_BACK,
    ECHO_GAIN,
    GAIN,
    PROPOSED,
    REASONS,
    REPLACING,
    decide,
    merged,
)
from thalamus.policy.relevance import Unrelated
from thalamus.policy.speakers import INFERRED_TYPES
from thalamus.policy.vector import unpack
from thalamus.records import Evidence, Link, Memory, Turn, Verdict
from thalamus.store import embeddings, links
from thalamus.store import memories as memory_rows
from thalamus.store import turns as turn_rows
from thalamus.store.values import Filter, IndexedRow, Vector
from thalamus.text.statements import says_within, share_said
from thalamus.text.tokens import query_words

if TYPE_CHECKING:
    from thalamus.memory.draft import ReflectionDraft
    from thalamus.memory.memories import KnownMemories
    from thalamus.store.memories import StoredMemory
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

NEIGHBOURS = 10  # neighbours from each search arm
Reconciled = tuple[Memory, list[Verdict]]
_FROM_ANSWER = Verdict(decision="quarantine", rule="from_answer", reason=REASONS["from_answer"])


class Addition(Struct, frozen=True):
    """A memory to be added, with its id. ``links``: those it gets, apart from the one to its
    source; ``closed``: verdict on the active memory whose place it takes."""

    memory: Memory
    verdict: Verdict
    vector: Vector | None = None
    links: Sequence[Link] = ()
    closed: Verdict | None = None


class Repetition(Struct, frozen=True):
    """A memory that repeats the stored one with its id. ``stored``: that one, whose strength grows
    by ``gain`` and whose ``fields`` change; None if the ``turn`` repeated it before."""

    memory: Memory
    verdict: Verdict
    stored: StoredMemory | None = None
    at: str = ""
    gain: float = 0.0
    fields: Mapping[str, str | None] = {}
    links: Sequence[Link] = ()
    turn: str | None = None


class Ignored(Struct, frozen=True):
    """A memory of which nothing is stored."""

    memory: Memory
    verdict: Verdict


Change = Addition | Repetition | Ignored


class Reconciler:
    """Decides what becomes of the memories of one transaction (``decide``, ``decide_refused``),
    and writes it (``apply``). Each draft sees those applied before it."""

    def __init__(self, run: TurnRun) -> None:
        self._run = run
        self._store = run.engine.store
        self._fresh: list[Memory] = []
        self._repeated: set[tuple[str | None, str]] = set()  # memories, by turn
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

    # -- deciding: nothing is written -------------------------------------------------------------

    def decide(self, draft: Draft[Memory], turn: Turn | None, reader: Reader) -> Change:
        """Change that a memory makes, given the stored ones and those of this transaction.
        ``turn``: its source, if it came with it."""
        memory = draft.record
        answered = turn is not None and _may_repeat(memory)
        evidence = turn.evidence if turn is not None and answered else []
        supports = [item for item in evidence if share_said(memory.content, item.text) >= CAME_BACK]
        neighbours = self._all_neighbours(draft)
        same = memories.with_same_content(reader, memory)
        stored = memories.with_id(reader, same) if same else None
        if stored is not None and all(item.memory.id != same for item in neighbours):
            neighbours.append(Neighbour(stored))
        trust = least_trust(memory.trust, (item.trust for item in supports))
        memory = with_limits(structs.replace(memory, trust=trust))[0]
        named = [
            (field, old)
            for field, old in _named(memory, reader)
            if may_replace_here(memory, old, turn, reader)
        ]
        verdict = decide(memory, neighbours, named=named, answered=answered)
        if verdict.decision == "quarantine":
            return self._quarantine(memory, verdict, reader)
        if verdict.decision == "ignore":
            return Ignored(memory, structs.replace(verdict, content=memory.content))
        if verdict.decision == "reinforce":
            target = stored if verdict.id == same else None
            target = target or _target(verdict.stored_id, memory, reader)
            if target is not None:
                return self._repeat(target, turn, memory, verdict.rule, reader)
            if answered:
                verdict = Verdict(decision="ignore", rule="came_back", reason=verdict.reason)
                return Ignored(memory, structs.replace(verdict, content=memory.content))
        elif answered and any(item.recalled for item in neighbours):
            return self._quarantine(memory, _FROM_ANSWER, reader)
        return self._add(memory, draft, verdict, turn, supports, reader)

    def decide_refused(
        self, draft: Draft[Memory], turn: Turn | None, reader: Reader
    ) -> Change | None:
        """Change that a refused statement makes: it is quarantined, unless it is known (None)."""
        memory, verdict = draft.record, draft.verdict
        assert verdict is not None
        neighbours = sorted(
            self._all_neighbours(draft), key=lambda n: -similarity(memory.content, n)
        )
        repeated = [n for n in neighbours if says_within(memory.content, n.memory.content)]
        if verdict.rule == consent.RULE:  # with consent it is only recorded as repeated
            targets = (_target(one.memory.stored_id, memory, reader) for one in repeated)
            known = (one for one in targets if one is not None and one.type == memory.type)
            if (target := next(known, None)) is not None:
                return self._repeat(target, turn, memory, "said_again", reader)
        elif verdict.rule != "injection" and repeated:
            return None
        return self._quarantine(memory, verdict, reader)

    def _all_neighbours(self, draft: Draft[Memory]) -> list[Neighbour]:
        """Neighbours found before the transaction began, and those written in it since."""
        written = [Neighbour(other) for other in self._fresh if same_owner(draft.record, other)]
        return [*draft.neighbours, *written]

    def _add(
        self,
        memory: Memory,
        draft: Draft[Memory],
        verdict: Verdict,
        turn: Turn | None,
        supports: Sequence[Evidence],
        reader: Reader,
    ) -> Addition:
        """A new row for a draft's ``memory``, which may take the place of a stored one."""
        old = memories.with_id(reader, verdict.id) if verdict.id else None
        old = old if old is not None and old.status == "active" else None
        if old is not None and verdict.decision == "update":
            memory = merged(memory, old)
        demotion = None
        if memory.scope == "core" and memory.stale:
            memory = structs.replace(memory, scope="archival")
        elif memory.scope == "core" and not draft.by_itself:  # else checked before it came here
            memory, demotion = core_or_archival(memory, turn, old, reader, self._run.engine)
        rule, reason = demotion or ("new", "new")
        corrected = _corrected_turn(memory, verdict, old, reader)
        id = memory.id = memory.id or new_id(memory, reader, self._run.engine)
        links = [Link(source=id, relation="derived_from", target=item.id) for item in supports]
        if corrected:
            links.append(Link(source=id, relation="supersedes", target=corrected))
        added = Verdict(decision="add", rule=rule, reason=reason, id=id, content=memory.content)
        closed = None
        if old is not None and verdict.decision in ("update", "supersede"):
            links.append(Link(source=id, relation="supersedes", target=old.stored_id))
            closed = structs.replace(verdict, id=old.id, content=old.content)
        return Addition(memory, added, draft.vector, links, closed)

    def _repeat(
        self, target: Memory, turn: Turn | None, memory: Memory, rule: str, reader: Reader
    ) -> Repetition:
        """A repetition of the target: by the user, or only by a model that had it in its prompt.
        Counted once a turn."""
        came_back = rule == "came_back" or _may_repeat(memory)
        id = target.stored_id
        reason = "it only repeats what was recalled" if came_back else "said again"
        verdict = Verdict(
            decision="reinforce", rule=rule, reason=reason, id=id, content=target.content
        )
        memory = structs.replace(memory, id=id)
        if turn is not None and (turn.id, id) in self._repeated:
            return Repetition(memory, verdict)
        at = memory.created_at or self._run.engine.clock.stamp()
        [stored] = memory_rows.as_stored(reader, [id])
        fields: dict[str, str | None] = {}
        if not came_back and stored.stale:
            fields["stale"] = None
        if not came_back and target.stale and target.valid_to:  # it ended, and holds again
            fields["valid_to"] = memory.valid_to
        links = []
        if not came_back and turn is not None and turn.id:
            links.append(Link(source=id, relation="derived_from", target=turn.id))
        gain = ECHO_GAIN if came_back else GAIN
        return Repetition(
            memory, verdict, stored, at, gain, fields, links, turn.id if turn else None
        )

    def _quarantine(self, memory: Memory, verdict: Verdict, reader: Reader) -> Change:
        """A quarantined memory, once for each content of an owner; nothing may find it."""
        now = self._run.engine.clock.stamp()
        memory = quarantine(with_limits(memory)[0], verdict.rule, verdict.reason, now)
        same = memories.quarantined_like(reader, memory)
        stored = None
        if same is not None and same not in memory_rows.quarantine_over(reader, now):
            memory = structs.replace(memory, id=same)
            [stored] = memory_rows.as_stored(reader, [same])
        memory.id = memory.id or new_id(memory, reader, self._run.engine)
        found = Verdict(
            decision="quarantine",
            rule=verdict.rule,
            reason=verdict.reason,
            id=memory.id,
            content=memory.content,
        )
        if stored is not None:
            return Repetition(memory, found, stored, memory.created_at or now)
        instead = verdict.id if verdict.rule == PROPOSED else None
        links = [Link(source=memory.id, relation="proposes", target=instead)] if instead else []
        return Addition(memory, found, links=links)

    # -- applying: nothing is decided -------------------------------------------------------------

    def apply(self, change: Change, writer: Writer, known: KnownMemories) -> Reconciled:
        """Writes a change; returns the memory as it is stored, and the verdicts on it and on what
        follows from it."""
        if isinstance(change, Ignored):
            return change.memory, [change.verdict]
        now, memory = self._run.engine.clock.stamp(), change.memory
        if memory.status == "quarantined" and memories.clear_quarantine(writer, now):
            known.forget()
        if isinstance(change, Repetition):
            self._apply_repetition(change, writer)
            return memory, [change.verdict]
        kept = save(Draft(memory, vector=change.vector), writer, self._run.engine, known)
        links.add(writer, change.links)
        if kept.status == "active":
            self._fresh.append(kept)
        if change.closed is None:
            return kept, [change.verdict]
        old = change.closed.stored_id
        memory_rows.set_status(writer, [old], "superseded")
        self._fresh = [other for other in self._fresh if other.id != old]
        verdicts = [change.verdict, change.closed]
        if change.closed.decision == "supersede":
            verdicts += mark_dependents(writer, [old], f"superseded by {kept.id}")
        return kept, verdicts

    def _apply_repetition(self, change: Repetition, writer: Writer) -> None:
        stored = change.stored
        if stored is None:
            return
        if change.verdict.decision == "reinforce":
            key = change.turn, stored.id
            self._repeated.add(key)
            self.before[key] = memories.before_reinforcement(writer, stored)
        memories.reinforce(writer, stored, change.gain, change.at, **change.fields)
        links.add(writer, change.links)


def _named(memory: Memory, reader: Reader) -> Iterator[tuple[str, Memory]]:
    """Active memories of the same owner that a memory is said to replace, by the field."""
    for field in REPLACING:
        id = getattr(memory, field)
        old = memories.with_id(reader, id) if id is not UNSET and id else None
        if old is not None and old.status == "active" and same_owner(memory, old):
            yield field, old


def _target(id: str, memory: Memory, reader: Reader) -> Memory | None:
    """Active memory that a decision is about: the memory itself, or the most similar one derived
    from an item of the prompt."""
    found = memories.with_id(reader, id)
    if found is None:
        derived = derived_from(reader, [id])[id]
        by_id = {other.id: other for other in reader.by_ids(Memory, derived)}
        candidates = [
            by_id[other] for other in derived if other in by_id and same_owner(memory, by_id[other])
        ]
        candidates.sort(key=lambda other: -similarity(memory.content, Neighbour(other)))
        found = next((other for other in candidates if other.status == "active"), None)
    return found if found is not None and found.status == "active" else None


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
    memory: Memory, verdict: Verdict, old: Memory | None, reader: Reader
) -> str | None:
    """Turn whose statement a memory corrects: the source of the replaced memory, or the turn of the
    same owner that ``corrects`` names."""
    if old is not None and verdict.rule == "corrected":
        return old.provenance.turn if old.provenance is not None else None
    if memory.corrects is UNSET or not memory.corrects:
        return None
    same = turn_rows.is_of(reader, memory.corrects, memory.user, memory.agent)
    return memory.corrects if same else None


def same_owner(one: Memory, other: Memory) -> bool:
    """True when two memories belong to the same user and agent."""
    return (one.user, one.agent) == (other.user, other.agent)
