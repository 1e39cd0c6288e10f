"""A tool, what it is handed, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET

from thalamus.models.protocol import ToolSpec
from thalamus.policy.json_schema import object_schema
from thalamus.records import World

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Evidence, Memory, SourceKind, Turn, WorldOperation
    from thalamus.storage.protocol import Store

Effect = Literal["read", "write"]
Origin = Literal["builtin", "plugin", "mcp"]
TIMEOUT = 10.0
MAX_BYTES = 8_000


class ToolError(Exception):
    """A tool cannot do what it was asked for; the message says why, and what to change."""


@dataclass
class Workspace:
    """What a tool is handed: the turn as it stands, and where it puts what it wants done.

    ``operations`` and ``proposals`` are what the turn asks for; they are decided about and done
    when it is stored, and never by the tool itself.
    """

    turn: Turn
    context: Context
    stage: str = "tools"
    operations: list[WorldOperation] = field(default_factory=list)
    proposals: list[Memory] = field(default_factory=list)

    @property
    def store(self) -> Store | None:
        """The store; None where there is none yet, or memory is off."""
        return self.context.open_store(False) if self.context.use_memory else None

    @property
    def world(self) -> World:
        """The world as it would be with the operations so far. Raises ``StoreDamaged``."""
        from thalamus.memory.world import load_world
        from thalamus.policy.world_operations import apply

        world = self.turn.world
        if world is UNSET:
            world = load_world(self.store, self.turn.user)[0]
        wanted = self.turn.world_operations
        return apply(world, [*(wanted if wanted is not UNSET else ()), *self.operations])

    @property
    def today(self) -> date:
        """The user's day."""
        return date.fromisoformat(self.context.local_now(self.turn)[:10])


@dataclass(frozen=True)
class ToolOutput:
    """What a tool gives. ``result`` fits its result schema; ``evidence`` are the records that it
    found, which on a turn stand in its evidence and are only named in the result; ``text`` is what
    a model is shown in place of the result."""

    result: Any
    evidence: tuple[Evidence, ...] = ()
    text: str | None = None


@dataclass(frozen=True)
class Tool:
    """Something that a stage, or its model, may call.

    ``parameters`` and ``result`` are JSON Schemas. ``effect``: read, or write for what changes or
    proposes something. ``timeout`` in seconds and ``max_bytes`` of the result bound what is not our
    own code: a built-in tool is bounded by itself. ``kind``: as what its result is a source of the
    context. ``function`` is called with the checked arguments, and raises ``ToolError``.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    function: Callable[[dict[str, Any], Workspace], ToolOutput]
    result: dict[str, Any] = field(default_factory=dict)
    effect: Effect = "read"
    source: Origin = "builtin"
    timeout: float = TIMEOUT
    max_bytes: int = MAX_BYTES
    kind: SourceKind = "tool"
    origin: str = ""

    @property
    def spec(self) -> ToolSpec:
        """The tool as a model is told of it."""
        return ToolSpec(self.name, self.description, self.parameters)


def parameters(required: tuple[str, ...] = (), **properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object with these properties and no others."""
    return object_schema([name for name in properties if name not in required], **properties)
