"""Tool calls made by a person, whose effects are carried out at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.errors import UsageError
from thalamus.memory.write import WriteOptions, write_all
from thalamus.records import Memory, Turn
from thalamus.records.tools import ToolResult
from thalamus.tools.call import Caller
from thalamus.tools.toolbox import BY_HAND, toolbox

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun


def call_by_hand(name: str, args: dict[str, Any], turn: Turn, run: TurnRun) -> ToolResult:
    """Result of a call, after its proposals are written. A person's arguments count as that
    person's words and need no other evidence. Raises the errors of writing."""
    words = " ".join(value for value in args.values() if isinstance(value, str)) or name
    turn = structs.replace(
        turn,
        message=words,
        user=run.engine.config.user or None,
        agent=run.engine.config.agent or None,
        created_at=run.engine.clock.stamp(),
    )
    caller = Caller(toolbox(run.engine), turn, run, BY_HAND)
    call = caller.call(name, args)
    output = caller.outputs.get(call.id)
    workspace = caller.workspace
    if workspace.proposals:
        records: list[Memory] = [
            structs.replace(memory, provenance=None) for memory in workspace.proposals
        ]
        written = write_all(records, run, WriteOptions(decide=True))
        for verdict in written.refused.values():
            raise UsageError(f"It was not stored: {verdict.reason}.")
    if workspace.operations:
        from thalamus.memory.user.world import apply_operations

        apply_operations(workspace.operations, run)
    return ToolResult(
        name=name, args=args, result=output.result if output else None, error=call.error, ms=call.ms
    )
