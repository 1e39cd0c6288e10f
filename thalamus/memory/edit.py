"""Correcting memories by hand: their words, their fields, pins, core. Each change can be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from thalamus.errors import UsageError
from thalamus.memory.embeddings import embed
from thalamus.memory.staleness import mark_dependents
from thalamus.memory.write import RecordProblem, Storable, link_source, normalize_times
from thalamus.policy import prompt_budget
from thalamus.policy.admission import with_limits
from thalamus.policy.retention import core_problem
from thalamus.records import IMPORTANCES, Batch, Event, Link, Memory
from thalamus.storage.protocol import is_hidden

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Store, Writer


def edit(memory: Memory, changes: Mapping[str, object], context: Context, opened: Store) -> Memory:
    """Changes fields in place; new ``content`` makes a new memory that supersedes this one, which
    stays reachable. Returns the memory as it is then. Raises ``UsageError``."""
    _check_active(memory, opened)
    changed = normalize_times(structs.replace(memory, **changes), ("expires_at",))
    if changed == memory:
        return memory
    _check_sensitivity(memory, changed)
    sealed = bool(opened.sealed([memory.id or ""]))
    if sealed and is_hidden(changed) and changed.topic != memory.topic:
        raise UsageError(f"{memory.id} is sealed, and its key is not here.")
    if changed.scope == "core" and memory.scope != "core":
        check_core(changed, context, opened)
    # the topic of a sealed memory is sealed with it, so a new one needs a new row
    if changed.content == memory.content and not (sealed and changed.topic != memory.topic):
        _change(memory, changed, "edit", context, opened)
        return changed
    return _supersede(memory, changed, context, opened)


def pin(memory: Memory, pinned: bool, context: Context, opened: Store) -> Memory:
    """Pins a memory, so that it is never pruned, or takes the pin away."""
    _check_active(memory, opened)
    changed = structs.replace(memory, pinned=pinned)
    if memory.pinned != pinned:
        _change(memory, changed, "pin" if pinned else "unpin", context, opened)
    return changed


def promote(memory: Memory, context: Context, opened: Store) -> Memory:
    """Makes a memory core: in every prompt. Raises ``UsageError`` when it may not be, or core is
    full."""
    _check_active(memory, opened)
    changed = structs.replace(memory, scope="core")
    if memory.scope != "core":
        check_core(changed, context, opened)
        _change(memory, changed, "promote", context, opened)
    return changed


def demote(memory: Memory, context: Context, opened: Store) -> Memory:
    """Core becomes archival; anything else loses a step of importance, down to low."""
    _check_active(memory, opened)
    if memory.scope == "core":
        changed = structs.replace(memory, scope="archival")
    else:
        lower = IMPORTANCES[max(0, IMPORTANCES.index(memory.importance) - 1)]
        changed = structs.replace(memory, importance=lower)
    if changed != memory:
        _change(memory, changed, "demote", context, opened)
    return changed


def check_core(
    memory: Memory, context: Context, opened: Store, more: Sequence[Memory] = ()
) -> None:
    """Raises ``UsageError`` when a memory may not be core, or there is no room: beside what is
    core and ``more``."""
    problem = core_problem(memory)
    if problem:
        raise UsageError(f"It cannot be core: {problem}.")
    there = opened.core_memories(memory.user, memory.agent, context.clock.stamp())
    core = [other for other in (*there, *more) if other.id != memory.id] + [memory]
    config = context.config
    if len(core) > config.core_limit:
        raise UsageError(
            f"Core is full: {len(core) - 1} memories, and core_limit is {config.core_limit}.",
            fix="Demote one (`thalamus memory --scope core` lists them), or raise core_limit.",
        )
    tokens = sum(prompt_budget.estimate_tokens(other.content) for other in core)
    if tokens > config.core_tokens:
        raise UsageError(
            f"Core would take {tokens} tokens, and core_tokens is {config.core_tokens}.",
            fix="Demote or shorten one, or raise core_tokens: every prompt carries them.",
        )


def check_core_records(records: Sequence[Storable], context: Context, opened: Store) -> None:
    """The same for records that are to be stored. Raises ``RecordProblem``."""
    before: list[Memory] = []
    for index, record in enumerate(records):
        if not isinstance(record, Memory) or record.scope != "core":
            continue
        if with_limits(record)[0].scope == "core":
            if record.id and opened.get(record.id) is not None:
                continue
            try:
                check_core(record, context, opened, before)
            except UsageError as error:
                raise RecordProblem("scope", str(error), index) from None
            before.append(record)


def _check_sensitivity(memory: Memory, changed: Memory) -> None:
    """What is stored was written in plain words, to files, backups and indexes, or it was sealed:
    neither is changed in place."""
    if changed.sensitivity == memory.sensitivity:
        return
    if changed.sensitivity == "personal":
        raise UsageError(
            "What is stored in plain words cannot be sealed afterwards.",
            fix=f"`thalamus forget {memory.id}`, then store it with `sensitivity: personal`.",
        )
    raise UsageError("What is sealed stays so; store it anew, and forget this one.")


def _check_active(memory: Memory, opened: Store) -> None:
    if memory.status == "active":
        return
    newer = [
        link.source
        for link in opened.links(memory.id or "")
        if link.relation == "supersedes" and link.target == memory.id
    ]
    fix = "`thalamus undo` brings back what was pruned." if memory.status == "retired" else ""
    if newer:
        fix = f"Its successor is {newer[-1]}."
    raise UsageError(f"{memory.id} is {memory.status} and is not changed any more.", fix=fix)


def _change(memory: Memory, changed: Memory, action: str, context: Context, opened: Store) -> None:
    fields = {
        name: getattr(changed, name)
        for name in ("type", "topic", "importance", "scope", "expires_at", "pinned")
        if getattr(changed, name) != getattr(memory, name)
    }
    with opened.writing() as writer:
        batch = _begin(memory, action, context, opened, writer)
        writer.change_memory(memory.id or "", fields, batch.id)
        data = {"batch": batch.id, "action": action, "id": memory.id, "fields": list(fields)}
        writer.add_event(Event(name="edited", at=batch.at, data=data))


def _supersede(memory: Memory, changed: Memory, context: Context, opened: Store) -> Memory:
    source = memory.provenance
    new = structs.replace(
        changed,
        id=context.clock.new_id("mem", memory.id, changed.content, len(opened.batches())),
        recorded_at=context.clock.stamp(),
        # the words are now the user's own; those of a file stay a file's
        trust=memory.trust if source is not None and source.document else 1.0,
        provenance=structs.replace(source, quote=None) if source is not None else None,
        salience=None,
        stale=None,
        embedding=UNSET,
        embedding_model=UNSET,
    )
    new, _ = with_limits(new)
    vectors, problem = embed([new], context, opened)
    if problem is not None:
        context.events.failed("edit: embedding", problem)
        context.unembedded = problem
    with opened.writing() as writer:
        batch = _begin(memory, "edit", context, opened, writer)
        writer.change_memory(memory.id or "", {"status": "superseded"}, batch.id)
        writer.add_memory(new, vectors.get(id(new)))
        writer.note_made(new.id or "", batch.id)
        mark_dependents(writer, [memory.id or ""], f"it was corrected [{memory.id}]")
        writer.add_link(Link(source=new.id or "", relation="supersedes", target=memory.id or ""))
        link_source(new, writer)
        data = {"batch": batch.id, "action": "edit", "id": new.id, "supersedes": memory.id}
        writer.add_event(Event(name="edited", at=batch.at, data=data))
    return new


def _begin(memory: Memory, action: str, context: Context, opened: Store, writer: Writer) -> Batch:
    name = (action, memory.id, len(opened.batches()))
    batch = Batch(id=context.clock.new_id(*map(str, name)), at=context.clock.stamp(), action=action)
    writer.begin_batch(batch)
    return batch
