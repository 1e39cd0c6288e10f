"""The world state of a user: loading and repair, changes in a unit of work, and undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import DecodeError, structs

from thalamus.errors import UsageError
from thalamus.events import WorldCommitted
from thalamus.logs import logger
from thalamus.names import normal_name
from thalamus.policy.world_operations import apply, changes, field_of, repair, with_value
from thalamus.records import Event, Issue, Link, Turn, World, WorldChange, WorldOperation
from thalamus.store import batches as batch_rows
from thalamus.store import records
from thalamus.store import world as world_rows
from thalamus.store.encrypted import is_hidden

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

log = logger(__name__)

ACTION = "world"  # of its batches
AT_ONCE = 200  # changes read at a time
_FIX = "`thalamus world show` shows what is left of it, `thalamus world apply` changes it."
_LOST = "`thalamus key show` says where the keys are; the next change begins a new state."


def load_world(reader: Reader | None, user: str | None) -> tuple[World, list[Issue]]:
    """World state of a user (None: shared), and an issue for each invalid field, which is replaced
    by its default. Empty without a store, or before the first change."""
    if reader is None:
        return World(user=user), []
    return _loaded(reader, user, lambda: world_rows.states(reader, user))


def world_of(run: TurnRun) -> tuple[World, list[Issue]]:
    """World state of the user of a run as it was when first read in it, with its issues; empty if
    it cannot be read, which the stages that need the store report."""
    try:
        store = run.engine.memory_store
        if store is not None:
            return _loaded(store, run.user, run.world_states)
    except Exception as error:
        log.info("the world state is not read: %s", error)
    return World(user=run.user), []


def _loaded(
    reader: Reader, user: str | None, states: Callable[[], Sequence[World]]
) -> tuple[World, list[Issue]]:
    empty = World(user=user)
    try:
        found = states()
    except (DecodeError, ValueError) as error:  # also for values that do not fit the fields
        return empty, [_issue("damaged_world", f"the world state cannot be read: {error}", _FIX)]
    if not found:
        return empty, []
    readable = [world for world in found if not is_hidden(world)]
    if not readable:
        message = "the world state is encrypted, and its key is not here"
        return empty, [_issue("hidden_world", message, _LOST)]
    repaired = [repair(structs.asdict(world)) for world in readable]
    text = "the world state was repaired: "
    issues = [
        _issue("damaged_world", text + problem, _FIX) for _, found in repaired for problem in found
    ]
    world = merged([world for world, _ in repaired])
    return _with_project(structs.replace(world, user=user), reader), issues


def merged(worlds: Sequence[World]) -> World:
    """One state of several, the newest first: that one, with what only the others have."""
    newest, *others = worlds
    for other in others:
        newest = structs.replace(
            newest,
            project=newest.project or other.project,
            timezone=newest.timezone or other.timezone,
            goals=[*dict.fromkeys([*newest.goals, *other.goals])],
            entities=other.entities | newest.entities,
        )
    return newest


def applied(world: World, operations: Sequence[WorldOperation], reader: Reader | None) -> World:
    """A state after operations, all of them or none. Raises ``InvalidOperation``."""
    return _with_project(apply(world, operations), reader)


def _with_project(world: World, reader: Reader | None) -> World:
    """A state that names its project as the record of it does, where there is one."""
    if reader is None or not world.project:
        return world
    from thalamus.memory.user.projects import named_project  # few states name one

    project = named_project(reader, world.project, world.user)
    if project is None or project.name == world.project:
        return world
    return structs.replace(world, project=project.name)


def _issue(code: str, message: str, fix: str) -> Issue:
    return Issue(stage="world", code=code, message=message, fix=fix)


# -- changing --------------------------------------------------------------------------------------


def commit_operations(
    writer: Writer,
    operations: Sequence[WorldOperation],
    turn: str | None,
    user: str | None,
    now: str,
    clock: Clock,
    *,
    session: str | None = None,
) -> WorldChange | None:
    """Applies operations to the user's current world state in this unit of work, and stores the
    change with its batch (none for topics alone), a link to the ``turn`` and a ledger entry. None
    when nothing changes. Raises ``InvalidOperation``, in which case nothing was written."""
    change = change_of(writer, operations, user, now)
    if change is None:
        return None
    id = clock.new_id("wch", user, turn, now, world_rows.last_key(writer))
    assert change.after is not None
    put_world(change.after, writer)
    # topics change with every message: nobody wants to undo that, and such batches would
    # hide all others from `undo`
    change = structs.replace(change, id=id, turn=turn)
    if any(field_of(operation) != "topics" for operation in operations):
        from thalamus.memory.undo.batches import new_batch

        change = structs.replace(change, batch=new_batch(ACTION, writer, clock, id))
    writer.add(change, new=True)
    if turn is not None:
        writer.add(Link(source=id, relation="derived_from", target=turn))
    data = {"change": id, "batch": change.batch, **_described(operations)}
    writer.add_event(Event(name="world_changed", at=now, turn=turn, session=session, data=data))
    return change


def apply_operations(operations: Sequence[WorldOperation], run: TurnRun) -> WorldChange | None:
    """Applies operations to the current user's world state, in a transaction of its own. Raises as
    ``commit_operations``, and what writing raises."""
    store = run.engine.create_store()
    user = run.engine.config.user or None
    with store.writing() as writer:
        change = commit_operations(writer, operations, None, user, writer.now, run.engine.clock)
    if change is not None:
        run.emit(WorldCommitted, change=change)
    return change


def fading(turn: Turn, reader: Reader) -> list[WorldOperation]:
    """The operation of a message without one on topics: those that it mentions are strong again,
    the others lose weight. None for small talk, and for a turn from before the last change."""
    from thalamus.policy.salience import small_talk
    from thalamus.policy.timeline import moment
    from thalamus.text.statements import share_said

    operations = turn.world_operations or ()
    if small_talk(turn.message) or any(field_of(one) == "topics" for one in operations):
        return []
    world, _ = load_world(reader, turn.user)
    if not world.topics or moment(turn.created_at or "") < moment(world.updated_at or ""):
        return []
    named = [topic for topic in world.topics if share_said(topic, turn.message) == 1]
    return [WorldOperation(op="merge", path="topics", value=named)]


def commit_of_turn(
    writer: Writer,
    operations: Sequence[WorldOperation],
    turn: str,
    user: str | None,
    clock: Clock,
    session: str | None = None,
) -> WorldChange | None:
    """Applies the operations of a turn, without those that it committed before, when its answer was
    stored and its reflection was still to come."""
    changes = world_rows.changes_of_turn(writer, turn)
    committed = [operation for change in changes for operation in change.operations]
    rest = list(operations)
    if rest[: len(committed)] == committed:
        rest = rest[len(committed) :]
    return commit_operations(writer, rest, turn, user, writer.now, clock, session=session)


def put_world(world: World, writer: Writer) -> None:
    """Replaces the stored world state of its user, under every spelling of the name."""
    user = normal_name(world.user or "") or None
    if user and (others := writer.spellings.of(user)[1:]):
        records.delete(writer, World, others)
    writer.put(structs.replace(world, user=user), owner=user or "")


def _described(operations: Iterable[WorldOperation]) -> dict[str, object]:
    """Operations for the ledger: without their words, which may be forgotten later."""
    found = list(operations)
    fields = sorted({field_of(operation) for operation in found})
    return {"operations": len(found), "fields": fields}


def put_imported(world: World, writer: Writer) -> bool:
    """Stores the world state of an export, unless a newer or equally new one is stored."""
    known = world_rows.updated(writer, world.user)
    if known is not None and known >= (world.updated_at or ""):
        return False
    put_world(world, writer)
    return True


def change_of(
    reader: Reader | None, operations: Sequence[WorldOperation], user: str | None, now: str
) -> WorldChange | None:
    """The change that operations would make, without an id; None when they would change nothing.
    Raises ``InvalidOperation``."""
    before, _ = load_world(reader, user)
    after = applied(before, operations, reader)
    if after == before:
        return None
    after = structs.replace(after, updated_at=now)
    return WorldChange(at=now, user=user, operations=list(operations), before=before, after=after)


# -- history ---------------------------------------------------------------------------------------


def history(reader: Reader, user: str | None, limit: int | None = None) -> list[WorldChange]:
    """Last changes of a user's world state, newest last, without those whose key is missing."""
    found = world_rows.changes(reader, user, limit)
    return [change for change in reversed(found) if not is_hidden(change)]


