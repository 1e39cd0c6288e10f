"""The gate for writing, which every memory passes.

normalize → plugin hooks → classify → embed → reconcile → save

Records of a turn, a pipe or the API go through ``write_records``, in one transaction. Code that
writes memories along with other records (a document, an import, an edit, a summary) has them
admitted by ``admit_memories`` and saves the drafts (``draft.save``) in a transaction of its own.
Insights are admitted in the same way (``insight_writing``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, structs, to_builtins

from thalamus.engine import Engine
from thalamus.errors import InvalidOperation, RecordProblem
from thalamus.events import WorldCommitted
from thalamus.memory import memories
from thalamus.memory.draft import (
    Draft,
    NewMemories,
    ReflectionDraft,
    Storable,
    identity_of,
    link_source,
    within,
    without_embedding,
)
from thalamus.memory.embeddings import embed, report_unembedded
from thalamus.memory.facts import assertion as facts
from thalamus.memory.facts import history as fact_history
from thalamus.memory.facts.intervals import registry_of
from thalamus.memory.facts.propagation import log_change, mark_if_over
from thalamus.memory.hooks import before_write
from thalamus.memory.jobs import add_job, finish_job
from thalamus.memory.memories import KnownMemories
from thalamus.memory.normalize import check_same_record, normalize
from thalamus.memory.personal import mark_personal, mark_replacements
from thalamus.memory.reconcile import Change, Reconciler
from thalamus.memory.sources import candidates
from thalamus.memory.sources.governance import judge_corrected, judge_used
from thalamus.memory.stage_logs import log_store, write_logs
from thalamus.memory.standing.core import check_core_drafts
from thalamus.memory.user import projects, world
from thalamus.policy.admission import admit, quarantine
from thalamus.policy.consent import RULE as CONSENT
from thalamus.policy.consent import awaiting, forbidden, of_agent
from thalamus.policy.evidence_text import used_lines
from thalamus.policy.injection import injection_verdict
from thalamus.policy.persona import with_marks
from thalamus.policy.reconciliation import REASONS
from thalamus.policy.speakers import PROPOSED_TRUST
from thalamus.policy.staleness import is_about
from thalamus.policy.timeline import moment
from thalamus.records import (
    Ending,
    Event,
    Fact,
    Issue,
    Link,
    Memory,
    Plan,
    Reflection,
    Turn,
    Verdict,
    WorldChange,
    WorldOperation,
)
from thalamus.records.base import tag_of
from thalamus.records.kinds import own_text
from thalamus.store import links as link_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption.sources import encrypt
from thalamus.store.jobs import CRYSTALLIZE, FINISH
from thalamus.store.writer import RollBack
from thalamus.text.local_time import local_day, midnight
from thalamus.text.partial_dates import parse
from thalamus.text.statements import says_within
from thalamus.turn_run import TurnRun, issue, step

if TYPE_CHECKING:
    from thalamus.policy.predicates import Registry
    from thalamus.store.writer import Writer


class WriteOptions(Struct, frozen=True):
    """Options for writing records.

    ``decide``: memory records are reconciled with stored ones, as those of reflections always are.
    ``proposed``: memory records are not the user's own words: those that need consent wait for it,
    and each is quarantined only once. ``dry_run``: everything is decided and written as usual, and
    then rolled back.
    """

    decide: bool = False
    proposed: bool = False
    dry_run: bool = False


def write_records(
    records: Sequence[Storable], run: TurnRun, options: WriteOptions = WriteOptions()
) -> list[Storable]:
    """Writes records in one transaction, in order; returns them with their ids.

    A new turn gets a job for the stages that ``run.left`` names. With ``run.finishing`` the turns
    were stored before with such a job: one whose job is missing was finished by another process,
    and nothing is written. Fields set on a record (created_at, session, user, agent, metadata, ids)
    are kept. Embeddings are computed before the transaction begins; when the embedder fails the
    records are stored without them, with an issue. Raises ``StoreBusy``, ``StoreFull``, and
    ``RecordProblem`` for a record that cannot be stored or has the id of another one, in which case
    nothing is written.
    """
    return write_all(records, run, options).records


def write_fact(fact: Fact, run: TurnRun) -> tuple[Fact, list[Verdict]]:
    """Writes one fact. Returns it as it is stored, and the verdicts on it and on related facts.
    Raises what ``write_records`` raises."""
    written = write_all([fact], run)
    [kept] = written.records
    assert isinstance(kept, Fact)
    return kept, written.of_facts


def write_proposed(memories: Sequence[Memory], run: TurnRun) -> list[list[Verdict]]:
    """Reconciles memories proposed by another program, and writes the result: they are trusted no
    more than a statement in an answer. Returns the verdicts on each, the one on itself first.
    Raises what ``write_records`` raises, also for a type reserved for document chunks, which are
    never quarantined, whatever they contain."""
    for index, memory in enumerate(memories):
        if memory.is_document:
            raise RecordProblem("type", f"{memory.type} is reserved for documents", index)
    known = [structs.replace(m, trust=min(m.trust, PROPOSED_TRUST)) for m in memories]
    return write_all(known, run, WriteOptions(decide=True, proposed=True)).of_memories


def admit_memories(
    memories: Sequence[Memory], engine: Engine, *, machine_made: bool = False
) -> list[Draft[Memory]]:
    """Complete memories as drafts, after plugins and classification; drafts that are ``refused``
    must not be saved. ``machine_made``: the words are not the user's own even if fully trusted, so
    they are checked for instructions too."""
    now = engine.clock.stamp()
    drafts = [Draft(structs.replace(memory), index) for index, memory in enumerate(memories)]
    for draft in drafts:
        _admit(draft, engine, now, machine_made)
    return drafts


def decision_entry(verdict: Verdict) -> dict[str, object]:
    """A verdict for the ledger, without its content, which may be forgotten later."""
    names = ("id", "decision", "rule", "reason")
    return {name: getattr(verdict, name) for name in names}


# -- before the transaction ------------------------------------------------------------------------


def _drafts(
    records: Sequence[Storable],
    run: TurnRun,
    proposed: bool,
    predicates: Callable[[], Registry],
) -> list[Draft[Storable]]:
    """Drafts of normalized records, after plugins and classification. Raises ``RecordProblem`` with
    the index of the record."""
    now = run.engine.clock.stamp()
    drafts: list[Draft[Storable]] = []
    for index, record in enumerate(records):
        try:
            normal = normalize(record, run, now, predicates)
        except RecordProblem as problem:
            problem.index = index
            raise
        dated = record.created_at is not None
        if isinstance(normal, Memory):
            _check_allowed("type", normal.type, run.engine, index)
            memory = Draft(normal, index, dated, by_itself=True)
            _admit(memory, run.engine, now, proposed)
            drafts.append(memory)
            continue
        if isinstance(normal, Fact):
            _check_allowed("predicate", normal.predicate, run.engine, index)
            mark_personal(normal)
        draft: Draft[Storable] = Draft(normal, index, dated)
        reflection = with_proposals(normal) if isinstance(normal, Turn) else normal
        if isinstance(reflection, Reflection):
            mark_personal(reflection)
            owner = normal if isinstance(normal, Turn) else reflection
            draft.parts = _parts(reflection, owner, run.engine, index)
        drafts.append(draft)
    return drafts


def with_proposals(turn: Turn) -> Reflection | None:
    """Reflection of a turn with the memories proposed by its tools, without those that it has in
    other words; a new one if there was none."""
    if not turn.proposals:
        return turn.reflection
    reflection = turn.reflection or Reflection(turn=turn.id)
    known = [memory.content for memory in reflection.memories_to_store]
    more = []
    for memory in turn.proposals:
        if not any(says_within(memory.content, content) for content in known):
            known.append(memory.content)
            more.append(memory)
    memories = [*reflection.memories_to_store, *more]
    return structs.replace(reflection, memories_to_store=memories)


def _check_allowed(field: str, name: str, engine: Engine, index: int) -> None:
    """Raises ``RecordProblem`` for a record of a type that the settings forbid, so that its author
    learns of it."""
    verdict = forbidden(engine.config.remember, name)
    if verdict is not None:
        raise RecordProblem(field, verdict.reason, index)


def _admit(draft: Draft[Memory], engine: Engine, now: str, machine_made: bool = False) -> None:
    """Plugin hooks, consent, and classification: sensitivity, salience, trust, disguised
    instructions. A person's own record implies consent; one that is ``machine_made`` may have to
    wait for it."""
    _ask_plugins(draft, engine)
    if draft.refused:
        return
    _ask_consent(draft, engine, machine_made)
    if draft.refused:
        return
    memory = draft.record
    if draft.verdict is not None:
        memory = quarantine(memory, draft.verdict.rule, draft.verdict.reason, now)
    memory, changed = admit(memory, now, machine_made=machine_made)
    draft.record, draft.verdict = memory, draft.verdict or changed


def _introduced(
    drafts: Sequence[Draft[Storable]], run: TurnRun, predicates: Callable[[], Registry]
) -> dict[str, projects.Introduced]:
    """Projects introduced by reflected turns, by turn id."""
    found = {}
    for draft in drafts:
        turn = draft.record
        if isinstance(turn, Turn) and turn.reflection is not None:
            project = projects.introduced(turn, run, predicates)
            if project is not None:
                found[turn.stored_id] = project
    return found


def _ask_plugins(draft: Draft[Memory], engine: Engine) -> None:
    """Runs plugins, which can see if the memory is personal; their changes may make it personal."""
    mark_personal(draft.record)
    before = draft.record
    before_write(draft, engine)
    if draft.record is not before:
        mark_personal(draft.record)
        if draft.record.content != before.content:
            draft.record.embedding = UNSET  # it belongs to the old words
    draft.record.metadata = with_marks(draft.record)


def _ask_consent(draft: Draft[Memory], engine: Engine, found: bool) -> None:
    """Sets the verdict on a memory that is never kept, or, if it was ``found`` by a machine, that
    waits for consent. Plugins may have changed its type."""
    remember, type = engine.config.remember, draft.record.type
    draft.verdict = forbidden(remember, type) or draft.verdict
    if draft.verdict is None and found:
        draft.verdict = awaiting(remember, type) or of_agent(draft.record, remember, engine.rules())


def _parts(
    reflection: Reflection, owner: Turn | Reflection, engine: Engine, index: int
) -> ReflectionDraft:
    """Drafts of a reflection's contents. Refusals by plugins join the earlier ones; those that may
    be kept in quarantine are checked like any other memory."""
    parts = ReflectionDraft(reflection)
    refused = list(reflection.refused)
    for memory in reflection.memories_to_store:
        draft = Draft(memory, index)
        _ask_plugins(draft, engine)
        if draft.verdict is None:
            _ask_consent(draft, engine, True)
            _sort_by_consent(draft, parts)
        else:
            content = draft.verdict.content or memory.content
            refused.append(structs.replace(draft.verdict, content=content))
    for position, verdict in enumerate(refused):
        if verdict.decision == "quarantine" and verdict.content.strip():
            rejected = _rejected(verdict, owner, engine, index)
            if position < len(reflection.refused):  # a plugin that quarantines one has seen it
                _ask_plugins(rejected, engine)
            if forbidden(engine.config.remember, rejected.record.type) is None:
                parts.rejected.append(rejected)
    for fact in reflection.facts:
        if _needs_consent(fact, parts, engine, index):
            continue
        disguised = injection_verdict(fact.object)
        if disguised is None:
            parts.facts.append(Draft(fact, index))
        else:
            rejected = Draft(_as_memory(fact), index, verdict=disguised)
            _ask_plugins(rejected, engine)
            parts.rejected.append(rejected)
    parts.rejected = [draft for draft in parts.rejected if not draft.refused]
    parts.reflection = structs.replace(reflection, refused=refused)
    return parts


def _sort_by_consent(draft: Draft[Memory], parts: ReflectionDraft) -> None:
    if draft.verdict is None:
        parts.memories.append(draft)
    elif draft.refused:
        parts.unwanted.append(draft)
    else:
        parts.rejected.append(draft)


def _needs_consent(fact: Fact, parts: ReflectionDraft, engine: Engine, index: int) -> bool:
    """True for a fact of a reflection that is never kept, or waits for consent: by its predicate,
    or because a memory with the same statement does. In quarantine it is a memory."""
    remember = engine.config.remember
    about = next((draft for draft in parts.unwanted if is_about(draft.record, fact)), None)
    verdict = forbidden(remember, fact.predicate) or (about.verdict if about else None)
    if verdict is not None:
        parts.unwanted.append(Draft(_as_memory(fact), index, verdict=verdict))
        return True
    waiting = [d for d in parts.rejected if d.verdict is not None and d.verdict.rule == CONSENT]
    if any(is_about(draft.record, fact) for draft in waiting):
        return True  # quarantined already, in the words of that memory
    verdict = awaiting(remember, fact.predicate)
    if verdict is not None:
        parts.rejected.append(Draft(_as_memory(fact), index, verdict=verdict))
    return verdict is not None


def _rejected(
    verdict: Verdict, owner: Turn | Reflection, engine: Engine, index: int
) -> Draft[Memory]:
    """A refused statement as an untrusted memory."""
    config, now = engine.config, engine.clock.stamp()
    memory = Memory(
        content=verdict.content,
        created_at=owner.created_at or now,
        recorded_at=now,
        session=owner.session,
        user=owner.user or config.user or None,
        agent=owner.agent or config.agent or None,
        trust=0.0,
        sensitivity=verdict.sensitivity or "normal",
    )
    reason = REASONS.get(verdict.rule, verdict.reason)
    cause = Verdict(decision="quarantine", rule=verdict.rule, reason=reason)
    return Draft(memory, index, verdict=cause)


def _as_memory(fact: Fact) -> Memory:
    """The statement of a fact, as a memory."""
    return Memory(
        content=own_text(fact),
        created_at=fact.created_at,
        recorded_at=fact.recorded_at,
        session=fact.session,
        user=fact.user,
        agent=fact.agent,
        trust=fact.trust,
        provenance=fact.provenance,
        sensitivity=fact.sensitivity,
    )


# -- the transaction -------------------------------------------------------------------------------


class Written(Struct, frozen=True):
    """``records`` as they are stored; ``refused``: verdicts on bare memories that plugins refused,
    by position; ``of_facts``: verdicts on bare facts and their dependents; ``of_memories``: on each
    bare memory, in order."""

    records: list[Storable]
    refused: dict[int, Verdict] = {}
    of_facts: list[Verdict] = []
    of_memories: list[list[Verdict]] = []


def write_all(
    records: Sequence[Storable], run: TurnRun, options: WriteOptions = WriteOptions()
) -> Written:
    """As ``write_records``, with what was decided about the records."""
    if not records:
        return Written([])
    tick = run.engine.clock.tick()
    store = run.engine.store if options.dry_run else run.engine.create_store()
    predicates = functools.cache(lambda: facts.registry(run))
    drafts = _drafts(records, run, options.proposed, predicates)
    mark_replacements((draft.record for draft in within(drafts)), store)
    check_core_drafts(drafts, run.engine)
    problem = embed(drafts, run)
    introduced = _introduced(drafts, run, predicates)
    turns = [draft.record for draft in drafts if isinstance(draft.record, Turn)]
    if run.left:  # noted with the reflection, which is still to come
        turns = [turn for turn in turns if turn.reflection is not None]
    reconciler = Reconciler(run)
    with store.reading():
        mentions = candidates.mentions_in(turns, run)
        reconciler.find_neighbours(drafts, options.decide)
    with suppress(RollBack), store.writing() as writer:
        unit = _Unit(writer, run, reconciler, options, introduced, mentions)
        unit.known.load([d.record for d in within(drafts) if isinstance(d.record, Memory)])
        stored = [unit.write(draft) for draft in drafts]
        unit.new.save()
        projects.link_stored(stored, writer)
        _log(stored, unit, writer, run, tick)
        write_logs(writer, run)
        if options.dry_run:
            raise RollBack
    run.log.records.clear()
    for change in unit.changes if not options.dry_run else ():
        run.engine.events.emit(WorldCommitted(turn=change.turn, change=change))
    if problem is not None:
        stored = _with_issue(stored, problem, run)
    if writer.lag is not None:
        stored = _with_issues(stored, issue("store", writer.lag))
    return Written(stored, unit.refused, unit.of_facts, unit.of_memories)


class _Unit:
    """Writes the drafts of one transaction. ``verdicts``: on bare records, except those that are
    simply new; ``refused``: on those that plugins refused; ``of_facts``: on bare facts;
    ``of_memories``: on each bare memory; ``known``: cache of stored memories; ``new``: those that
    are simply new; ``planned``: turns with a saved plan,
    with its ledger entry; ``changes``: of world states; ``before``: previous states of reinforced
    memories, by turn and id."""

    def __init__(
        self,
        writer: Writer,
        run: TurnRun,
        reconciler: Reconciler,
        options: WriteOptions,
        introduced: Mapping[str, projects.Introduced],
        mentions: Mapping[str, Sequence[candidates.Mention]],
    ) -> None:
        self.verdicts: list[Verdict] = []
        self.refused: dict[int, Verdict] = {}
        self.of_facts: list[Verdict] = []
        self.of_memories: list[list[Verdict]] = []
        self.planned: set[str | None] = set()
        self.changes: list[WorldChange] = []
        self.known = KnownMemories(writer)
        self.new = NewMemories(writer, run.engine, self.known)
        self._writer = writer
        self._run = run
        self._reconciler = reconciler
        self.before = reconciler.before
        self._options = options
        self._introduced = introduced
        self._mentions = mentions

    @functools.cached_property
    def _predicates(self) -> Registry:
        return registry_of(self._writer)

    def write(self, draft: Draft[Storable]) -> Storable:
        """Writes a draft; returns the record as it is stored. Raises ``RecordProblem`` with the
        index of the record."""
        record = draft.record
        try:
            if isinstance(record, Memory):
                return self._memory(draft)  # type: ignore[arg-type]
            self.new.save()
            if isinstance(record, Fact):
                fact, *decisions = self._fact(draft)  # type: ignore[arg-type]
                self.of_facts += decisions
                return fact
            if isinstance(record, Turn):
                return self._turn(draft, record)
            if isinstance(record, Plan):
                return self._plan(record)
            assert draft.parts is not None
            reflection, verdicts = self._reflection(draft.parts, None, True)
            self.verdicts += [verdict for verdict in verdicts if verdict.rule != "new"]
            return reflection
        except RecordProblem as problem:
            problem.index = draft.index
            raise

    def _plan(self, plan: Plan) -> Plan:
        """Saves a plan, which replaces the session's last one. Raises ``RecordProblem`` when its id
        belongs to another session or user."""
        other = self._writer.by_id(Plan, plan.id)
        if other is not None:
            for name in ("session", "user"):
                if getattr(other, name) != getattr(plan, name):
                    problem = f"{plan.id} is already the id of a plan with another `{name}`"
                    raise RecordProblem("id", problem)
        self._writer.put(plan)
        return plan

    def _plan_of(self, turn: Turn) -> None:
        """Saves the plan of a turn, unless it is stored already: an older turn's plan may have been
        superseded."""
        plan = turn.plan
        if plan is None or plan.id is None:
            return
        known = self._writer.by_id(Plan, plan.id)
        if known is None:
            self._plan(plan)
        elif known.turn == turn.id:
            self.planned.add(turn.id)

    def _memory(self, draft: Draft[Memory]) -> Memory:
        """Writes a bare memory unchanged, or reconciles it where that is requested."""
        memory, verdict = draft.record, draft.verdict
        if draft.refused:
            assert verdict is not None
            self.verdicts.append(structs.replace(verdict, content=""))
            self.of_memories.append([verdict])
            whole = structs.replace(verdict, content=verdict.content or memory.content)
            self.refused[draft.index] = whole
            return memory
        known = self._find(memory, draft.dated)
        if known is not None:
            self.new.save()
            self._encrypt_known(memory, known)
            self.of_memories.append([_already_stored(memory, known)])
            return self._stored(structs.replace(without_embedding(memory), id=known))
        waits = self._options.proposed and memory.status == "quarantined"
        if waits or (self._options.decide and memory.status == "active"):
            self.new.save()
            kept, verdicts = self._reconciled(draft, None)
            self.verdicts += verdicts
            self.of_memories.append(verdicts)
            return self._as_returned(without_embedding(kept), verdicts)
        kept = self.new.take(draft)
        if verdict is not None:
            self.verdicts.append(structs.replace(verdict, id=kept.id))
        return kept

    def _reconciled(self, draft: Draft[Memory], turn: Turn | None) -> tuple[Memory, list[Verdict]]:
        """Decides what becomes of a memory, or of a statement that was refused, and writes it.
        Returns the memory as it is stored, and the verdicts."""
        reconciler, writer = self._reconciler, self._writer
        if draft.verdict is None or draft.verdict.decision == "add":
            change: Change | None = reconciler.decide(draft, turn, writer)
        else:
            change = reconciler.decide_refused(draft, turn, writer)
        if change is None:
            return draft.record, []
        return reconciler.apply(change, writer, self.known)

    def _find(self, memory: Memory, dated: bool) -> str | None:
        """Id under which this memory is stored. Raises ``RecordProblem`` when another one is stored
        under its id."""
        known = self.known.find(memory)
        if known is not None and memory.id is not None:
            self.new.save()
            check_same_record(memory, self._writer, dated)
        return known

    def _as_returned(self, memory: Memory, verdicts: Sequence[Verdict]) -> Memory:
        """A memory as it is returned: a known one with the words stored under its id, which may
        differ."""
        known = bool(verdicts) and verdicts[0].decision in ("exists", "reinforce", "quarantine")
        return self._stored(memory) if known else memory

    def _stored(self, memory: Memory) -> Memory:
        found = memories.with_id(self._writer, memory.id) if memory.id else None
        return memory if found is None or is_hidden(found) else found

    def _turn(self, draft: Draft[Storable], turn: Turn) -> Turn:
        reason = "this turn is already stored"
        known = Verdict(decision="exists", rule="same_id", reason=reason, id=turn.id)
        stored = self._writer.has(Turn, turn.stored_id)
        awaited = stored and turn.reflection is not None and self._finish_job(turn)
        if self._run.finishing and not awaited:
            return structs.replace(turn, stored=[known])
        added = not stored
        if added:
            self._add_turn(draft, turn)
        self._plan_of(turn)
        if added:
            judge_used(turn, self._writer)
        used = [item.id for item in turn.evidence]
        used += used_lines(turn.profile or (), turn.answer or "")
        link_rows.add(self._writer, [Link(id, "evidence_of", turn.stored_id) for id in used])
        if added or awaited:
            if awaited or not self._run.left:  # otherwise its reflection is still to come
                turn = self._change_world(turn, fading=True)
                mentions = self._mentions.get(turn.stored_id, ())
                candidates.note(turn, mentions, self._writer, self._run)
            else:
                turn = self._change_world(turn, fading=False)
            if self._run.engine.config.crystallize and _may_be_crystallized(turn):
                clock = self._run.engine.clock
                add_job(self._writer, CRYSTALLIZE, turn.stored_id, clock, new=added)
        verdicts: list[Verdict] = []
        reflection = turn.reflection
        if draft.parts is not None:
            if added or awaited:  # before what is corrected is replaced
                issues = judge_corrected(
                    turn, draft.parts.reflection, self._writer, self._run.engine
                )
                turn = structs.replace(turn, issues=[*turn.issues, *issues])
            kept, verdicts = self._reflection(draft.parts, turn, added or awaited)
            reflection = kept if turn.reflection is not None else None
            introduced = self._introduced.get(turn.stored_id)
            if introduced is not None and (added or awaited):
                projects.add_introduced(introduced, self._writer)
        if not added and not awaited:
            verdicts.insert(0, known)
        return structs.replace(turn, reflection=reflection, stored=verdicts)

    def _change_world(self, turn: Turn, fading: bool) -> Turn:
        """Applies a turn's operations to the world state; with ``fading`` topics that it does not
        mention lose weight, unless it has an operation on them. An invalid operation becomes an
        issue of the turn, which is stored without it."""
        fades = world.fading(turn, self._writer) if fading else []
        try:
            if turn.world_operations:
                self._commit(turn.world_operations, turn)
            if fades:  # by itself, so that it is in no batch
                self._commit(fades, turn)
        except InvalidOperation as error:
            problem = issue("store", error)
            return structs.replace(turn, world_operations=[], issues=[*turn.issues, problem])
        return turn

    def _commit(self, operations: Sequence[WorldOperation], turn: Turn) -> None:
        """Applies operations of a turn to the world state. Raises ``InvalidOperation``."""
        clock = self._run.engine.clock
        change = world.commit_of_turn(
            self._writer, operations, turn.stored_id, turn.user, clock, turn.session
        )
        if change is not None:
            self.changes.append(change)

    def _add_turn(self, draft: Draft[Storable], turn: Turn) -> None:
        """Writes a new turn itself, with the job for its remaining stages."""
        left = self._run.left
        self._writer.add(turn, draft.vector, judged=not left, new=True)
        if left:
            add_job(self._writer, FINISH, turn.stored_id, self._run.engine.clock, left, new=True)

    def _finish_job(self, turn: Turn) -> bool:
        """Finishes the job of a turn that has its reflection now: from here on the turn is only
        encrypted if it is personal. False when there is no unfinished job."""
        found = finish_job(self._writer, FINISH, turn.stored_id)
        if found:
            self._writer.reveal(turn)
        return found

    def _reflection(
        self, parts: ReflectionDraft, turn: Turn | None, news: bool
    ) -> tuple[Reflection, list[Verdict]]:
        """Writes a reflection. ``news`` is false for a turn that was stored before, which repeats
        nothing."""
        reflection = parts.reflection
        memories: list[Memory] = []
        returned: list[Memory] = []
        stored: list[Fact] = []
        verdicts: list[Verdict] = []
        for draft in parts.memories:
            kept, decisions = self._reflected_memory(draft, turn, news)
            memories.append(kept)
            returned.append(self._as_returned(kept, decisions))
            verdicts += decisions
        for fact_draft in parts.facts:
            fact, *decisions = self._fact(fact_draft)
            stored.append(fact)
            verdicts += decisions
        if news:
            verdicts += [_unwanted(draft) for draft in parts.unwanted]
            for ending in reflection.no_longer:
                verdicts += self._end(ending, turn or reflection)
            for rejected in parts.rejected:
                verdicts += self._reconciled(rejected, turn)[1]
        linked = _link_facts(memories, stored, self._writer)
        now, zone = self._run.engine.clock.stamp(), self._run.zone
        verdicts += mark_if_over(linked.values(), self._writer, now, zone)
        return structs.replace(reflection, memories_to_store=returned, facts=stored), verdicts

    def _end(self, ending: Ending, owner: Turn | Reflection) -> list[Verdict]:
        """Ends a memory or a fact of the same owner; returns the verdicts on it and its
        dependents."""
        at = _moment_of(ending.valid_to, owner, self._run)
        memory = memories.with_id(self._writer, ending.id)
        if memory is None:
            period = local_day(at, self._run.zone)
            return facts.end_or_retract(ending.id, at, period, owner, self._writer, self._run)
        if memory.status != "active" or memory.user != owner.user:
            return []
        said_in = owner.id if isinstance(owner, Turn) else owner.turn
        day = ending.valid_to or local_day(at, self._run.zone)
        if moment(at) > moment(owner.created_at or at):  # announced: it holds until that time
            self._writer.change(Memory, ending.id, valid_to=day)
            return []
        if not memories.end(self._writer, ending.id, day, said_in or ending.id):
            return []
        reason = f"it is over since {day}"
        return [Verdict(decision="stale", rule="ended", reason=reason, id=ending.id)]

    def _reflected_memory(
        self, draft: Draft[Memory], turn: Turn | None, news: bool
    ) -> tuple[Memory, list[Verdict]]:
        """Writes a memory of a reflection; returns it with the verdicts."""
        memory = draft.record
        known = self._find(memory, dated=False)
        verdict = _already_stored(memory, known)
        if known is None and not news:
            known = memories.with_same_content(self._writer, memory)
            verdict = structs.replace(
                verdict, rule="same_content", reason="already stored", id=known
            )
        if known is not None:
            self._encrypt_known(memory, known)
            return structs.replace(without_embedding(memory), id=known), [verdict]
        kept, verdicts = self._reconciled(draft, turn)
        self._encrypt_known(memory, verdicts[0].id)
        return without_embedding(kept), verdicts

    def _encrypt_known(self, item: Memory | Fact, known: str | None) -> None:
        """Encrypts the record that says the same as ``item``, if that is personal now."""
        if item.sensitivity == "personal" and known is not None:
            encrypt(self._writer, {known: tag_of(type(item))})

    def _fact(self, draft: Draft[Fact]) -> tuple[Fact, *tuple[Verdict, ...]]:
        """Writes a fact; returns it as it is stored, with the verdicts on it and on others."""
        fact, writer, run = draft.record, self._writer, self._run
        if fact.id is not None:
            check_same_record(fact, writer)
        text = facts.fact_text(fact)
        corrected = facts.retract_corrected(fact, writer)
        id, repetition = fact.id, 0
        # a fixed clock gives a retracted fact that is asserted again the same id
        again_there = fact.id is None and run.engine.clock.fixed
        while id is None or (again_there and fact_history.is_stored(writer, id)):
            id = run.engine.clock.new_id(
                "fact", *identity_of(fact), text, *[repetition] * bool(repetition)
            )
            repetition += 1
        kept, verdicts, changes = facts.assert_fact(
            fact, id, writer, draft.vector, run.zone, self._predicates
        )
        if verdicts[0].decision in ("add", "exists"):
            link_source(kept, writer)  # a known fact was repeated there
        if verdicts[0].decision != "add":
            self._encrypt_known(fact, kept.id)
        if verdicts[0].decision == "add" or changes:
            name = "fact_ended" if verdicts[0].rule == "ended" else "fact_asserted"
            verdicts += log_change(name, {"fact": kept.id}, changes, writer, run)
        if corrected is not None:
            verdicts += facts.log_correction(corrected, kept, writer, run)
        verdicts += facts.end_replaced(fact, kept.stored_id, writer, run)
        return kept, *verdicts


def _moment_of(day: str | None, owner: Turn | Reflection, run: TurnRun) -> str:
    """Moment at which something ended: the end of a day, a month or a year in the user's time; of
    one in which it was reported, or without one, the time of the report."""
    reported = owner.created_at or run.engine.clock.stamp()
    end = parse(day)
    if end is None or local_day(reported, run.zone).startswith(str(end)):
        return reported
    return midnight(end.after, run.zone)


def _may_be_crystallized(turn: Turn) -> bool:
    """True for a turn that was answered and reflected on."""
    return bool(turn.answer) and turn.reflection is not None and not turn.interrupted


def _already_stored(memory: Memory, id: str | None) -> Verdict:
    return Verdict(
        decision="exists",
        rule="same_record",
        reason="an identical record is already stored",
        id=id,
        content=memory.content,
    )


def _unwanted(draft: Draft[Memory]) -> Verdict:
    """Verdict on a statement that is never kept, with its content, for the turn's record."""
    assert draft.verdict is not None
    return structs.replace(draft.verdict, content=draft.record.content)


