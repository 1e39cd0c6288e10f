"""store: writes turns, memories, facts and what links them, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET, structs, to_builtins

from thalamus.context import Context, issue, step
from thalamus.memory import facts as telling
from thalamus.memory.edit import check_core_records
from thalamus.memory.embeddings import embed
from thalamus.memory.hooks import before_write
from thalamus.memory.reconcile import Reconciler
from thalamus.memory.write import (
    RecordProblem,
    Storable,
    check_same_record,
    decision_entry,
    link_source,
    normalize_all,
)
from thalamus.policy.admission import admit
from thalamus.policy.injection import suspicious
from thalamus.policy.staleness import is_about
from thalamus.records import Event, Fact, Issue, Link, Memory, Reflection, Turn, Verdict
from thalamus.storage.protocol import Job, is_hidden

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store, Vector, Writer


def store(
    turn: Turn, context: Context, left: tuple[str, ...] = (), finishing: bool = False
) -> Turn:
    """Writes one turn with its reflection; the record comes back with the ids it got. ``left``
    and ``finishing`` as for ``store_records``."""
    if not context.use_memory:
        return turn
    [done] = store_records([turn], context, left=left, finishing=finishing)
    return done  # type: ignore[return-value]


def store_records(
    records: Sequence[Storable],
    context: Context,
    more: bool = False,
    decide: bool = False,
    verdicts: list[Verdict] | None = None,
    left: tuple[str, ...] = (),
    finishing: bool = False,
) -> list[Storable]:
    """Writes records in one transaction, in order; gives them back with their ids.

    ``more``: others follow at once, so the search indexes need not follow yet. ``decide``: memory
    records are compared with what is there and decided about, as those of reflections always are.
    ``verdicts`` is given what became of fact records, and of what rests on them. ``left``: a job
    for these stages is left for each turn that is new. ``finishing``: the turns were stored before,
    with a job; one whose job is gone was finished by somebody else, and nothing is written.
    What a record says about itself (created_at, session, user, agent, metadata, ids) is kept.
    Embeddings are made before the transaction begins; when the embedder fails the records are
    stored without and an issue says so. Raises ``StoreBusy``, ``StoreFull``, and ``RecordProblem``
    for a record that cannot be stored, or that has the id of another: then none of them is.
    """
    if not records:
        return []
    tick = context.clock.tick()
    opened = context.open_store(True)
    assert opened is not None
    prepared = normalize_all(records, context, opened)
    prepared, refused = before_write(prepared, context)
    check_core_records(prepared, context, opened)
    vectors, problem = embed(prepared, context, opened)
    done: list[Storable] = []
    settling = Reconciler(context, opened, vectors)
    settling.look_around(prepared, decide)
    with opened.writing(more) as writer:
        writer.look_up([record for record in prepared if isinstance(record, Memory)])
        writing = _Writing(writer, vectors, context, settling, opened, left, finishing)
        for index, record in enumerate(prepared):
            if id(record) in refused:
                done.append(record)
                continue
            try:
                done.append(writing.write(record, decide, _dated(records[index])))
            except RecordProblem as found:
                found.index = index
                raise
        _log(done, [*refused.values(), *writing.told], writer, context, tick)
    if verdicts is not None:
        verdicts += writing.of_facts
    problems = [issue("store", problem)] if problem else []
    if problem is not None and not any(isinstance(record, Turn) for record in done):
        context.events.failed("stage store: embedding", problem)
        context.unembedded = problem
    return [_with_issues(record, problems) for record in done] if problems else done


class _Writing:
    """Writes the records of one transaction. ``told``: what was decided about bare records, but
    for those that are simply new; ``of_facts``: what became of bare facts."""

    def __init__(
        self,
        writer: Writer,
        vectors: dict[int, Vector],
        context: Context,
        settling: Reconciler,
        opened: Store,
        left: tuple[str, ...] = (),
        finishing: bool = False,
    ) -> None:
        self.told: list[Verdict] = []
        self.of_facts: list[Verdict] = []
        self._writer = writer
        self._vectors = vectors
        self._context = context
        self._settling = settling
        self._store = opened
        self._left = left
        self._finishing = finishing

    def write(self, record: Storable, decide: bool, dated: bool) -> Storable:
        if isinstance(record, Memory):
            kept, verdicts = self._explicit(record, decide, dated)
            self.told += verdicts
            return kept
        if isinstance(record, Fact):
            fact, *decisions = self._fact(record)
            self.of_facts += decisions
            return fact
        if isinstance(record, Reflection):
            reflection, verdicts = self._reflection(record, None, True)
            self.told += [verdict for verdict in verdicts if verdict.rule != "new"]
            return reflection
        return self._turn(record)

    def _explicit(self, memory: Memory, decide: bool, dated: bool) -> tuple[Memory, list[Verdict]]:
        """A memory that someone stores as it is; with ``decide`` it is judged like any other."""
        vector = self._vectors.get(id(memory))
        admitted, changed = admit(memory, self._context.clock.stamp())
        known = self._known(admitted, dated)
        if known is None and decide and admitted.status == "active":
            keep = partial(self._keep, vector)
            kept, verdicts = self._settling.settle(memory, None, self._writer, keep)
            return self._shown(without_embedding(kept), verdicts), verdicts
        if known is not None:
            return self._stored(structs.replace(without_embedding(admitted), id=known)), []
        kept = self._keep(vector, without_embedding(admitted))
        return kept, [structs.replace(changed, id=kept.id)] if changed else []

    def _fact(self, fact: Fact) -> tuple[Fact, *tuple[Verdict, ...]]:
        if fact.id is not None:
            check_same_record(fact, self._writer, self._store)
        return _write_fact(fact, self._writer, self._vectors, self._context)

    def _known(self, memory: Memory, dated: bool) -> str | None:
        """The id under which this memory is stored. Raises ``RecordProblem`` when another one
        is stored under its id."""
        known = self._writer.find_memory(memory)
        if known is not None and memory.id is not None:
            check_same_record(memory, self._writer, self._store, dated)
        return known

    def _shown(self, memory: Memory, verdicts: Sequence[Verdict]) -> Memory:
        """A memory as it is written back: what was known already in the words that are stored
        under its id, which may be others."""
        told = bool(verdicts) and verdicts[0].decision in ("exists", "reinforce", "quarantine")
        return self._stored(memory) if told else memory

    def _stored(self, memory: Memory) -> Memory:
        found = self._writer.memory(memory.id or "")
        return memory if found is None or is_hidden(found) else found

    def _turn(self, turn: Turn) -> Turn:
        reason = "this turn is stored already"
        known = Verdict(decision="exists", rule="same_id", reason=reason, id=turn.id)
        awaited = turn.reflection is not None and self._writer.finish_job(turn)
        if self._finishing and not awaited:
            return structs.replace(turn, stored=[known])
        added = not awaited and self._add(turn)
        for item in turn.evidence:
            link = Link(source=item.id, relation="evidence_of", target=turn.id or "")
            self._writer.add_link(link)
        verdicts: list[Verdict] = []
        reflection = turn.reflection
        if reflection is not None:
            reflection, verdicts = self._reflection(reflection, turn, added or awaited)
        if not added and not awaited:
            verdicts.insert(0, known)
        return structs.replace(turn, reflection=reflection, stored=verdicts)

    def _add(self, turn: Turn) -> bool:
        """Writes the turn itself, with the job that is left of it; False when it is there."""
        added = self._writer.add_turn(turn, self._vectors.get(id(turn)), judged=not self._left)
        if added and self._left:
            clock = self._context.clock
            id_ = clock.new_id("job", turn.id)
            self._writer.add_job(Job(id_, turn.id or "", self._left, clock.stamp()))
        return added

    def _reflection(
        self, reflection: Reflection, turn: Turn | None, news: bool
    ) -> tuple[Reflection, list[Verdict]]:
        """``news`` is false for a turn that was stored before: nothing is said again by it."""
        memories: list[Memory] = []
        shown: list[Memory] = []
        facts: list[Fact] = []
        verdicts: list[Verdict] = []
        for memory in reflection.memories_to_store:
            kept, decisions = self._memory(memory, turn, news)
            memories.append(kept)
            shown.append(self._shown(kept, decisions))
            verdicts += decisions
        for fact in reflection.facts:
            pattern = suspicious(fact.object)
            if pattern is not None:
                keep = partial(self._keep, None)
                aside = self._settling.put_fact_aside(fact, pattern, self._writer, keep)
                verdicts += aside
                continue
            stored, *decisions = self._fact(fact)
            facts.append(stored)
            verdicts += decisions
        if news:
            for id_ in reflection.taken_back:
                verdicts += telling.retract_denied(
                    id_, turn or reflection, self._writer, self._context
                )
            keep = partial(self._keep, None)
            verdicts += self._settling.settle_refused(reflection, turn, self._writer, keep)
        for fact in _link_facts(memories, facts, self._writer).values():
            verdicts += telling.mark_if_over(fact, self._writer, self._context.clock.stamp())
        return structs.replace(reflection, memories_to_store=shown, facts=facts), verdicts

    def _memory(
        self, memory: Memory, turn: Turn | None, news: bool
    ) -> tuple[Memory, list[Verdict]]:
        known = self._known(memory, dated=False)
        rule, reason = "same_record", "this very record is stored already"
        if known is None and not news:
            known = self._writer.find_same_content(memory)
            rule, reason = "same_content", "it is remembered already"
        if known is not None:
            verdict = Verdict(
                decision="exists", rule=rule, reason=reason, id=known, content=memory.content
            )
            return structs.replace(without_embedding(memory), id=known), [verdict]
        keep = partial(self._keep, self._vectors.get(id(memory)))
        kept, verdicts = self._settling.settle(memory, turn, self._writer, keep)
        return without_embedding(kept), verdicts

    def _keep(self, vector: Vector | None, memory: Memory) -> Memory:
        """Writes a new row. What is kept aside is not embedded, so nothing finds it."""
        id_, again = memory.id, 0
        while id_ is None or (memory.id is None and self._writer.memory(id_) is not None):
            # a fixed clock gives what is said twice at one time the same id
            id_ = self._context.clock.new_id("mem", *_identity(memory), *[again] * bool(again))
            again += 1
        kept = structs.replace(without_embedding(memory), id=id_)
        self._writer.add_memory(kept, vector if kept.status == "active" else None)
        link_source(kept, self._writer)
        return kept


def _dated(record: Storable) -> bool:
    """Whether a record itself says when it was said."""
    return record.created_at is not None


def without_embedding(memory: Memory) -> Memory:
    """A memory without the embedding that it brought along, and without what it corrects."""
    return structs.replace(memory, embedding=UNSET, embedding_model=UNSET, corrects=UNSET)


def _link_facts(
    memories: Sequence[Memory], facts: Sequence[Fact], writer: Writer
) -> dict[str, Fact]:
    """Which memories of a reflection say what its facts say: they may end with them. Returns the
    facts that one is about."""
    found = {}
    for memory in memories:
        for fact in facts:
            if memory.id and fact.id and memory.status == "active" and is_about(memory, fact):
                writer.add_link(Link(source=memory.id, relation="about", target=fact.id))
                found[fact.id] = fact
    return found


def _write_fact(
    fact: Fact, writer: Writer, vectors: dict[int, Vector], context: Context
) -> tuple[Fact, *tuple[Verdict, ...]]:
    text = telling.fact_text(fact)
    corrected = telling.retract_corrected(fact, writer)
    id_, again = fact.id, 0
    while id_ is None or (fact.id is None and writer.fact(id_) is not None):
        # a fixed clock gives what was retracted and is told anew the same id
        id_ = context.clock.new_id("fact", *_identity(fact), text, *[again] * bool(again))
        again += 1
    kept, verdicts, changes = telling.assert_fact(fact, id_, writer, vectors.get(id(fact)))
    if verdicts[0].decision in ("add", "exists"):
        link_source(kept, writer)  # a known one was said again there
    if verdicts[0].decision == "add" or changes:
        name = "fact_ended" if verdicts[0].rule == "ended" else "fact_asserted"
        verdicts += telling.log_change(name, {"fact": kept.id}, changes, writer, context)
    if corrected is not None:
        verdicts += telling.log_correction(corrected, kept, writer, context)
    return kept, *verdicts


def store_fact(fact: Fact, context: Context) -> tuple[Fact, list[Verdict]]:
    """Stores one fact. Returns it with the id under which it is kept, and what became of it and
    of others."""
    verdicts: list[Verdict] = []
    [kept] = store_records([fact], context, verdicts=verdicts)
    assert isinstance(kept, Fact)
    return kept, verdicts


def _identity(item: Memory | Fact) -> tuple[object, ...]:
    body = item.content if isinstance(item, Memory) else item.object
    return item.user, item.agent, item.session, item.created_at, body, item.metadata


def _log(
    done: list[Storable], told: list[Verdict], writer: Writer, context: Context, tick: float
) -> None:
    """Ledger entries: the stages of each turn, and one entry for what was stored."""
    now = context.clock.stamp()
    single = [record for record in done if not isinstance(record, Turn)]
    for position, record in enumerate(done):
        if not isinstance(record, Turn) or _changed_nothing(record.stored):
            continue
        entry = step(
            context,
            "store",
            tick,
            inputs=[record.id or ""],
            outputs=[v.id for v in record.stored if v.id],
            detail={"decisions": [decision_entry(verdict) for verdict in record.stored]},
        )
        done[position] = record = structs.replace(record, trace=[*record.trace, entry])
        for item in record.trace:
            data = to_builtins(item)
            writer.add_event(
                Event(name="stage", at=item.at, turn=record.id, session=record.session, data=data)
            )
        for problem in record.issues:
            data = structs.asdict(problem)
            writer.add_event(
                Event(name="issue", at=now, turn=record.id, session=record.session, data=data)
            )
    if single:
        ids = [getattr(record, "id", None) for record in single]
        summary: dict[str, object] = {"count": len(single), "first": ids[0], "last": ids[-1]}
        if told:
            summary["decisions"] = [decision_entry(verdict) for verdict in told]
        writer.add_event(Event(name="stored", at=now, data=summary))


def _changed_nothing(verdicts: Sequence[Verdict]) -> bool:
    """Whether a turn was there already and brought nothing new: then nothing happened."""
    known = any(verdict.rule == "same_id" for verdict in verdicts)
    return known and all(verdict.decision == "exists" for verdict in verdicts)


def _with_issues(record: Storable, problems: list[Issue]) -> Storable:
    if isinstance(record, Turn) and problems:
        return structs.replace(record, issues=[*record.issues, *problems])
    return record
