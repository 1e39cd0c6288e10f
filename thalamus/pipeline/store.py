"""store: writes the turn and its reflection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.memory.write import WriteOptions, write_records

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.turn_run import TurnRun


def store(turn: Turn, run: TurnRun, left: tuple[str, ...] = (), finishing: bool = False) -> Turn:
    """Writes a turn with its reflection and returns it with the ids it got. ``left`` and
    ``finishing`` as in ``memory.write.WriteOptions``."""
    if not run.engine.use_memory:
        return turn
    [done] = write_records([turn], run, WriteOptions(left=left, finishing=finishing))
    return done  # type: ignore[return-value]
