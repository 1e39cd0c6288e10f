"""Tools that stages and the model may use, and manual calls of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalamus.api.runtime import View
from thalamus.errors import UsageError
from thalamus.records import Turn

if TYPE_CHECKING:
    from thalamus.records import Issue
    from thalamus.records.tools import ToolDescription, ToolPerformance, ToolResult


class ToolsView(View):
    """Tools, including those of MCP servers, which are started when one of theirs is requested."""

    def find(self, stage: str | None = None) -> list[ToolDescription]:
        """All tools, or those that a stage may use. Raises ``ConfigError`` for invalid servers, and
        for skills that name unknown tools."""
        from thalamus.tools.toolbox import toolbox

        box = toolbox(self._engine)
        found = box.tools.values() if stage is None else box.of_stage(stage)
        return [box.describe(tool) for tool in found]

    def get(self, name: str) -> ToolDescription:
        """A tool by its name. Raises ``UsageError`` for an unknown name, and as ``find``."""
        from thalamus.tools.toolbox import toolbox

        box = toolbox(self._engine)
        found = box.find(name)
        if found is not None:
            return box.describe(found)
        problems = box.problems()
        if problems:
            message = f"Unknown tool {name!r}: {problems[0].message}."
            raise UsageError(message, fix=problems[0].fix)
        raise UsageError(f"Unknown tool {name!r}.", fix=f"Choose {', '.join(box.tools)}.")

    def problems(self) -> list[Issue]:
        """Problems of MCP servers since the last call. Raises as ``find``."""
        from thalamus.tools.toolbox import toolbox

        return toolbox(self._engine).problems()

    def performance(self, task: str | None = None) -> list[ToolPerformance]:
        """Performance of the tools by the outcomes of their calls in the ledger: for each kind of
        task, or for one ``task`` as ``tool_policy: ucb`` orders them. Raises as ``find``, and
        ``NoStore``."""
        from thalamus.memory.views.tool_outcomes import performance_by_task
        from thalamus.tools.choice import performance_for

        store = self._engine.store
        return performance_by_task(store) if task is None else performance_for(task, self._engine)

    def call(self, name: str, args: dict[str, Any]) -> ToolResult:
        """Calls a tool by hand; its changes of the world state and its proposed memories are
        applied at once, as when a turn is stored. A call that fails has an ``error``. Raises
        ``ConfigError``, and what writing raises."""
        from thalamus.tools.by_hand import call_by_hand

        turn = self._runtime.in_session(Turn(message=name))
        return call_by_hand(name, args, turn, self._new_run())
