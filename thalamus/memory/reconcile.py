"""settle: what becomes of each memory of a reflection.

Neighbours are found before the transaction begins (``compare``); inside it each target of a
decision is read again, and what has changed meanwhile is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from thalamus.memory.staleness import derived_from, mark_dependents
from thalamus.policy.admit import least_trust, limited, put_aside
from thalamus.policy.decide import CAME_BACK, ECHO_GAIN, GAIN, REASONS, DecisionInput, decide
from thalamus.policy.injection import suspicious
from thalamus.policy.merge import merged
from thalamus.policy.novelty import Neighbour, covered, likeness, says_within
from thalamus.policy.pack import user_words
from thalamus.policy.sensitivity import personal_fact
from thalamus.policy.tokens import query_words
from thalamus.policy.vector import unpack
from thalamus.records import Evidence, Fact, Link, Memory, Reflection, Turn, Verdict
from thalamus.storage.protocol import Filter, Store, Vector

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.memory.write import Storable
    from thalamus.storage.protocol import Writer


NEAR = 10  # neighbours that each search arm gives


def neighbours(
    memory: Memory,
    prompt: Sequence[Neighbour],
    vector: Vector | None,
    context: Context,
    store: Store,
) -> list[Neighbour]:
    """The active memories of the same owner that are near, and what of the ``prompt`` is."""
    where = Filter(user=memory.user, kinds=("memory",), now=context.clock.stamp())
    keys: dict[str, int] = {}
    cosines: dict[int, float] = {}
    background = 0.0
    for hit in store.search_text(query_words(memory.content), where, NEAR):
        keys[hit.entry.id] = hit.entry.key
    if vector is not None:
        for hit in store.search_vector(vector, where, NEAR):
            keys[hit.entry.id] = hit.entry.key
        found = store.similarities(vector, list(keys.values()))
        cosines, background = found.cosines, found.background
    near = []
    for id, key in keys.items():
        old = store.get(id)
        if isinstance(old, Memory) and same_owner(memory, old):
            near.append(Neighbour(old, cosines.get(key), background))
    if memory.trust < 1:
        near += [_closer(told, vector, background, store) for told in prompt]
    return near


def neighbours_in_prompt(turn: Turn, context: Context, store: Store) -> list[Neighbour]:
    """All that an answer could repeat. What is no memory stands there as one, with its own id."""
    told = [
        Neighbour(Memory(content=_words(item), id=item.id, user=turn.user), recalled=True)
        for item in turn.evidence
        if item.text.strip()
    ]
    for before in store.recent_turns(turn.session or "", turn.user, context.config.recent_messages):
        if before.id != turn.id:
            said = Memory(content=before.message, id=before.id, user=turn.user)
            told.append(Neighbour(said, recalled=True))
    return told


def same_owner(one: Memory, other: Memory) -> bool:
    """Whether two memories belong to the same user and agent."""
    return (one.user, one.agent) == (other.user, other.agent)


def _words(item: Evidence) -> str:
    return user_words(item.text) if item.kind == "turn" else item.text


def _closer(told: Neighbour, vector: Vector | None, background: float, store: Store) -> Neighbour:
    """What stood in the prompt, with its cosine if it has one."""
    id = told.memory.id or ""
    known = store.vectors_of([id]).get(id) if vector is not None else None
    if vector is None or known is None or known.model != vector.model:
        return told
    pairs = zip(unpack(vector.data), unpack(known.data), strict=True)
    return Neighbour(told.memory, sum(a * b for a, b in pairs), background, recalled=True)


# -- settle: what becomes of each memory of a reflection. --


KEPT_ASIDE = ("invented", "ungrounded", "opposite")  # rules by which what is refused is kept aside
Keep = Callable[[Memory], Memory]  # writes a new row, and gives the memory its id
Settled = tuple[Memory, list[Verdict]]


class Reconciler:
    """Decides about the memories of the records of one transaction."""

    def __init__(self, context: Context, store: Store, vectors: dict[int, Vector]) -> None:
        self._context = context
        self._store = store
        self._vectors = vectors
        self._near: dict[int, list[Neighbour]] = {}
        self._refused: dict[int, list[tuple[str, str, Memory]]] = {}
        self._fresh: list[Memory] = []
        self._reinforced: set[tuple[str | None, str]] = set()

    def look_around(self, records: Sequence[Storable], everything: bool = False) -> None:
        """Finds the neighbours of each memory that will be decided about; with ``everything``
        also of those that no reflection brought."""
        for record in records:
            if isinstance(record, Memory) and everything:
                self._look(record, [])
            elif isinstance(record, Turn) and record.reflection is not None:
                prompt = neighbours_in_prompt(record, self._context, self._store)
                self._look_at_reflection(record.reflection, record, prompt)
            elif isinstance(record, Reflection):
                self._look_at_reflection(record, record, [])

    def _look_at_reflection(
        self, reflection: Reflection, owner: Turn | Reflection, prompt: list[Neighbour]
    ) -> None:
        refused = [
            (v.rule, REASONS.get(v.rule, v.reason), self._as_memory(v, owner))
            for v in reflection.refused
            if v.content.strip()
            and (v.rule in (*KEPT_ASIDE, "recalled") or v.decision == "quarantine")
        ]
        self._refused[id(reflection)] = refused
        for memory in (*reflection.memories_to_store, *(memory for *_, memory in refused)):
            self._look(memory, prompt)

    def _look(self, memory: Memory, prompt: list[Neighbour]) -> None:
        vector = self._vectors.get(id(memory))
        self._near[id(memory)] = neighbours(memory, prompt, vector, self._context, self._store)

    def _as_memory(self, verdict: Verdict, owner: Turn | Reflection) -> Memory:
        config, now = self._context.config, self._context.clock.stamp()
        return Memory(
            content=verdict.content,
            created_at=owner.created_at or now,
            recorded_at=now,
            session=owner.session,
            user=owner.user or config.user or None,
            agent=owner.agent or config.agent or None,
            trust=0.0,
        )

    # -- within the transaction ------------------------------------------------------------------

    def settle(self, memory: Memory, turn: Turn | None, writer: Writer, keep: Keep) -> Settled:
        """Decides about one memory and writes what follows."""
        answered = turn is not None and memory.trust < 1
        evidence = turn.evidence if turn is not None and answered else []
        supports = [item for item in evidence if covered(memory.content, item.text) >= CAME_BACK]
        near = self._all_near(memory)
        same = writer.find_same_content(memory)
        known = writer.memory(same) if same else None
        if known is not None and all(item.memory.id != same for item in near):
            near.append(Neighbour(known))
        trust = least_trust(memory.trust, (item.trust for item in supports))
        memory, _ = limited(structs.replace(memory, trust=trust))
        grounds = DecisionInput(memory.salience or 0.0, suspicious(memory.content), answered)
        verdict = self._correction(memory, writer) or decide(memory, grounds, near)
        if verdict.decision == "quarantine":
            return self._put_aside(memory, verdict.rule, verdict.reason, writer, keep)
        if verdict.decision == "ignore":
            return memory, [structs.replace(verdict, content=memory.content)]
        if verdict.decision == "reinforce":
            target = self._target(verdict.id or "", memory, writer)
            if target is not None:
                told = self._reinforce(target, turn, memory, verdict, writer)
                return structs.replace(memory, id=target.id), [told]
            if answered:
                verdict = Verdict(decision="ignore", rule="came_back", reason=verdict.reason)
                return memory, [structs.replace(verdict, content=memory.content)]
        elif answered and any(item.recalled for item in near):
            return self._put_aside(memory, "from_answer", REASONS["from_answer"], writer, keep)
        return self._write(memory, verdict, supports, writer, keep)

    def _correction(self, memory: Memory, writer: Writer) -> Verdict | None:
        """The verdict on a memory that takes the place of a wrong one of the same owner."""
        if memory.corrects is UNSET or not memory.corrects:
            return None
        old = writer.memory(memory.corrects)
        if old is None or old.status != "active" or not same_owner(memory, old):
            return None
        return Verdict(
            decision="supersede", rule="corrected", reason="the user corrected it", id=old.id
        )

    def settle_refused(
        self, reflection: Reflection, turn: Turn | None, writer: Writer, keep: Keep
    ) -> list[Verdict]:
        """What was refused: it is kept aside, unless it is known; what only came back reinforces
        the memory that it came from."""
        verdicts = []
        for rule, reason, memory in self._refused.get(id(reflection), ()):
            near = sorted(self._all_near(memory), key=lambda n: -likeness(memory.content, n))
            known = [n for n in near if says_within(memory.content, n.memory.content)]
            if rule == "recalled":
                alike = [n for n in near if likeness(memory.content, n) >= CAME_BACK]
                found = (self._target(n.memory.id or "", memory, writer) for n in (*known, *alike))
                target = next((target for target in found if target), None)
                if target is not None:
                    told = Verdict(decision="reinforce", rule="came_back", reason="")
                    verdicts.append(self._reinforce(target, turn, memory, told, writer))
            elif not known:
                verdicts += self._put_aside(memory, rule, reason, writer, keep)[1]
        return verdicts

    def put_fact_aside(self, fact: Fact, pattern: str, writer: Writer, keep: Keep) -> list[Verdict]:
        """A fact that reads like an instruction, as a memory in quarantine."""
        text = f"{fact.subject} {fact.predicate} {fact.object}"
        marked = fact.sensitivity == "personal" or personal_fact(fact) is not None
        memory = Memory(
            content=text,
            created_at=fact.created_at,
            recorded_at=fact.recorded_at,
            session=fact.session,
            user=fact.user,
            agent=fact.agent,
            trust=fact.trust,
            provenance=fact.provenance,
            sensitivity="personal" if marked else "normal",
        )
        reason = f"{REASONS['injection']}: {pattern}"
        return self._put_aside(memory, "injection", reason, writer, keep)[1]

    def _all_near(self, memory: Memory) -> list[Neighbour]:
        """What was found before the transaction began, and what was written in it since."""
        fresh = [Neighbour(other) for other in self._fresh if same_owner(memory, other)]
        return [*self._near.get(id(memory), ()), *fresh]

    def _target(self, id: str, memory: Memory, writer: Writer) -> Memory | None:
        """The active memory that a decision is about: itself, or of what was told in the prompt
        the one that was made from it and is most like."""
        found = writer.memory(id)
        if found is None:
            made = [writer.memory(other) for other in derived_from(writer, id)]
            alike = [other for other in made if other is not None and same_owner(memory, other)]
            alike.sort(key=lambda other: -likeness(memory.content, Neighbour(other)))
            found = next((other for other in alike if other.status == "active"), None)
        return found if found is not None and found.status == "active" else None

    def _write(
        self,
        memory: Memory,
        verdict: Verdict,
        supports: Sequence[Evidence],
        writer: Writer,
        keep: Keep,
    ) -> Settled:
        """A new row, and what it takes the place of."""
        old = writer.memory(verdict.id) if verdict.id else None
        old = old if old is not None and old.status == "active" else None
        rule, reason = "new", "it is new"
        if old is not None and verdict.decision == "update":
            memory = merged(memory, old)
        elif old is not None and verdict.rule == "older":
            memory = structs.replace(memory, stale=f"something later is known [{old.id}]")
            rule, reason = verdict.rule, verdict.reason
        kept = keep(memory)
        self._fresh.append(kept)
        id = kept.id or ""
        for item in supports:
            writer.add_link(Link(source=id, relation="derived_from", target=item.id))
        added = Verdict(decision="add", rule=rule, reason=reason, id=id, content=kept.content)
        if old is None or verdict.decision not in ("update", "supersede"):
            return kept, [added]
        writer.add_link(Link(source=id, relation="supersedes", target=old.id or ""))
        writer.set_status(old.id or "", "superseded")
        self._fresh = [other for other in self._fresh if other.id != old.id]
        closed = structs.replace(verdict, id=old.id, content=old.content)
        if verdict.decision == "update":
            return kept, [added, closed]
        return kept, [
            added,
            closed,
            *mark_dependents(writer, [old.id or ""], f"superseded by {id}"),
        ]

    def _reinforce(
        self, target: Memory, turn: Turn | None, memory: Memory, verdict: Verdict, writer: Writer
    ) -> Verdict:
        """The target was said again: by the user, or only by a model that had been told it."""
        came_back = verdict.rule == "came_back" or memory.trust < 1
        id, key = target.id or "", (turn.id if turn else None, target.id or "")
        if turn is None or key not in self._reinforced:
            self._reinforced.add(key)
            at = memory.created_at or self._context.clock.stamp()
            writer.reinforce(id, ECHO_GAIN if came_back else GAIN, at)
            if not came_back:
                writer.mark_stale([id], None)
                if turn is not None and turn.id:
                    writer.add_link(Link(source=id, relation="derived_from", target=turn.id))
        reason = "it only came back from what was recalled" if came_back else "it was said again"
        return Verdict(
            decision="reinforce", rule=verdict.rule, reason=reason, id=id, content=target.content
        )

    def _put_aside(
        self, memory: Memory, rule: str, reason: str, writer: Writer, keep: Keep
    ) -> Settled:
        """Into quarantine, once for each content of an owner."""
        now = self._context.clock.stamp()
        writer.clear_quarantine(now)
        aside = put_aside(limited(memory)[0], rule, reason, now)
        known = writer.quarantined_like(aside)
        if known is not None:
            writer.reinforce(known, 0.0, memory.created_at or now)
            aside = structs.replace(aside, id=known)
        else:
            aside = keep(aside)
        told = Verdict(
            decision="quarantine", rule=rule, reason=reason, id=aside.id, content=aside.content
        )
        return aside, [told]
