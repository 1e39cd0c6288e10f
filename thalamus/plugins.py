"""Plugins: custom code in a turn, found through entry points of the group ``thalamus``.

    import pluggy
    hookimpl = pluggy.HookimplMarker("thalamus")

Implementations of a hook are called one by one, so that one that raises stops neither the turn nor
the others: it is reported and skipped.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.events import ErrorReported
from thalamus.logs import logger
from thalamus.records import Evidence, Issue, Memory, Turn, Verdict
from thalamus.turn_run import Stage

if TYPE_CHECKING:
    import pluggy

    from thalamus.events import ThalamusEvent, ThalamusEvents
    from thalamus.tools.tool import Tool
    from thalamus.turn_run import TurnRun

log = logger(__name__)
GROUP = "thalamus"
Settings = Mapping[str, Any]
HOOKS = (
    *("before_write", "after_retrieve", "on_task_complete", "on_event"),
    *("add_stages", "add_tools", "add_models"),
)


class Hooks:
    """Interface of a plugin: it may implement any of these hooks, with any of their arguments by
    name. ``settings``: its own section of the setting ``plugin_settings``."""

    def before_write(self, memory: Memory, settings: Settings) -> Memory | Verdict | None:
        """Called before a memory is stored. Returns a changed memory, a ``Verdict`` to refuse it
        (``decision`` refuse, ignore or quarantine), or None to leave it unchanged."""

    def after_retrieve(self, evidence: list[Evidence], settings: Settings) -> list[Evidence] | None:
        """Called with the evidence found, best first. Returns it changed, reordered or extended, or
        None."""

    def on_task_complete(self, task: dict[str, Any], settings: Settings) -> None:
        """Called when a turn or the ingestion of a document is done; ``task["task"]`` says
        which."""

    def on_event(self, event: ThalamusEvent, settings: Settings) -> None:
        """Called with everything that happens in a turn (``thalamus.events``)."""

    def add_models(self, settings: Settings) -> Mapping[str, Any] | None:
        """Models by name (``thalamus.models.handed``), which settings then name as ``plugin:NAME``.
        Called once, when such a model is first needed."""

    def add_stages(self, settings: Settings) -> Stage | list[Stage] | None:
        """Stages that a flow may then name. Called once, when a flow is chosen with a stage that is
        not built in."""

    def add_tools(self, settings: Settings) -> Tool | list[Tool] | None:
        """Tools (``thalamus.tools.tool.Tool``) that a skill may then name. Called once, when tools
        are first needed."""


class Plugins:
    """The installed plugins, searched and imported on first use.

    ``logs``: also log failures, each once. ``taken``: returns the names of existing stages and
    flows; called when a plugin adds a stage. ``settings``: those of each plugin, by its name.
    """

    def __init__(
        self,
        events: ThalamusEvents | None = None,
        logs: bool = True,
        taken: Callable[[], Container[str]] = tuple,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self._settings = settings or {}
        self._loading = False
        self._events = events
        self._logs = logs
        self._taken = taken
        self._problems: list[Issue] = []
        self._reported: set[tuple[str, str]] = set()

    @cached_property
    def any(self) -> bool:
        """True if there are plugins that can be loaded."""
        return installed() and bool(self._manager.get_plugins())

    def names(self) -> list[str]:
        """The plugins, each with its package."""
        if not self.any:
            return []
        packages = {id(plugin): dist for plugin, dist in self._manager.list_plugin_distinfo()}
        found = []
        for name, plugin in self._manager.list_name_plugin():
            dist = packages.get(id(plugin))
            where = f" ({dist.project_name} {dist.version})" if dist is not None else ""
            found.append(f"{name}{where}")
        return sorted(found)

    def before_write(self, memory: Memory) -> Memory | Verdict:
        """The memory after all plugins, or the first verdict that refuses it."""
        for name, implementation in self._implementations("before_write"):
            argument = structs.replace(memory, metadata=dict(memory.metadata))
            found = self._call(name, "before_write", implementation, {"memory": argument})
            if isinstance(found, Verdict):
                return found
            if isinstance(found, Memory):
                memory = found
            elif found is not None:
                self._report(name, "before_write", TypeError(f"it returned a {_kind(found)}"))
        return memory

    def after_retrieve(self, evidence: list[Evidence]) -> list[Evidence]:
        """The evidence after all plugins."""
        for name, implementation in self._implementations("after_retrieve"):
            argument = {"evidence": list(evidence)}
            found = self._call(name, "after_retrieve", implementation, argument)
            if isinstance(found, list) and all(isinstance(item, Evidence) for item in found):
                evidence = found
            elif found is not None:
                self._report(name, "after_retrieve", TypeError(f"it returned a {_kind(found)}"))
        return evidence

    def on_task_complete(self, task: dict[str, Any]) -> None:
        """Informs the plugins that a task is done."""
        for name, implementation in self._implementations("on_task_complete"):
            self._call(name, "on_task_complete", implementation, {"task": dict(task)})

    def stages(self) -> dict[str, Stage]:
        """Stages added by plugins, by name."""
        return self._stages if self.any else {}

    def tools(self) -> dict[str, Tool]:
        """Tools added by plugins, by name."""
        return self._added_tools if self.any else {}

    def models(self) -> dict[str, Any]:
        """Models added by plugins, by name."""
        return self._models if self.any else {}

    @property
    def hears(self) -> bool:
        """True if a plugin wants events, tokens among them."""
        return bool(self._listeners())

    def hear(self, event: ThalamusEvent) -> None:
        """Passes an event to the plugins that want events."""
        for name, implementation in self._listeners():
            self._call(name, "on_event", implementation, {"event": event})

    def _listeners(self) -> list[tuple[str, Any]]:
        return self._implementations("on_event") if not self._loading and self.any else []

    def problems(self) -> list[Issue]:
        """Plugin failures since the last call."""
        found, self._problems = self._problems, []
        return found

    @cached_property
    def _manager(self) -> pluggy.PluginManager:
        import pluggy

        manager = pluggy.PluginManager(GROUP)
        specification = pluggy.HookspecMarker(GROUP)
        for name in HOOKS:
            specification(getattr(Hooks, name))
        manager.add_hookspecs(Hooks)
        self._loading = True  # no plugin hears of those that cannot be loaded
        for name in _entry_points():
            try:
                manager.load_setuptools_entrypoints(GROUP, name)
            except Exception as error:
                self._report(name, "loading", error)
        self._loading = False
        return manager

    @cached_property
    def _stages(self) -> dict[str, Stage]:
        found: dict[str, Stage] = {}
        for name, implementation in self._implementations("add_stages"):
            added = self._call(name, "add_stages", implementation, {})
            for stage in added if isinstance(added, list) else [added]:
                try:
                    check_stage(stage, self._taken(), found)
                except (TypeError, ValueError) as error:
                    if stage is not None:
                        self._report(name, "add_stages", error)
                    continue
                found[stage.name] = structs.replace(stage, function=partial(self._run, name, stage))
        return found

    @cached_property
    def _added_tools(self) -> dict[str, Tool]:
        from msgspec.structs import replace

        found: dict[str, Tool] = {}
        for name, implementation in self._implementations("add_tools"):
            added = self._call(name, "add_tools", implementation, {})
            for tool in added if isinstance(added, list) else [added]:
                try:
                    check_tool(tool, found)
                except (TypeError, ValueError) as error:
                    if tool is not None:
                        self._report(name, "add_tools", error)
                    continue
                found[tool.name] = replace(tool, source="plugin")
        return found

    @cached_property
    def _models(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, implementation in self._implementations("add_models"):
            added = self._call(name, "add_models", implementation, {})
            if isinstance(added, Mapping):
                found |= added
            elif added is not None:
                self._report(name, "add_models", TypeError(f"it returned a {_kind(added)}"))
        return found

    def _run(self, name: str, stage: Stage, turn: Turn, run: TurnRun) -> Turn:
        """Runs a stage of a plugin. If it raises, the turn stays unchanged."""
        try:
            result = stage.function(turn, run)
        except Exception as error:
            self._report(name, stage.name, error)
            return turn
        if not isinstance(result, Turn):
            self._report(name, stage.name, TypeError(f"it returned a {_kind(result)}"))
            return turn
        return result

    def _implementations(self, hook: str) -> list[tuple[str, Any]]:
        """(plugin's name, implementation) in pluggy's calling order."""
        caller = getattr(self._manager.hook, hook)
        return [(found.plugin_name, found) for found in reversed(caller.get_hookimpls())]

    def _call(self, name: str, hook: str, implementation: Any, values: dict[str, Any]) -> Any:
        try:
            own = self._settings.get(name, {})
            given = {**values, "settings": dict(own) if isinstance(own, Mapping) else {}}
            arguments = [given[argument] for argument in implementation.argnames]
            return implementation.function(*arguments)
        except Exception as error:
            self._report(name, hook, error)
            return None

    def _report(self, name: str, hook: str, error: Exception) -> None:
        """Reports a failure: as an issue each time, and as a log message and an event once."""
        text = f"the plugin {name} failed in {hook}: {type(error).__name__}: {error}"
        fix = "It was skipped. THALAMUS_PLUGINS=off disables plugins."
        self._problems.append(Issue(stage=hook, code="plugin", message=text, fix=fix))
        if (name, hook) not in self._reported:
            self._reported.add((name, hook))
            if self._logs:
                log.error("%s\n  %s", text, fix)
            if self._events is not None:
                where = f"plugin {name}"
                self._events.emit(ErrorReported(where=where, error=error, traceback=text))


def check_stage(stage: object, *taken: Container[str]) -> None:
    """Raises ``TypeError`` for anything but a stage, and ``ValueError`` for a stage with an invalid
    or existing name, or with unknown fields."""
    if not isinstance(stage, Stage):
        raise TypeError(f"it returned a {_kind(stage)}")
    if not re.fullmatch(r"\w[\w-]*", stage.name):
        raise ValueError(f"{stage.name!r} cannot be the name of a stage")
    if any(stage.name in names for names in taken):
        raise ValueError(f"there is a stage or flow {stage.name!r} already")
    unknown = [f for f in (*stage.reads, *stage.writes) if f not in Turn.__struct_fields__]
    if unknown:
        raise ValueError(f"a turn has no field {unknown[0]!r}")


def check_tool(tool: object, taken: Container[str]) -> None:
    """Raises ``TypeError`` for anything but a tool, and ``ValueError`` for a tool with an invalid
    or existing name."""
    from thalamus.tools.tool import Tool
    from thalamus.tools.toolbox import BUILTIN

    if not isinstance(tool, Tool):
        raise TypeError(f"it returned a {_kind(tool)}")
    if not re.fullmatch(r"[A-Za-z]\w*", tool.name):
        raise ValueError(f"{tool.name!r} cannot be the name of a tool")
    if tool.name in BUILTIN or tool.name in taken:
        raise ValueError(f"there is a tool {tool.name!r} already")


def installed() -> bool:
    """True if a package on the path has entry points of the group. Reading the small files takes a
    tenth of the time of importing ``importlib.metadata``."""
    heading = f"[{GROUP}]"
    for folder in dict.fromkeys(sys.path):
        try:
            found = [*Path(folder or ".").glob("*.dist-info/entry_points.txt")]
            if any(heading in path.read_text(encoding="utf-8").split() for path in found):
                return True
        except (OSError, ValueError):
            continue
    return False


def _entry_points() -> list[str]:
    from importlib.metadata import entry_points

    return sorted({entry.name for entry in entry_points(group=GROUP)})


def _kind(value: object) -> str:
    return type(value).__name__
