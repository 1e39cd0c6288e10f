"""The tools that there are: built in, of plugins, and of MCP servers; and who may use them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from thalamus.tools.builtin import arithmetic, dates, facts, history, recall, remember, world
from thalamus.tools.skills import allowed, skills
from thalamus.tools.tool import Tool

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.context import Context, Hooks

BUILTIN: dict[str, Tool] = {
    tool.name: tool
    for module in (history, recall, facts, world, remember, arithmetic, dates)
    for tool in module.TOOLS
}


BY_HAND = "tools"  # in place of a stage, for a call that a person makes


def toolbox(context: Context) -> Toolbox:
    """The tools of a context. Raises ``ConfigError`` as ``Toolbox``."""
    if not isinstance(context.tools, Toolbox):
        context.tools = Toolbox(context.config, context.plugins)
    return context.tools


class Toolbox:
    """All tools of a configuration, and the list of what each stage may use. MCP servers are not
    started before one of their tools is asked for by its name, or all of them are listed."""

    def __init__(self, config: Config, plugins: Hooks | None = None) -> None:
        """Raises ``ConfigError`` for a skill or a list that names what there is not."""
        self._config = config
        self._plugins = plugins
        self._allowed = allowed(config.allow, skills(config.skills, config.mcp))

    @cached_property
    def tools(self) -> dict[str, Tool]:
        """All tools by name. What comes with Thalamus is not replaced by one of the same name."""
        added = self._plugins.tools() if self._plugins is not None and self._plugins.any else {}
        return {**added, **BUILTIN}

    def find(self, name: str) -> Tool | None:
        """The tool with this name; None when there is none."""
        return self.tools.get(name)

    def may_use(self, stage: str, name: str) -> bool:
        """Whether a stage may use a tool. By hand any tool may be called."""
        return stage == BY_HAND or any(
            name == known or (known.endswith(".*") and name.startswith(known[:-1]))
            for known in self._allowed.get(stage, ())
        )

    def of_stage(self, stage: str, effect: str | None = None) -> list[Tool]:
        """The tools that a stage may use, in the order of its list."""
        found = [tool for tool in self.tools.values() if self.may_use(stage, tool.name)]
        order = {name: place for place, name in enumerate(self._allowed.get(stage, ()))}
        found.sort(key=lambda tool: order.get(tool.name, len(order)))
        return [tool for tool in found if effect is None or tool.effect == effect]