def _link_facts(
    memories: Sequence[Memory], found: Sequence[Fact], writer: Writer
) -> dict[str, Fact]:
    """Links the memories of a reflection with the facts of the same statement, so that they end
    together. Returns the facts with a memory."""
    linked = {}
    links = []
    for memory in memories:
        for fact in found:
            if memory.id and fact.id and memory.status == "active" and is_about(memory, fact):
                links.append(Link(source=memory.id, relation="about", target=fact.id))
                linked[fact.id] = fact
    link_rows.add(writer, links)
    return linked


# -- the ledger ------------------------------------------------------------------------------------


def _log(records: list[Storable], unit: _Unit, writer: Writer, run: TurnRun, tick: float) -> None:
    """Ledger entries: the stages of each turn, and one entry for everything stored."""
    now = run.engine.clock.stamp()
    single = [record for record in records if not isinstance(record, Turn)]
    for position, record in enumerate(records):
        if isinstance(record, Turn) and not _changed_nothing(record.stored):
            records[position] = _log_turn(record, unit, writer, run, tick)
    if single:
        ids = [getattr(record, "id", None) for record in single]
        summary: dict[str, object] = {"count": len(single), "first": ids[0], "last": ids[-1]}
        if unit.verdicts:
            summary["decisions"] = [decision_entry(verdict) for verdict in unit.verdicts]
        writer.add_event(Event(name="stored", at=now, data=summary))


