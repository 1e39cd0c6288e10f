"""A call that a person makes: what it wants done is done at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.memory.write import WriteOptions, write_records
from thalamus.records import Memory, ToolResult, Turn
from thalamus.tools.call import Caller
from thalamus.tools.toolbox import BY_HAND, toolbox

if TYPE_CHECKING:
    from thalamus.context import Context


def call_by_hand(name: str, args: dict[str, Any], turn: Turn, context: Context) -> ToolResult:
    """The result of a call, after what it proposes was written. What a person gives a tool is that
    person's word: nothing else has to say it. Raises what writing raises."""
    said = " ".join(value for value in args.values() if isinstance(value, str)) or name
    turn = structs.replace(
        turn,
        message=said,
        user=context.config.user or None,
        agent=context.config.agent or None,
        created_at=context.clock.stamp(),
    )
    caller = Caller(toolbox(context), turn, context, BY_HAND)
    call = caller.call(name, args)
    output = caller.outputs.get(call.id)
    desk = caller.workspace
    if desk.proposals:
        records: list[Memory] = [
            structs.replace(memory, provenance=None) for memory in desk.proposals
        ]
        write_records(records, context, WriteOptions(decide=True))
    if desk.operations:
        from thalamus.memory.world import apply_operations

        apply_operations(desk.operations, context)
    return ToolResult(
        name=name, args=args, result=output.result if output else None, error=call.error, ms=call.ms
    )
