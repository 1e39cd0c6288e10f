"""store: writes turns, memories, facts and what links them, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, structs

from thalamus.records import Event, Fact, Issue, Link, Memory, Reflection, Turn, Verdict
from thalamus.stages import facts
from thalamus.stages.context import Context, issue, step
from thalamus.stages.edit import check_core_records
from thalamus.stages.embed import embed
from thalamus.stages.prepare import Storable, prepare_all
from thalamus.storage.protocol import Vector, Writer


def store(turn: Turn, context: Context) -> Turn:
    """Writes one turn with its reflection; the record comes back with the ids it got."""
    if not context.use_memory:
        return turn
    return store_records([turn], context)[0]  # type: ignore[return-value]


def store_records(
    records: Sequence[Storable],
    context: Context,
    more: bool = False,
    verdicts: list[Verdict] | None = None,
) -> list[Storable]:
    """Writes records in one transaction, in order; gives them back with their ids.

    ``more``: others follow at once, so the search indexes need not follow yet. ``verdicts`` is
    given what became of facts.
    What a record says about itself (created_at, session, user, agent, metadata, ids) is kept.
    Embeddings are made before the transaction begins; when the embedder fails the records are
    stored without and an issue says so. Raises ``StoreBusy``, ``StoreFull``.
    """
    if not records:
        return []
    tick = context.clock.tick()
    opened = context.open_store(True)
    assert opened is not None
    prepared = prepare_all(records, context, opened)
    check_core_records(prepared, context, opened)
    vectors, problem = embed(prepared, context, opened)
    done: list[Storable] = []
    with opened.writing(more) as writer:
        writer.look_up([record for record in prepared if isinstance(record, Memory)])
        for record in prepared:
            if isinstance(record, Fact):
                kept, *decisions = _write_fact(record, writer, vectors, context)
                done.append(kept)
                (verdicts if verdicts is not None else []).extend(decisions)
                continue
            done.append(_write(record, writer, vectors, context))
        _log(done, writer, context, tick)
    problems = [issue("store", problem)] if problem else []
    if problem is not None and not any(isinstance(record, Turn) for record in done):
        context.events.failed("stage store: embedding", problem)
        context.unembedded = problem
    return [_with_issues(record, problems) for record in done] if problems else done


def _write(
    record: Turn | Memory | Reflection,
    writer: Writer,
    vectors: dict[int, Vector],
    context: Context,
) -> Storable:
    if isinstance(record, Memory):
        return _write_memory(record, writer, vectors, context, news=False)[0]
    if isinstance(record, Reflection):
        return _write_reflection(record, writer, vectors, context)[0]
    added = writer.add_turn(record, vectors.get(id(record)))
    for item in record.evidence:
        writer.add_link(Link(source=item.id, relation="evidence_of", target=record.id or ""))
    verdicts: list[Verdict] = []
    reflection = record.reflection
    if reflection is not None:
        reflection, verdicts = _write_reflection(reflection, writer, vectors, context)
    if not added:
        reason = "this turn is stored already"
        verdicts.insert(0, Verdict(decision="exists", rule="same_id", reason=reason, id=record.id))
    return structs.replace(record, reflection=reflection, stored=verdicts)


def _write_reflection(
    reflection: Reflection, writer: Writer, vectors: dict[int, Vector], context: Context
) -> tuple[Reflection, list[Verdict]]:
    memories: list[Memory] = []
    told: list[Fact] = []
    verdicts: list[Verdict] = []
    for memory in reflection.memories_to_store:
        kept, verdict = _write_memory(memory, writer, vectors, context, news=True)
        memories.append(kept)
        verdicts.append(verdict)
    for fact in reflection.facts:
        stored, *decisions = _write_fact(fact, writer, vectors, context)
        told.append(stored)
        verdicts += decisions
    return structs.replace(reflection, memories_to_store=memories, facts=told), verdicts


def _write_memory(
    memory: Memory, writer: Writer, vectors: dict[int, Vector], context: Context, news: bool
) -> tuple[Memory, Verdict]:
    """``news``: it came out of a reflection, where saying a known thing again adds nothing."""
    known = writer.find_memory(memory)
    rule, reason = "same_record", "this very record is stored already"
    if known is None and news:
        known = writer.find_same_content(memory)
        rule, reason = "same_content", "it is remembered already"
    vector = vectors.get(id(memory))
    id_ = known or memory.id or context.clock.new_id("mem", *_identity(memory))
    kept = structs.replace(memory, id=id_, embedding=UNSET, embedding_model=UNSET)
    if known is not None:
        return kept, Verdict(
            decision="exists", rule=rule, reason=reason, id=id_, content=memory.content
        )
    writer.add_memory(kept, vector)
    _link_source(kept, writer)
    return kept, Verdict(
        decision="add", rule="new", reason="it is new", id=id_, content=memory.content
    )


def _write_fact(
    fact: Fact, writer: Writer, vectors: dict[int, Vector], context: Context
) -> tuple[Fact, *tuple[Verdict, ...]]:
    text = facts.text_of(fact)
    id_ = fact.id or context.clock.new_id("fact", *_identity(fact), text)
    kept, verdicts, changes = facts.tell(fact, id_, writer, vectors.get(id(fact)))
    if verdicts[0].decision == "add":
        _link_source(kept, writer)
    if verdicts[0].decision == "add" or changes:
        name = "fact_ended" if verdicts[0].rule == "ended" else "fact_asserted"
        facts.log_change(name, {"fact": kept.id}, changes, writer, context)
    return kept, *verdicts


def tell_fact(fact: Fact, context: Context) -> tuple[Fact, list[Verdict]]:
    """Stores one fact. Returns it with the id under which it is kept, and what became of it and
    of others."""
    verdicts: list[Verdict] = []
    [kept] = store_records([fact], context, verdicts=verdicts)
    assert isinstance(kept, Fact)
    return kept, verdicts


def _identity(item: Memory | Fact) -> tuple[object, ...]:
    body = item.content if isinstance(item, Memory) else item.object
    return item.user, item.agent, item.session, item.created_at, body, item.metadata


def _link_source(item: Memory | Fact, writer: Writer) -> None:
    source = item.provenance
    for target in (source.turn, source.document) if source else ():
        if target:
            writer.add_link(Link(source=item.id or "", relation="derived_from", target=target))


def _log(done: Sequence[Storable], writer: Writer, context: Context, tick: float) -> None:
    """Ledger entries: the stages of each turn, and one entry for what was stored."""
    now = context.clock.stamp()
    bare = [record for record in done if not isinstance(record, Turn)]
    for position, record in enumerate(done):
        if not isinstance(record, Turn) or _changed_nothing(record.stored):
            continue
        entry = step(
            context,
            "store",
            tick,
            inputs=[record.id or ""],
            outputs=[v.id for v in record.stored if v.id],
            detail={"decisions": [f"{v.decision}: {v.content}" for v in record.stored]},
        )
        done[position] = record = structs.replace(record, trace=[*record.trace, entry])  # type: ignore[index]
        for item in record.trace:
            data = structs.asdict(item)
            writer.add_event(
                Event(name="stage", at=item.at, turn=record.id, session=record.session, data=data)
            )
        for problem in record.issues:
            data = structs.asdict(problem)
            writer.add_event(
                Event(name="issue", at=now, turn=record.id, session=record.session, data=data)
            )
    if bare:
        ids = [getattr(record, "id", None) for record in bare]
        data = {"count": len(bare), "first": ids[0], "last": ids[-1]}
        writer.add_event(Event(name="stored", at=now, data=data))


def _changed_nothing(verdicts: Sequence[Verdict]) -> bool:
    """Whether a turn was there already and brought nothing new: then nothing happened."""
    known = any(verdict.rule == "same_id" for verdict in verdicts)
    return known and all(verdict.decision == "exists" for verdict in verdicts)


def _with_issues(record: Storable, problems: list[Issue]) -> Storable:
    if isinstance(record, Turn) and problems:
        return structs.replace(record, issues=[*record.issues, *problems])
    return record