def operations_of(reader: Reader, batches: Sequence[str]) -> dict[str, list[WorldOperation]]:
    """Operations of the changes, by batch."""
    found = world_rows.changes_of_batches(reader, batches)
    return {change.batch or "": change.operations for change in found}


# -- undoing ---------------------------------------------------------------------------------------


def undo_change(writer: Writer, change: WorldChange, at: str) -> dict[str, int]:
    """Restores the previous values of a change, and marks it undone; returns the number of its
    operations. Topics changed since stay. Raises ``UsageError`` when something else was."""
    if change.before is None or change.after is None:
        raise UsageError(
            f"The world state before {change.batch or change.id} cannot be restored.",
            fix="It was forgotten, or its key is not here. `thalamus world apply` changes it.",
        )
    world, _ = load_world(writer, change.user)
    restored = _restored(change, world, writer)
    put_world(structs.replace(restored, user=change.user, updated_at=at), writer)
    writer.change(WorldChange, change.stored_id, undone_at=at)
    if change.batch is not None:
        batch_rows.mark_undone(writer, change.batch, at)
    return {"operations": len(change.operations)}


def _restored(change: WorldChange, world: World, reader: Reader) -> World:
    """The current state without a change."""
    assert change.before is not None and change.after is not None
    current = changes(_with_project(change.after, reader), world)
    if not current:
        return change.before
    for path, (before, _) in changes(change.before, change.after).items():
        if path not in current:
            world = with_value(world, path, before)
        elif path != "topics":
            raise _conflict(change, path, reader)
    return world


