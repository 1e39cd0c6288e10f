"""store: writes the turn and its reflection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.memory.write import write_records

if TYPE_CHECKING:
    from thalamus.records import Turn
    from thalamus.turn_run import TurnRun


def store(turn: Turn, run: TurnRun) -> Turn:
    """Writes a turn with its reflection and returns it with the ids it got."""
    if not run.engine.use_memory:
        return turn
    [done] = write_records([turn], run)
    return done  # type: ignore[return-value]
