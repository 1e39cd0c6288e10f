"""All tools (built-in, of plugins, and of MCP servers) with the stages that may use them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from thalamus.records.tools import ToolDescription
from thalamus.tools.builtin import arithmetic, dates, facts, history, recall, remember, world
from thalamus.tools.skills import STAGES, allowed, alternatives, skills
from thalamus.tools.tool import Tool

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.engine import Engine, PluginHooks
    from thalamus.records import Issue
    from thalamus.tools.servers import Servers

BUILTIN: dict[str, Tool] = {
    tool.name: tool
    for module in (history, recall, facts, world, remember, arithmetic, dates)
    for tool in module.TOOLS
}


BY_HAND = "tools"  # in place of a stage, for a call by a person


def toolbox(engine: Engine) -> Toolbox:
    """The tools of an engine. Raises ``ConfigError`` like ``Toolbox``."""
    return engine.once("tools", lambda: Toolbox(engine.config, engine.plugins))


class Toolbox:
    """All tools of a configuration, and the list for each stage. An MCP server is only started when
    a stage that may use it requests its tools, when one is requested by name, or when all tools are
    listed."""

    def __init__(self, config: Config, plugins: PluginHooks | None = None) -> None:
        """Raises ``ConfigError`` for an invalid server, skill or list."""
        self._config = config
        self._plugins = plugins
        self._servers: Servers | None = None
        self._replaced: dict[str, Tool] = {}
        self._skills = skills(config.skills, config.mcp)
        self._allowed = allowed(config.allow, self._skills)
        self._alternatives = alternatives(config.skills)
        self._names: tuple[str, ...] = ()
        if config.mcp or config.memory_backend != "thalamus":
            self._connect(config)

    def _connect(self, config: Config) -> None:
        """Reads the server settings without starting a server."""
        from thalamus.tools.mcp_settings import read_servers
        from thalamus.tools.notes import note_tools
        from thalamus.tools.openmemory import memory_tools
        from thalamus.tools.servers import Servers

        settings = read_servers(config.mcp)
        self._names = tuple(settings)
        self._servers = Servers(settings)
        self._replaced = note_tools(settings, self._servers)
        if config.memory_backend == "openmemory":
            self._replaced |= memory_tools(settings, self._servers)

    @cached_property
    def own(self) -> dict[str, Tool]:
        """Tools that need no server. Built-in tools are not replaced by others of the same name."""
        added = self._plugins.tools() if self._plugins is not None and self._plugins.any else {}
        return {**added, **BUILTIN, **self._replaced}

    @property
    def tools(self) -> dict[str, Tool]:
        """All tools by name; this starts every server."""
        return {**self.own, **self._of_servers(self._names), **self.own}  # in this order

    def find(self, name: str, stage: str = BY_HAND) -> Tool | None:
        """The tool with this name; None if it does not exist or belongs to a server that the stage
        may not use."""
        found = self.own.get(name)
        if found is not None:
            return found
        servers = [one for one in self._servers_of(stage) if name.startswith(f"{one}_")]
        return self._of_servers(servers).get(name)

    def may_use(self, stage: str, name: str) -> bool:
        """True if a stage may use a tool. A person may call any tool."""
        if stage == BY_HAND or name in self._allowed.get(stage, ()):
            return True
        tool = self.find(name, stage)
        return tool is not None and self._allows(stage, tool)

    def of_stage(self, stage: str, effect: str | None = None) -> list[Tool]:
        """Tools that a stage may use, in the order of its list."""
        available = {**self.own, **self._of_servers(self._servers_of(stage)), **self.own}
        places = ((self._place(stage, tool), tool) for tool in available.values())
        found = [(place, tool) for place, tool in places if place is not None]
        found.sort(key=lambda one: one[0])
        return [tool for _, tool in found if effect is None or tool.effect == effect]

    def alternatives(self, tools: Sequence[Tool]) -> list[list[Tool]]:
        """Those of ``tools`` that do the same, each list in its configured order."""
        known = {name: tool for tool in tools for name in (tool.name, tool.origin) if name}
        groups = []
        for names in self._alternatives:
            members = {known[name].name: known[name] for name in names if name in known}
            if len(members) > 1:
                groups.append(list(members.values()))
        return groups

    def describe(self, tool: Tool) -> ToolDescription:
        """The tool as a record."""
        return ToolDescription(
            name=tool.name,
            description=tool.description,
            parameters=tool.parameters,
            result=tool.result,
            effect=tool.effect,
            source=tool.source,
            timeout=tool.timeout,
            max_bytes=tool.max_bytes,
            stages=[stage for stage in STAGES if self._allows(stage, tool)],
        )

    def names_in_skills(self) -> list[tuple[str, str]]:
        """(skill, tool) pairs of the configured skills."""
        return [(skill, name) for skill in self._config.skills for name in self._skills[skill]]

    def might_have(self, name: str) -> bool:
        """True if a tool or a server for this name in a skill exists. Starts no server."""
        prefixes = tuple(f"{server}{sign}" for server in self._names for sign in "._")
        return name in self.own or name.startswith(prefixes)

    def uses_tools(self, stage: str) -> bool:
        """True if a stage may use any tool."""
        return bool(self._allowed[stage])

    def problems(self) -> list[Issue]:
        """Problems of the servers that were needed; repeated with the same words while they
        last."""
        return self._servers.problems() if self._servers is not None else []

    def close(self) -> None:
        """Ends the servers that were started."""
        if self._servers is not None:
            self._servers.close()

    def _allows(self, stage: str, tool: Tool) -> bool:
        return self._place(stage, tool) is not None

    def _place(self, stage: str, tool: Tool) -> int | None:
        """Place of the first entry of a stage's list that names a tool; None if none does."""
        for place, known in enumerate(self._allowed.get(stage, ())):
            if known in (tool.name, tool.origin):
                return place
            if known.endswith(".*") and tool.origin.startswith(known[:-1]):
                return place
        return None

    def _servers_of(self, stage: str) -> list[str]:
        """Servers of which a stage may use tools."""
        if stage == BY_HAND:
            return list(self._names)
        listed = [known for known in self._allowed.get(stage, ()) if known not in self.own]
        return [
            server
            for server in self._names
            if any(known.startswith((f"{server}.", f"{server}_")) for known in listed)
        ]

    def _of_servers(self, names: Sequence[str]) -> dict[str, Tool]:
        return self._servers.tools(names) if self._servers is not None and names else {}