def _conflict(change: WorldChange, path: str, reader: Reader) -> UsageError:
    """Error for a change on which a later one rests."""
    for other in world_rows.changes_after(reader, change.stored_id, change.user):
        if other.before and other.after and path in changes(other.before, other.after):
            fix = f"Undo the later one first: `thalamus undo {other.batch}`."
            return UsageError(f"{other.batch} changed the result of {change.batch} again.", fix=fix)
    fix = "`thalamus world apply` changes it."
    return UsageError(f"`{path}` was changed again since {change.batch}.", fix=fix)


def old_changes(reader: Reader, before: str) -> list[str]:
    """Changes made before a time that still have their states, including those of topics alone,
    which have no batch; newest first. They are closed in chronological order, so that none behind
    the first one without states has any."""
    found: list[str] = []
    key = None
    while True:
        changes = world_rows.changes_before(reader, before, key, AT_ONCE)
        for change in changes:
            if is_hidden(change):
                continue
            if change.after is None:
                return found
            found.append(change.stored_id)
        if len(changes) < AT_ONCE:
            return found
        key = reader.key(WorldChange, changes[-1].stored_id)


def close_changes(writer: Writer, ids: Sequence[str], at: str) -> None:
    """Deletes the states of changes that can no longer be undone; their contents, and the turns
    that they came with, stay."""
    batches = world_rows.batches_of(writer, ids)
    writer.change(WorldChange, ids, before=None, after=None)
    batch_rows.mark_purged(writer, batches, at)
    data = {"action": ACTION, "changes": len(ids), "batches": len(batches)}
    writer.add_event(Event(name="purged", at=at, data=data))
