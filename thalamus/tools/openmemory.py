"""memory_query and memory_store with another program's memory: `memory_backend: openmemory`.

Its results are foreign data: lines of the context, not evidence. Anything that may not be stored
here is not sent there either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from thalamus.errors import ConfigError
from thalamus.memory.personal import is_personal
from thalamus.policy import consent
from thalamus.records import Memory, Verdict
from thalamus.tools.builtin import recall, remember
from thalamus.tools.foreign_arguments import Meaning, map_arguments
from thalamus.tools.foreign_results import found_in
from thalamus.tools.tool import Tool, ToolError, ToolOutput, Workspace

if TYPE_CHECKING:
    from thalamus.tools.mcp import ToolAnswer
    from thalamus.tools.mcp_settings import ServerSettings
    from thalamus.tools.servers import Servers

NAME = "openmemory"
QUERY = ("openmemory_query", "openmemory.query")
STORE = ("openmemory_store", "openmemory.store")
_DEFAULT = 6  # memories, as of memory_query


def memory_tools(settings: Mapping[str, ServerSettings], servers: Servers) -> dict[str, Tool]:
    """memory_query and memory_store of the server that has them. Raises ``ConfigError`` if no
    server is configured."""
    if not settings:
        raise ConfigError(
            "memory_backend: openmemory needs a server (set `mcp: {openmemory: {command: …}}`)"
        )
    backend = OpenMemory(settings, servers)
    slowest = max(server.timeout + server.start_timeout for server in settings.values())
    functions = {"memory_query": backend.query, "memory_store": backend.store}
    return {
        tool.name: replace(
            tool, function=functions[tool.name], result={}, source="mcp", timeout=slowest + 2
        )
        for tool in (*recall.TOOLS, *remember.TOOLS)
        if tool.name in functions
    }


class OpenMemory:
    """Another program's memory; its server is started on first use."""

    def __init__(self, settings: Mapping[str, ServerSettings], servers: Servers) -> None:
        # first the server with this name, then those that list these tools
        matching_name = [name for name in settings if name == NAME]
        matching_tools = [name for name, one in settings.items() if {*one.tools} & {*QUERY, *STORE}]
        self._order = tuple(dict.fromkeys([*matching_name, *matching_tools, *settings]))
        self._servers = servers

    def query(self, args: dict[str, Any], workspace: Workspace) -> ToolOutput:
        """Searches the other memory."""
        if not workspace.run.engine.use_memory:
            return ToolOutput({"items": []}, text="(nothing found)")
        most = args.get("k", _DEFAULT)
        answer = self._ask(QUERY, {"query": args["query"], "count": most}, workspace)
        items = [item for item in found_in(answer) if item.text][:most]
        result = [{"id": item.name, "text": item.text} for item in items]
        text = "\n".join(f"- {' '.join(item.text.split())}" for item in items)
        return ToolOutput({"items": result}, text=text or "(nothing found)")

    def store(self, args: dict[str, Any], workspace: Workspace) -> ToolOutput:
        """Sends a statement of the user to the other memory at once."""
        scratch = Workspace(workspace.turn, workspace.run, workspace.stage)
        output = remember.memory_store(args, scratch)
        if not scratch.proposals:
            return output
        memory = scratch.proposals[0]
        verdict = _check(memory, workspace)
        if isinstance(verdict, Verdict):
            return ToolOutput({"decision": "refuse", "reason": verdict.reason})
        self._ask(STORE, {"content": verdict.content}, workspace)
        return ToolOutput(
            {"decision": "stored", "content": verdict.content}, text=f"Noted: {verdict.content}"
        )

    def _ask(
        self, names: tuple[str, ...], values: dict[Meaning, Any], workspace: Workspace
    ) -> ToolAnswer:
        """Answer of the first server that has the tool. Raises ``ToolError``. The user's id is the
        turn's; it is not authenticated by a key."""
        from thalamus.tools.mcp import ServerFailed

        user = workspace.turn.user or workspace.run.engine.config.user
        if user:
            values = {**values, "user": user}
        failed = ""
        for name in self._order:
            server = self._servers.get(name)
            try:
                tool = server.announced(*names)
            except ServerFailed as error:
                failed = failed or f"the MCP server {name} failed: {error}"
                continue
            if tool is not None:
                return server.call(tool.name, map_arguments(tool.name, tool.parameters, values))
        raise ToolError(failed or f"no MCP server has the tool {names[0]}")


def _check(memory: Memory, workspace: Workspace) -> Memory | Verdict:
    """The memory as it may be sent, or the verdict that refuses it."""
    engine = workspace.run.engine
    if not engine.use_memory:
        return _refusal("memory is off")
    consents = engine.config.remember
    found = consent.forbidden(consents, memory.type) or consent.awaiting(consents, memory.type)
    if found is not None:
        return found
    if is_personal(memory):
        return _refusal("it is personal, and would leave this store")
    if engine.plugins is not None and engine.plugins.any:
        return engine.plugins.before_write(memory)
    return memory


def _refusal(reason: str) -> Verdict:
    return Verdict(decision="refuse", rule="openmemory", reason=reason)
