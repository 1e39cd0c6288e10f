"""Skills: named sets of tools, and the stages that may use them.

A list within a skill names tools that do the same: one of them is offered, and the next is tried if
it fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from thalamus.errors import ConfigError

SKILLS: dict[str, tuple[str, ...]] = {
    "history": ("chat_history_tail",),
    "recall": ("memory_query", "facts_query", "document_search"),
    "project": ("project_status",),
    "notes": ("notes_search", "notes_read"),
    "world": ("world_apply_ops",),
    "remember": ("memory_store",),
    "arithmetic": ("calculate",),
    "dates": ("date_math",),
}
ALLOW: dict[str, tuple[str, ...]] = {
    "route": ("history", "recall"),
    "gather": ("history", "recall", "project", "notes"),
    "act": ("world", "remember", "arithmetic", "dates"),
    "answer": (),
    "topics": (),
}
# stages with configurable tools
STAGES = tuple(ALLOW)


def skills(own: Mapping[str, Any], servers: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    """All skills: the built-in ones, the configured ones (``own``, which take precedence), and for
    each MCP server one with its name and all its tools, ``NAME.*``. Raises ``ConfigError``."""
    found = dict(SKILLS)
    for name in servers:
        if name in SKILLS:
            raise ConfigError(f"mcp.{name}: there is a skill of this name: choose another")
        found[name] = (f"{name}.*",)
    for name, tools in own.items():
        found[name] = tuple(tool for group in _groups(name, tools) for tool in group)
    return found


def alternatives(own: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Tools that do the same, each list in its order: the lists within the configured skills."""
    groups = [group for name, tools in own.items() for group in _groups(name, tools)]
    return [group for group in groups if len(group) > 1]


def _groups(name: str, tools: Any) -> list[tuple[str, ...]]:
    """Tools of a configured skill; those that do the same, a list within the list, together. Raises
    ``ConfigError``."""
    setting = f"skills.{name}"
    if not isinstance(tools, list | tuple):
        return [(tool,) for tool in _names(setting, tools)]
    groups = [_names(setting, one if isinstance(one, list) else [one]) for one in tools]
    for group in groups:
        whole = [tool for tool in group if len(group) > 1 and tool.endswith(".*")]
        if whole:
            raise ConfigError(f"{setting}: {whole[0]} names no single tool that others replace")
    return groups


def allowed(own: Mapping[str, Any], known: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """Tools that each stage may use, by the skills or tools in ``own`` (the setting ``allow``), or
    else by the built-in list. Raises ``ConfigError`` for an unknown stage or skill."""
    for stage, names in own.items():
        if stage not in STAGES:
            raise ConfigError(f"allow.{stage}: no such stage (choose {', '.join(STAGES)})")
        for name in _names(f"allow.{stage}", names):
            if name not in known:
                raise ConfigError(
                    f"allow.{stage}: no such skill: {name} (choose {', '.join(sorted(known))})"
                )
    chosen = {stage: _names(f"allow.{stage}", own.get(stage, ALLOW[stage])) for stage in STAGES}
    return {
        stage: list(dict.fromkeys(tool for name in names for tool in known[name]))
        for stage, names in chosen.items()
    }


def _names(setting: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{setting} must be a list of names, not {value!r}")
    return tuple(value)
