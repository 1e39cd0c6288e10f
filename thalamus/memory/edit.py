"""Edits of memories by hand: correcting, pinning, promoting to core. Each change can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import UNSET, ValidationError, convert, structs, to_builtins

from thalamus.errors import RecordProblem, UsageError
from thalamus.logs import logger
from thalamus.memory.draft import Draft, save
from thalamus.memory.embeddings import embed, report_unembedded
from thalamus.memory.mark_stale import mark_dependents
from thalamus.memory.normalize import check_blank, check_texts, normalize_times
from thalamus.memory.sources.governance import judge_edited
from thalamus.memory.standing.core import check_core
from thalamus.memory.undo.batches import change_memory, note_created
from thalamus.memory.user.projects import link_stored
from thalamus.memory.views.explain import links
from thalamus.memory.write import admit_memories
from thalamus.policy.persona import with_marks
from thalamus.policy.reconciliation import GAIN
from thalamus.policy.speakers import without_client
from thalamus.records import IMPORTANCES, Event, Link, Memory
from thalamus.records.reports import Batch
from thalamus.store import batches
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption import contents
from thalamus.store.encryption.sources import encrypt

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.base import Store
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

log = logger(__name__)
# fields that are changed in place
_FIELDS = ("type", "topic", "importance", "scope", "expires_at", "pinned")
_CONFIRMED = ("strength", "seen", "seen_at", "stale", "valid_to")


def edit(memory: Memory, changes: Mapping[str, object], run: TurnRun) -> Memory:
    """Changes fields in place; new ``content`` creates a memory that supersedes this one, which
    stays reachable. Returns the resulting memory. Raises ``UsageError``."""
    store = run.engine.store
    _check_active(memory, store)
    changed = _checked(memory, changes)
    if changed == memory:
        return memory
    changed.metadata = with_marks(changed)
    _check_sensitivity(memory, changed)
    encrypted = bool(contents.ids(store, [memory.stored_id]))
    if encrypted and is_hidden(changed) and changed.topic != memory.topic:
        raise UsageError(f"{memory.id} is encrypted, and its key is missing.")
    if changed.scope == "core" and memory.scope != "core":
        check_core(changed, run.engine)
    # the topic of an encrypted memory is encrypted with it, so a new one needs a new row
    # and type-specific metadata is part of the row's identity
    new_row = (encrypted and changed.topic != memory.topic) or changed.metadata != memory.metadata
    if changed.content == memory.content and not new_row:
        changed = _with_plugins(memory, changed, run.engine)
        if changed.content == memory.content:
            _change(memory, changed, "edit", run)
            return changed
    return _supersede(memory, changed, run)


def _checked(memory: Memory, changes: Mapping[str, object]) -> Memory:
    """A memory with valid changes. Raises ``UsageError``."""
    if unknown := [name for name in changes if name not in ("content", "sensitivity", *_FIELDS)]:
        raise UsageError(f"`{unknown[0]}` of a memory cannot be edited.")
    try:
        changed = normalize_times(structs.replace(memory, **changes), ("expires_at",))
        changed = convert(to_builtins(changed), Memory)
        check_texts(changed)
        check_blank(changed)
    except ValidationError as error:
        raise UsageError(str(error).replace("`$.", "`")) from None
    except RecordProblem as problem:
        raise UsageError(f"`{problem.field}`: {problem.problem}") from None
    return changed


def pin(memory: Memory, pinned: bool, run: TurnRun) -> Memory:
    """Pins a memory, which exempts it from pruning, or unpins it."""
    _check_active(memory, run.engine.store)
    changed = structs.replace(memory, pinned=pinned)
    if memory.pinned != pinned:
        _change(memory, changed, "pin" if pinned else "unpin", run)
    return changed


def confirm(memory: Memory, run: TurnRun) -> Memory:
    """Records that a memory is still true, as if it had been said again now, and removes a mark
    that it no longer holds, with the end that came with it."""
    _check_active(memory, run.engine.store)
    changed = structs.replace(
        memory,
        strength=memory.strength + GAIN,
        seen=memory.seen + 1,
        seen_at=run.engine.clock.stamp(),
        stale=None,
        valid_to=None if memory.stale else memory.valid_to,
    )
    _change(memory, changed, "confirm", run)
    return changed


def promote(memory: Memory, run: TurnRun) -> Memory:
    """Makes a memory core: in every prompt. Raises ``UsageError`` when it may not be core, or core
    is full."""
    _check_active(memory, run.engine.store)
    changed = structs.replace(memory, scope="core")
    if memory.scope != "core":
        check_core(changed, run.engine)
        _change(memory, changed, "promote", run)
    return changed


def demote(memory: Memory, run: TurnRun) -> Memory:
    """Makes a core memory archival; any other loses one step of importance, down to low."""
    _check_active(memory, run.engine.store)
    if memory.scope == "core":
        changed = structs.replace(memory, scope="archival")
    else:
        lower = IMPORTANCES[max(0, IMPORTANCES.index(memory.importance) - 1)]
        changed = structs.replace(memory, importance=lower)
    if changed != memory:
        _change(memory, changed, "demote", run)
    return changed


def _check_sensitivity(memory: Memory, changed: Memory) -> None:
    """Raises ``UsageError`` for a memory that would be stored in plain text and was encrypted."""
    if changed.sensitivity == "normal" and memory.sensitivity == "personal":
        raise UsageError(
            "An encrypted memory cannot be decrypted; store it again and forget this one."
        )


def _check_active(memory: Memory, store: Store) -> None:
    if memory.status == "active":
        return
    newer = [
        link.source
        for link in links(store, memory.stored_id)
        if link.relation == "supersedes" and link.target == memory.id
    ]
    fix = "`thalamus undo` restores pruned memories." if memory.status == "retired" else ""
    if newer:
        fix = f"It was superseded by {newer[-1]}."
    raise UsageError(f"{memory.id} is {memory.status} and cannot be changed.", fix=fix)


def _change(memory: Memory, changed: Memory, action: str, run: TurnRun) -> None:
    fields = {
        name: getattr(changed, name)
        for name in (*_FIELDS, *_CONFIRMED)
        if getattr(changed, name) != getattr(memory, name)
    }
    with run.engine.store.writing() as writer:
        batch = _begin(memory, action, run.engine, writer)
        change_memory(writer, memory.stored_id, fields, batch.id)
        if changed.sensitivity != memory.sensitivity:
            encrypt(writer, {memory.stored_id: "memory"})
        data = {"batch": batch.id, "action": action, "id": memory.id, "fields": list(fields)}
        writer.add_event(Event(name="edited", at=batch.at, data=data))


def _with_plugins(memory: Memory, changed: Memory, engine: Engine) -> Memory:
    """Applies plugins to new words of a memory that is otherwise unchanged. Raises ``UsageError``
    when one refuses them."""
    if (changed.topic, changed.type) == (memory.topic, memory.type):
        return changed
    admitted = _admitted(changed, engine).record
    names = ("content", "sensitivity", *_FIELDS)
    return structs.replace(changed, **{name: getattr(admitted, name) for name in names})


def _admitted(memory: Memory, engine: Engine) -> Draft[Memory]:
    """Passes the memory through the gate. Raises ``UsageError`` when it is refused: a correction by
    hand must not end up in quarantine."""
    [draft] = admit_memories([memory], engine)
    if draft.verdict is not None and (draft.refused or draft.record.status != "active"):
        raise UsageError(f"It was not changed: {draft.verdict.reason}.")
    return draft


def _supersede(memory: Memory, changed: Memory, run: TurnRun) -> Memory:
    store = run.engine.store
    source = memory.provenance
    new = structs.replace(
        changed,
        id=run.engine.clock.new_id("mem", memory.id, changed.content, batches.count(store)),
        recorded_at=run.engine.clock.stamp(),
        # the words are now the user's own; words from a file keep their source
        trust=memory.trust if source is not None and source.document else 1.0,
        metadata=without_client(changed.metadata),
        provenance=structs.replace(source, quote=None) if source is not None else None,
        salience=None,
        stale=None,
        embedding=UNSET,
        embedding_model=UNSET,
    )
    draft = _admitted(new, run.engine)
    problem = embed([draft], run)
    if problem is not None:
        report_unembedded("edit: embedding", problem, run)
    with store.writing() as writer:
        batch = _begin(memory, "edit", run.engine, writer)
        change_memory(writer, memory.stored_id, {"status": "superseded"}, batch.id)
        new = save(draft, writer, run.engine)
        note_created(writer, new.stored_id, batch.id)
        mark_dependents(writer, [memory.stored_id], f"corrected [{memory.id}]")
        for issue in judge_edited(memory, writer, run.engine):
            log.warning("%s. %s", issue.message, issue.fix)
        writer.add(Link(source=new.stored_id, relation="supersedes", target=memory.stored_id))
        if source is not None and source.turn:
            writer.add(Link(source=new.stored_id, relation="supersedes", target=source.turn))
        link_stored([new], writer)
        if new.sensitivity == "personal":
            encrypt(writer, {memory.stored_id: "memory"})
        data = {"batch": batch.id, "action": "edit", "id": new.id, "supersedes": memory.id}
        writer.add_event(Event(name="edited", at=batch.at, data=data))
    return new


def _begin(memory: Memory, action: str, engine: Engine, writer: Writer) -> Batch:
    name = (action, memory.id, batches.count(engine.store))
    batch = Batch(id=engine.clock.new_id(*map(str, name)), at=engine.clock.stamp(), action=action)
    batches.add(writer, batch)
    return batch
