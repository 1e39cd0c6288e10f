"""store: writes the turn and its reflection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.memory.write import WriteOptions, write_records

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Turn


def store(
    turn: Turn, context: Context, left: tuple[str, ...] = (), finishing: bool = False
) -> Turn:
    """Writes a turn with its reflection and returns it with the ids it got. ``left`` and
    ``finishing`` as in ``memory.write.WriteOptions``."""
    if not context.use_memory:
        return turn
    [done] = write_records([turn], context, WriteOptions(left=left, finishing=finishing))
    return done  # type: ignore[return-value]
