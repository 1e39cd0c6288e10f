"""Pruning: selects memories to retire, summarizes them, and retires them in one transaction.

A dry run, the announcement and ``prune`` itself use the same object, made by ``plan`` from one view
of the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field, structs

from thalamus.clock import days_later
from thalamus.engine import Engine
from thalamus.memory.draft import Draft, save
from thalamus.memory.embeddings import embed
from thalamus.memory.retention.summarize import (
    Summarizer,
    source_text,
    summarize_memories,
    summarize_turns,
)
from thalamus.memory.retention.usage import active_memories, ageing
from thalamus.memory.sessions import idle_sessions, turns_to_sum_up
from thalamus.memory.stage_logs import delete_old
from thalamus.memory.undo.batches import (
    batch_items,
    change_memory,
    list_batches,
    note_created,
    purge,
    retire,
)
from thalamus.memory.user.projects import link_stored
from thalamus.memory.user.world import ACTION, close_changes, old_changes
from thalamus.memory.write import admit_memories
from thalamus.policy import retention
from thalamus.policy.speakers import CLIENT
from thalamus.policy.summarization import MOST, Decision, Removal, fit_budget, summary_groups
from thalamus.records import Event, Issue, Link, Memory, Verdict
from thalamus.records.ownership import Owner
from thalamus.records.reports import Batch
from thalamus.store import batches
from thalamus.store import memories as memory_rows
from thalamus.text.analyzer import fold
from thalamus.turn_run import TurnRun, issue

if TYPE_CHECKING:
    from thalamus.policy.retention import Rules
    from thalamus.store.base import Store
    from thalamus.store.writer import Writer

PURGED_AT_ONCE = 5000  # memories deleted in one transaction
TOO_LONG = f"its text is longer than a summary ({MOST} characters)"
AT_ONCE = 500  # memories whose content is read with one query


class PruneOptions(Struct, frozen=True):
    """Options: only these ``kinds``; ``most`` memories to leave (0: any number); summaries of
    finished ``sessions``; written by a model or in the words of their sources."""

    kinds: Sequence[str] = ()
    most: int = 0
    sessions: bool = False
    use_model: bool = True


class PrunePlan(Struct, frozen=True):
    """A plan: removals, by id; sessions to summarize; batches whose undo period is over;
    ``worlds``: changes of the world state whose undo period is over too, so that their states need
    not be kept. ``judged`` has (decision, rule, reason) of every reported memory, in the order of
    examination."""

    now: str
    live: int = 0
    removals: dict[str, Removal] = field(default_factory=dict)
    sessions: list[str] = field(default_factory=list)
    overdue: list[str] = field(default_factory=list)
    worlds: list[str] = field(default_factory=list)
    judged: dict[str, tuple[Decision | Literal["keep"], str, str]] = field(default_factory=dict)

    @property
    def nothing(self) -> bool:
        """True when there is nothing to do."""
        return not (self.removals or self.sessions or self.overdue or self.worlds)


class PruneResult(Struct):
    """Result of a run. ``batch``: the id for undo; None when nothing was changed. ``logs``: number
    of stage logs deleted because they are older than ``log_days``."""

    batch: str | None = None
    kept: int = 0
    dropped: int = 0
    compressed: int = 0
    demoted: int = 0
    summaries: int = 0
    sessions: int = 0
    purged: int = 0
    logs: int = 0
    by_model: int = 0
    refused: int = 0
    issues: list[Issue] = field(default_factory=list)


class NewSummary(Struct, frozen=True):
    """A summary to be written, and the ids of its sources, which it ``retires`` or leaves
    unchanged."""

    draft: Draft[Memory]
    sources: list[str]
    retires: bool


def plan(
    run: TurnRun,
    rules: Rules,
    options: PruneOptions,
    *,
    everything: bool = False,
) -> PrunePlan:
    """Plans a run without changing anything. Memories are read one by one in one pass; with
    ``everything`` the plan reports the ones that stay as well."""
    store = run.engine.store
    now, zone = run.engine.clock.stamp(), run.zone
    due: list[Removal] = []
    spare: list[tuple[float, Removal]] = []
    judged: dict[str, tuple[Decision | Literal["keep"], str, str]] = {}
    reached = 0
    for memory, use in ageing(store, options.kinds):
        reached += 1
        signals = retention.Signals(use.recalled, use.recalled_at, use.active_at)
        verdict = retention.verdict(memory, now, rules, signals, zone)
        rule = retention.rule_for(rules, memory.type)
        if verdict.decision == "compress" and len(source_text(memory)) > MOST:
            verdict = structs.replace(verdict, decision="keep", rule="long", reason=TOO_LONG)
        worth = retention.value(memory, now, rule, signals)
        if verdict.decision != "keep":
            due.append(_removal(memory, verdict.decision, verdict.rule, verdict.reason, worth))  # type: ignore[arg-type]
        elif options.most and retention.may_be_removed(memory, rule):
            decision: Decision = "drop" if rule.then == "drop" else "compress"
            reason = f"more than {options.most} memories, its value is {worth:.3f}"
            spare.append((worth, _removal(memory, decision, "pressure", reason, worth)))
        if everything or verdict.decision != "keep" or options.most:
            judged[memory.stored_id] = verdict.decision, verdict.rule, verdict.reason  # type: ignore[assignment]
    # one user's memories make room for one another only
    owned = store.owner != Owner() and not options.kinds
    live = reached if owned else memory_rows.count_active(store)
    if options.most:
        due = fit_budget(live, due, spare, options.most)
    removals = {item.id: item for item in due}
    judged |= {item.id: (item.decision, item.rule, item.reason) for item in due}
    if not everything:
        judged = {id: found for id, found in judged.items() if id in removals}
    overdue = _overdue(store, now, run.engine.config.undo_days)
    return PrunePlan(
        now=now,
        live=live,
        removals=removals,
        sessions=idle_sessions(store, days_later(now, -retention.IDLE)) if options.sessions else [],
        overdue=[batch.id for batch in overdue if batch.action != ACTION],
        worlds=old_changes(store, days_later(now, -run.engine.config.undo_days)),
        judged=judged,
    )


def verdicts(decided: PrunePlan, store: Store) -> Iterator[Verdict]:
    """One verdict for each reported memory, then one for each session and each purged memory.
    Nothing is evaluated a second time."""
    ids = list(decided.judged)
    for start in range(0, len(ids), AT_ONCE):
        part = ids[start : start + AT_ONCE]
        contents = {memory.id: memory.content for memory in active_memories(store, part)}
        for id in part:
            decision, rule, reason = decided.judged[id]
            content = contents.get(id)
            if content is None:  # encrypted without its key, or deleted meanwhile
                memory = store.get(id)
                content = memory.content if isinstance(memory, Memory) else ""
            yield Verdict(decision=decision, rule=rule, reason=reason, id=id, content=content)
    for session in decided.sessions:
        reason = "the session is over and is summarized"
        yield Verdict(decision="add", rule="session", reason=reason, content=session)
    for batch in decided.overdue:
        for id in batch_items(store, batch).retired:
            reason = f"retired by {batch}, which can no longer be undone"
            yield Verdict(decision="forget", rule="purge", reason=reason, id=id)


def run(
    run: TurnRun, options: PruneOptions, on_verdict: Callable[[Verdict], None] | None = None
) -> PruneResult:
    """Plans and prunes, one process at a time. ``on_verdict`` is called with each decision before
    anything is changed. Raises ``StoreBusy`` and ``StoreFull``."""
    rules = run.engine.rules()
    with run.engine.store.exclusive("prune"):
        decided = plan(run, rules, options)
        if on_verdict is not None:
            for verdict in verdicts(decided, run.engine.store):
                on_verdict(verdict)
        return prune(decided, run, rules, options)


def prune(decided: PrunePlan, run: TurnRun, rules: Rules, options: PruneOptions) -> PruneResult:
    """Carries out a plan; the caller holds ``Store.exclusive``. Raises ``StoreBusy`` or
    ``StoreFull``, in which case nothing but the purge was done."""
    store = run.engine.store
    result = PruneResult()
    summarizer = Summarizer(run, options.use_model)
    if decided.removals or decided.sessions:
        _retire(decided, "prune", run, rules, summarizer, result)
    for batch in decided.overdue:
        result.purged += _purge(batch, run.engine)
    if decided.worlds:
        with store.writing() as writer:
            close_changes(writer, decided.worlds, run.engine.clock.stamp())
    result.logs = delete_old(store, decided.now, run.engine.config.log_days)
    result.kept = decided.live - result.dropped - result.compressed
    return _with_counts(result, summarizer)


def summarize_sessions(run: TurnRun, use_model: bool = True, within: float = inf) -> PruneResult:
    """Summarizes sessions idle for a day, in a batch of its own, and retires nothing: the newest
    first, and none is begun after ``within`` seconds. Raises ``StoreBusy`` and ``StoreFull``."""
    result, now = PruneResult(), run.engine.clock.stamp()
    summarizer = Summarizer(run, use_model, within)
    with run.engine.store.exclusive("prune"):
        sessions = idle_sessions(run.engine.store, days_later(now, -retention.IDLE))
        if sessions:
            decided = PrunePlan(now=now, sessions=sessions[::-1])
            _retire(decided, "summarize", run, run.engine.rules(), summarizer, result)
    return _with_counts(result, summarizer)


def _with_counts(result: PruneResult, summarizer: Summarizer) -> PruneResult:
    """The result with how the summaries were written."""
    result.by_model, result.refused = summarizer.by_model, summarizer.refused
    result.issues += summarizer.issues
    return result


def _removal(memory: Memory, decision: Decision, rule: str, reason: str, worth: float) -> Removal:
    client = str(memory.metadata.get(CLIENT) or "")
    return Removal(
        id=memory.stored_id,
        decision=decision,
        rule=rule,
        reason=reason,
        kind=memory.type,
        topic=fold(memory.topic) if memory.topic else None,
        month=(memory.created_at or "")[:7],
        owner=(memory.user, memory.agent, memory.sensitivity, client),
        length=len(source_text(memory)),
        value=worth,
    )


def _retire(
    decided: PrunePlan,
    action: str,
    run: TurnRun,
    rules: Rules,
    summarizer: Summarizer,
    result: PruneResult,
) -> None:
    """Does everything slow first; then one transaction in which each group is checked again,
    because others may have written meanwhile."""
    store = run.engine.store
    ids = list(decided.removals)
    count = batches.count(store)
    batch = Batch(
        id=run.engine.clock.new_id(action, count, len(ids), *ids[:1], *decided.sessions[:1]),
        at=decided.now,
        action=action,
    )
    summaries = list(_summaries(decided, run.engine, rules, summarizer, batch, result))
    _embed(summaries, run, result)
    plain = [item for item in decided.removals.values() if item.decision != "compress"]
    if not (summaries or plain):
        return
    with store.writing() as writer:
        batches.add(writer, batch)
        for one in summaries:
            _write(one, writer, run.engine, batch, result)
        dropped = [item.id for item in plain if item.decision == "drop"]
        result.dropped = retire(writer, dropped, batch.id)
        for item in plain:
            if item.decision == "demote":
                fields = {"importance": "low"}
                result.demoted += change_memory(writer, item.id, fields, batch.id)
        name = "pruned" if action == "prune" else "sessions_summarized"
        writer.add_event(Event(name=name, at=decided.now, data=_data(result, batch.id)))
    result.batch = batch.id


def _summaries(
    decided: PrunePlan,
    engine: Engine,
    rules: Rules,
    summarizer: Summarizer,
    batch: Batch,
    result: PruneResult,
) -> Iterator[NewSummary]:
    """Summaries that pass the gate for writing; ``done`` gets an issue for each other one, whose
    sources are left unchanged."""
    store = engine.store

    def admitted(memory: Memory, *name: object) -> Draft[Memory]:
        memory.id = engine.clock.new_id("mem", batch.id, *name)
        memory.recorded_at = batch.at
        memory.scope = retention.rule_for(rules, memory.type).scope
        return admit_memories([memory], engine, machine_made=True)[0]

    for number, group in enumerate(summary_groups(decided.removals.values())):
        sources = active_memories(store, [item.id for item in group])
        if not sources:
            continue
        draft = admitted(summarize_memories(sources, summarizer), number)
        # a quarantined summary does not replace its sources
        if draft.refused or draft.record.status != "active":
            result.issues.append(_refusal(draft, f"{len(sources)} memories were left as they are"))
        else:
            yield NewSummary(draft, [source.stored_id for source in sources], True)
    for session in decided.sessions:
        if summarizer.late:
            return
        unsummarized = turns_to_sum_up(store, session)
        parts = summarize_turns(unsummarized, session, store, summarizer)
        for number, (memory, turns) in enumerate(parts):
            draft = admitted(memory, session, number)
            if draft.refused:
                result.issues.append(_refusal(draft, "the session was not summed up"))
            else:
                yield NewSummary(draft, turns, False)


def _refusal(draft: Draft[Memory], consequence: str) -> Issue:
    reason = draft.verdict.reason if draft.verdict is not None else ""
    note = f"a summary was refused ({reason}); {consequence}"
    return Issue(stage="before_write", code="refused", message=note)


def _embed(summaries: list[NewSummary], run: TurnRun, result: PruneResult) -> None:
    step = run.engine.config.batch_size
    for start in range(0, len(summaries), step):
        problem = embed([one.draft for one in summaries[start : start + step]], run)
        if problem is not None:
            result.issues.append(issue("embed", problem))
            break


def _write(
    one: NewSummary, writer: Writer, engine: Engine, batch: Batch, result: PruneResult
) -> None:
    """Writes a summary with its links, if all its sources still exist and may be retired."""
    if one.retires and not retire(writer, one.sources, batch.id, whole=True):
        return
    memory = save(one.draft, writer, engine)
    for source in one.sources:
        writer.add(Link(source=memory.stored_id, relation="derived_from", target=source))
    link_stored([memory], writer)
    note_created(writer, memory.stored_id, batch.id)
    if one.retires:
        result.summaries += 1
        result.compressed += len(one.sources)
    else:
        result.sessions += 1


def _data(result: PruneResult, batch: str) -> dict[str, object]:
    names = ("dropped", "compressed", "demoted", "summaries", "sessions")
    return {"batch": batch, **{name: getattr(result, name) for name in names}}


def _purge(batch: str, engine: Engine) -> int:
    """Deletes the memories that a batch retired, in steps: an interrupted purge continues later."""
    purged = 0
    while True:
        with engine.store.writing() as writer:
            deleted = purge(writer, batch, PURGED_AT_ONCE)
            purged += deleted
            if deleted < PURGED_AT_ONCE:
                now = engine.clock.stamp()
                batches.mark_purged(writer, [batch], now)
                data = {"batch": batch, "purged": purged}
                writer.add_event(Event(name="purged", at=now, data=data))
                return purged


def _overdue(store: Store, now: str, days: float) -> list[Batch]:
    """Batches that can no longer be undone, oldest first."""
    before = days_later(now, -days)
    undoable = list_batches(store, undoable=True)
    return [batch for batch in reversed(undoable) if batch.at < before]
