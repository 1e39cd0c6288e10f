"""store: writes the turn, and what of it is kept, through the gate for writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.context import issue
from thalamus.errors import BadKey, StoreBusy, StoreFull, Tampered
from thalamus.memory import dialogue
from thalamus.memory.write import WriteOptions, write_records

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Turn

CANNOT_WRITE = (StoreBusy, StoreFull, BadKey, Tampered)


def store(
    turn: Turn, context: Context, left: tuple[str, ...] = (), finishing: bool = False
) -> Turn:
    """Writes one turn with its reflection, and a memory of each exchange that left its prompt; the
    record comes back with the ids it got. ``left`` and ``finishing`` as in
    ``memory.write.WriteOptions``."""
    if not context.use_memory:
        return turn
    [done] = write_records([turn], context, WriteOptions(left=left, finishing=finishing))
    return keep_evicted(done, context)  # type: ignore[arg-type]


def keep_evicted(turn: Turn, context: Context) -> Turn:
    """Keeps a memory of each exchange that left the prompt of a turn. The turn is stored by now:
    what cannot be written here is an issue of it, and is tried again in the next one."""
    opened = context.open_store(False)
    if opened is None or turn.interrupted:
        return turn
    exchanges = dialogue.evicted(turn, context, opened)
    if not exchanges:
        return turn
    from thalamus.memory.eviction import evict  # 20 ms that most turns need not pay

    try:
        evict(exchanges, turn.id, context, opened)
    except CANNOT_WRITE as error:
        context.failed("stage store: eviction", error)
        return structs.replace(turn, issues=[*turn.issues, issue("store", error)])
    return turn
