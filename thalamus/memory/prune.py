"""prune: decides what goes, sums it up, and retires it in one transaction.

What ``plan`` decides is what a dry run shows and what ``prune`` does: it is the same object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.clock import days_later
from thalamus.context import Context, issue
from thalamus.memory.embeddings import embed
from thalamus.memory.summarize import Summarizer, summarize_memories, summarize_session
from thalamus.policy import retention
from thalamus.policy.admit import limited
from thalamus.policy.condense import Decision, Removal, groups, squeeze
from thalamus.records import Batch, Event, Issue, Link, Memory, Verdict

if TYPE_CHECKING:
    from thalamus.policy.retention import Rules
    from thalamus.storage.protocol import Store, Vector, Writer

PURGED_AT_ONCE = 5000  # memories deleted in one transaction


@dataclass(frozen=True)
class PruneOptions:
    """What is asked for: ``kinds`` only these; ``most`` how many memories may be left (0: any
    number); ``sessions``: sum up finished ones; ``use_model``: else by their best sentences."""

    kinds: Sequence[str] = ()
    most: int = 0
    sessions: bool = False
    use_model: bool = True


@dataclass(frozen=True)
class PrunePlan:
    """What goes, by id; the sessions to sum up; the batches whose time to undo is over."""

    now: str
    live: int
    going: dict[str, Removal]
    sessions: list[str]
    overdue: list[str]

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.going or self.sessions or self.overdue)


@dataclass
class PruneResult:
    """What was done. ``batch``: by this name it is undone; None when nothing was changed."""

    batch: str | None = None
    kept: int = 0
    dropped: int = 0
    compressed: int = 0
    demoted: int = 0
    summaries: int = 0
    sessions: int = 0
    purged: int = 0
    by_model: int = 0
    refused: int = 0
    issues: list[Issue] = field(default_factory=list)


@dataclass(frozen=True)
class NewSummary:
    """A summary that is to be written, and the ids of what it came from."""

    memory: Memory
    sources: list[str]
    retires: bool


def plan(opened: Store, context: Context, rules: Rules, wish: PruneOptions) -> PrunePlan:
    """Decides, and changes nothing. Memories are looked at one after the other."""
    now = context.clock.stamp()
    going: list[Removal] = []
    staying: list[tuple[float, Removal]] = []
    for memory, use in opened.ageing(wish.kinds):
        signals = retention.Signals(use.recalled, use.recalled_at, use.active_at)
        judged = retention.verdict(memory, now, rules, signals)
        rule = retention.rule_for(rules, memory.type)
        if judged.decision != "keep":
            going.append(_going(memory, judged.decision, judged.rule, judged.reason))  # type: ignore[arg-type]
        elif wish.most and retention.may_go(memory, rule):
            worth = retention.value(memory, now, rule, signals)
            what: Decision = "drop" if rule.then == "drop" else "compress"
            reason = f"more than {wish.most} memories, and it is worth {worth:.3f}"
            staying.append((worth, _going(memory, what, "pressure", reason)))
    live = opened.count_active()
    if wish.most:
        going = squeeze(live, going, staying, wish.most)
    return PrunePlan(
        now=now,
        live=live,
        going={item.id: item for item in going},
        sessions=opened.idle_sessions(days_later(now, -1)) if wish.sessions else [],
        overdue=_overdue(opened, now, context.config.undo_days),
    )


def verdicts(
    decided: PrunePlan, opened: Store, rules: Rules, wish: PruneOptions
) -> Iterator[Verdict]:
    """One for each memory that was looked at, then one for each session and each memory that is
    deleted for good."""
    for memory, use in opened.ageing(wish.kinds):
        signals = retention.Signals(use.recalled, use.recalled_at, use.active_at)
        item = decided.going.get(memory.id or "")
        if item is None:
            yield retention.verdict(memory, decided.now, rules, signals)
        else:
            yield Verdict(
                decision=item.decision,
                rule=item.rule,
                reason=item.reason,
                id=item.id,
                content=memory.content,
            )
    for session in decided.sessions:
        reason = "the session is over and is summed up"
        yield Verdict(decision="add", rule="session", reason=reason, content=session)
    for batch in decided.overdue:
        for id in opened.batch_items(batch).retired:
            reason = f"retired by {batch}, which can no longer be undone"
            yield Verdict(decision="forget", rule="purge", reason=reason, id=id)


def prune(
    decided: PrunePlan, opened: Store, context: Context, rules: Rules, wish: PruneOptions
) -> PruneResult:
    """Does what was decided; the caller holds ``Store.exclusive``. Raises ``StoreBusy`` or
    ``StoreFull``; then nothing was changed but what was purged."""
    done = PruneResult()
    condenser = Summarizer(context, wish.use_model)
    if decided.going or decided.sessions:
        _retire(decided, opened, context, rules, condenser, done)
    for batch in decided.overdue:
        done.purged += _purge(batch, opened, context)
    done.kept = decided.live - done.dropped - done.compressed
    done.by_model, done.refused = condenser.by_model, condenser.refused
    done.issues += condenser.issues
    return done


def _going(memory: Memory, decision: Decision, rule: str, reason: str) -> Removal:
    return Removal(
        id=memory.id or "",
        decision=decision,
        rule=rule,
        reason=reason,
        kind=memory.type,
        topic=memory.topic.casefold() if memory.topic else None,
        month=(memory.created_at or "")[:7],
        owner=(memory.user, memory.agent, memory.sensitivity),
    )


def _retire(
    decided: PrunePlan,
    opened: Store,
    context: Context,
    rules: Rules,
    condenser: Summarizer,
    done: PruneResult,
) -> None:
    """Everything that takes long comes first; then one transaction in which each group is looked
    at once more, for others may have written meanwhile."""
    ids = list(decided.going)
    count = len(opened.batches())
    batch = Batch(
        id=context.clock.new_id("prune", count, len(ids), *ids[:1], *decided.sessions[:1]),
        at=decided.now,
        action="prune",
    )
    made = list(_summaries(decided, opened, context, rules, condenser, batch))
    vectors = _vectors(made, opened, context, done)
    plain = [item for item in decided.going.values() if item.decision != "compress"]
    with opened.writing() as writer:
        writer.begin_batch(batch)
        for one in made:
            _write(one, vectors, writer, batch, done)
        dropped = [item.id for item in plain if item.decision == "drop"]
        done.dropped = writer.retire(dropped, batch.id)
        for item in plain:
            if item.decision == "demote":
                fields = {"importance": "low"}
                done.demoted += writer.change_memory(item.id, fields, batch.id)
        writer.add_event(Event(name="pruned", at=decided.now, data=_data(done, batch.id)))
    done.batch = batch.id


def _summaries(
    decided: PrunePlan,
    opened: Store,
    context: Context,
    rules: Rules,
    condenser: Summarizer,
    batch: Batch,
) -> Iterator[NewSummary]:
    for number, group in enumerate(groups(decided.going.values())):
        sources = opened.active_memories([item.id for item in group])
        if not sources:
            continue
        memory = summarize_memories(sources, condenser)
        yield _made(memory, [s.id or "" for s in sources], True, rules, context, batch, number)
    for session in decided.sessions:
        for number, (memory, turns) in enumerate(summarize_session(session, opened, condenser)):
            yield _made(memory, turns, False, rules, context, batch, session, number)


def _made(
    memory: Memory,
    sources: list[str],
    retires: bool,
    rules: Rules,
    context: Context,
    batch: Batch,
    *name: object,
) -> NewSummary:
    memory = structs.replace(
        memory,
        id=context.clock.new_id("mem", batch.id, *name),
        recorded_at=batch.at,
        scope=retention.rule_for(rules, memory.type).scope,
    )
    return NewSummary(memory, sources, retires)


def _vectors(
    made: list[NewSummary], opened: Store, context: Context, done: PruneResult
) -> dict[int, Vector]:
    vectors: dict[int, Vector] = {}
    step = context.config.batch_size
    for start in range(0, len(made), step):
        part = [one.memory for one in made[start : start + step]]
        found, problem = embed(part, context, opened)
        vectors |= found
        if problem is not None:
            done.issues.append(issue("embed", problem))
            break
    return vectors


def _write(
    one: NewSummary, vectors: dict[int, Vector], writer: Writer, batch: Batch, done: PruneResult
) -> None:
    """A summary with its links; only if all it came from is there still and may go."""
    if one.retires and not writer.retire(one.sources, batch.id, whole=True):
        return
    writer.add_memory(limited(one.memory)[0], vectors.get(id(one.memory)))
    for source in one.sources:
        writer.add_link(Link(source=one.memory.id or "", relation="derived_from", target=source))
    writer.note_created(one.memory.id or "", batch.id)
    if one.retires:
        done.summaries += 1
        done.compressed += len(one.sources)
    else:
        done.sessions += 1


def _data(done: PruneResult, batch: str) -> dict[str, object]:
    names = ("dropped", "compressed", "demoted", "summaries", "sessions")
    return {"batch": batch, **{name: getattr(done, name) for name in names}}


def _purge(batch: str, opened: Store, context: Context) -> int:
    """Deletes what a batch retired, some at a time: it can be interrupted and goes on later."""
    purged = 0
    while True:
        with opened.writing() as writer:
            gone = writer.purge(batch, PURGED_AT_ONCE)
            purged += gone
            if gone < PURGED_AT_ONCE:
                now = context.clock.stamp()
                writer.close_batch(batch, now)
                data = {"batch": batch, "purged": purged}
                writer.add_event(Event(name="purged", at=now, data=data))
                return purged


def _overdue(opened: Store, now: str, days: float) -> list[str]:
    """The batches that can no longer be undone, oldest first."""
    before = days_later(now, -days)
    return [batch.id for batch in reversed(opened.batches(undoable=True)) if batch.at < before]
