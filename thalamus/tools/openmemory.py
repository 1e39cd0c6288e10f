"""memory_query and memory_store with the memory of another program: `memory_backend: openmemory`.

What it returns is foreign: lines of the context, and not evidence. What may not be kept here is not
sent there either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from thalamus.errors import ConfigError
from thalamus.policy import consent
from thalamus.policy.sensitivity import personal
from thalamus.records import Memory, Verdict
from thalamus.tools.builtin import recall, remember
from thalamus.tools.foreign_arguments import Meaning, fitting
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
    """memory_query and memory_store of the server that has them. Raises ``ConfigError`` when there
    is no server at all."""
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
    """The memory of a server. Nothing is started before it is asked for something."""

    def __init__(self, settings: Mapping[str, ServerSettings], servers: Servers) -> None:
        # the one with the name first, then those whose tools are said to be these
        named = [name for name in settings if name == NAME]
        listed = [name for name, one in settings.items() if {*one.tools} & {*QUERY, *STORE}]
        self._order = tuple(dict.fromkeys([*named, *listed, *settings]))
        self._servers = servers

    def query(self, args: dict[str, Any], workspace: Workspace) -> ToolOutput:
        """What it finds."""
        if not workspace.context.use_memory:
            return ToolOutput({"items": []}, text="(nothing found)")
        most = args.get("k", _DEFAULT)
        answer = self._ask(QUERY, {"query": args["query"], "count": most}, workspace)
        items = [item for item in found_in(answer) if item.text][:most]
        result = [{"id": item.name, "text": item.text} for item in items]
        text = "\n".join(f"- {' '.join(item.text.split())}" for item in items)
        return ToolOutput({"items": result}, text=text or "(nothing found)")

    def store(self, args: dict[str, Any], workspace: Workspace) -> ToolOutput:
        """Sends it what the user said and wants remembered, at once."""
        desk = Workspace(workspace.turn, workspace.context, workspace.stage)
        decided = remember.memory_store(args, desk)
        if not desk.proposals:
            return decided
        memory = desk.proposals[0]
        verdict = _against(memory, workspace)
        if isinstance(verdict, Verdict):
            return ToolOutput({"decision": "refuse", "reason": verdict.reason})
        self._ask(STORE, {"content": verdict.content}, workspace)
        return ToolOutput(
            {"decision": "stored", "content": verdict.content}, text=f"Noted: {verdict.content}"
        )

    def _ask(
        self, names: tuple[str, ...], values: dict[Meaning, Any], workspace: Workspace
    ) -> ToolAnswer:
        """The answer of the first server that has the tool. Raises ``ToolError``. The user's id is
        that of the turn; no key says who it is."""
        from thalamus.tools.mcp import ServerFailed

        user = workspace.turn.user or workspace.context.config.user
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
                return server.call(tool.name, fitting(tool.name, tool.parameters, values))
        raise ToolError(failed or f"no MCP server has the tool {names[0]}")


def _against(memory: Memory, workspace: Workspace) -> Memory | Verdict:
    """The memory as it may be sent, or the verdict against it."""
    context = workspace.context
    if not context.use_memory:
        return _refusal("memory is off")
    wishes = context.config.remember
    found = consent.forbidden(wishes, memory.type) or consent.awaiting(wishes, memory.type)
    if found is not None:
        return found
    if personal(memory.content):
        return _refusal("it is personal, and would leave this store")
    if context.plugins is not None and context.plugins.any:
        return context.plugins.before_write(memory)
    return memory


def _refusal(reason: str) -> Verdict:
    return Verdict(decision="refuse", rule="openmemory", reason=reason)