def _entry(verdict: Verdict, turn: Turn, unit: _Unit) -> dict[str, object]:
    """A verdict for the ledger, with the changes that it made, so that the turn can be undone."""
    entry = decision_entry(verdict)
    before = unit.before.get((turn.id, verdict.id or ""))
    if verdict.decision == "reinforce" and before is not None:
        entry["before"] = before
    return entry


def _log_turn(turn: Turn, unit: _Unit, writer: Writer, run: TurnRun, tick: float) -> Turn:
    """Ledger entries of all stages; of `plan` only if that did not save the plan itself."""
    entry = step(
        run.engine,
        "store",
        tick,
        inputs=[turn.stored_id],
        outputs=[v.id for v in turn.stored if v.id],
        detail={"decisions": [_entry(verdict, turn, unit) for verdict in turn.stored]},
    )
    turn = structs.replace(turn, trace=[*turn.trace, entry])
    log_store(turn, entry, run)
    now = run.engine.clock.stamp()
    planned = turn.id in unit.planned
    stages = [item for item in turn.trace if not (planned and item.stage == "plan")]
    entries = [("stage", item.at, to_builtins(item)) for item in stages]
    entries += [("issue", now, structs.asdict(problem)) for problem in turn.issues]
    writer.add_event(
        *(
            Event(name=name, at=at, turn=turn.id, session=turn.session, data=data)
            for name, at, data in entries
        )
    )
    return turn


def _changed_nothing(verdicts: Sequence[Verdict]) -> bool:
    """True for a turn that was stored already and added nothing."""
    known = any(verdict.rule == "same_id" for verdict in verdicts)
    return known and all(verdict.decision == "exists" for verdict in verdicts)


def _with_issue(records: list[Storable], problem: Exception, run: TurnRun) -> list[Storable]:
    """Turns with the issue of missing embeddings; other records have no field for it."""
    if not any(isinstance(record, Turn) for record in records):
        report_unembedded("stage store: embedding", problem, run)
    return _with_issues(records, issue("store", problem))


def _with_issues(records: list[Storable], found: Issue) -> list[Storable]:
    """The records, with issues added to turns."""
    return [
        structs.replace(record, issues=[*record.issues, found])
        if isinstance(record, Turn)
        else record
        for record in records
    ]
