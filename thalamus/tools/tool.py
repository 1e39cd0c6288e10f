"""A tool with its workspace and its output."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, field

from thalamus.models.protocol import ToolSpec
from thalamus.policy.json_schema import object_schema
from thalamus.records import World

if TYPE_CHECKING:
    from thalamus.records import Evidence, Memory, SourceKind, Turn, WorldOperation
    from thalamus.store.base import Store
    from thalamus.turn_run import TurnRun

Effect = Literal["read", "write"]
Origin = Literal["builtin", "plugin", "mcp"]
TIMEOUT = 10.0
MAX_BYTES = 8_000


class ToolError(Exception):
    """A tool cannot do what was requested; the message says why and what to change."""


class Workspace(Struct):
    """Input of a tool: the turn, and lists for its proposed changes.

    ``operations`` and ``proposals`` are decided and carried out when the turn is stored, never by
    the tool itself.
    """

    turn: Turn
    run: TurnRun
    stage: str = "tools"
    operations: list[WorldOperation] = field(default_factory=list)
    proposals: list[Memory] = field(default_factory=list)

    @property
    def store(self) -> Store | None:
        """The store; None before the first one exists or if memory is off."""
        return self.run.engine.memory_store

    @property
    def world(self) -> World:
        """The world with the operations so far applied. Raises ``StoreDamaged``."""
        from thalamus.memory.user.world import applied, load_world

        world = self.turn.world
        if world is UNSET:
            world = load_world(self.store, self.turn.user)[0]
        wanted = self.turn.world_operations
        operations = [*(wanted if wanted is not UNSET else ()), *self.operations]
        return applied(world, operations, self.store)

    @property
    def today(self) -> date:
        """Today in the user's time zone."""
        return date.fromisoformat(self.run.local_now(self.turn)[:10])


class ToolOutput(Struct, frozen=True):
    """Output of a tool. ``result``: matches its result schema; ``evidence``: records found, which
    are stored in the turn's evidence and referenced in the result; ``text``: text for the model in
    place of the result."""

    result: Any
    evidence: tuple[Evidence, ...] = ()
    text: str | None = None


class Tool(Struct, frozen=True):
    """A function that a stage or its model may call.

    ``parameters`` and ``result`` are JSON Schemas. ``effect``: read, or write if it changes or
    proposes something. ``timeout`` (seconds) and ``max_bytes`` of the result limit external tools;
    built-in ones limit themselves. ``kind``: kind of context source for its result. ``function`` is
    called with validated arguments and raises ``ToolError``. ``origin``: ``SERVER.TOOL`` of an MCP
    server; ``quota``: calls a day that the server allows, 0 if it does not say.
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
    quota: int = 0

    @property
    def spec(self) -> ToolSpec:
        """The tool's specification for a model."""
        return ToolSpec(self.name, self.description, self.parameters)


def parameters(required: tuple[str, ...] = (), **properties: dict[str, Any]) -> dict[str, Any]:
    """JSON Schema of an object with exactly these properties."""
    return object_schema([name for name in properties if name not in required], **properties)
