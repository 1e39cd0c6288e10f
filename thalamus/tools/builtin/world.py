"""world_apply_ops and project_status: the user's world state and projects."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from thalamus.errors import InvalidOperation, ThalamusError
from thalamus.policy.prompts import fence
from thalamus.records import Operator, World, WorldOperation
from thalamus.tools.tool import Tool, ToolError, ToolOutput, Workspace, parameters

PATHS = ("project", "goals", "timezone", "entities", "topics")
MOST = 10  # operations in one call


def world_apply_ops(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    from thalamus.memory.user.world import applied

    wanted = [_operation(**item) for item in args["ops"]]
    before = workspace.world
    try:
        after = applied(before, wanted, workspace.store)
    except InvalidOperation as error:
        raise ToolError(f"nothing was changed: {error}") from None
    if after == before and all(operation.op == "remove" for operation in wanted):
        current = "; ".join(world_lines(before)) or "nothing is kept"
        raise ToolError(f"nothing was changed: no such value ({current})")
    workspace.operations += wanted
    text = "\n".join(f"- {line}" for line in world_lines(after)) or "(nothing)"
    return ToolOutput({"world": to_builtins(after)}, text=f"Done. It is now:\n{text}")


def _operation(
    op: Operator, path: str, value: Any = None, key: str | None = None
) -> WorldOperation:
    return WorldOperation(op=op, path=f"{path}.{key}" if key else path, value=value)


def world_lines(world: World) -> list[str]:
    """The world state as sentences, fenced."""
    lines = []
    if world.project:
        lines.append(f"The user's current project is {world.project}.")
    if world.goals:
        lines.append(f"The user's goals: {'; '.join(world.goals)}.")
    lines += [f"{name}: {what}." for name, what in sorted(world.entities.items())]
    if world.timezone:
        lines.append(f"The user's time zone is {world.timezone}.")
    return [fence(line) for line in lines]


def project_status(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    from thalamus.memory.user.manifest import compile_manifest
    from thalamus.memory.user.projects import find_project
    from thalamus.policy.manifest import manifest_lines

    turn, store = workspace.turn, workspace.store
    if store is None:
        return ToolOutput({"manifest": None}, text="(nothing is known)")
    name = args.get("project")
    try:
        chosen = find_project(store, name, turn.user) if name else None
    except ThalamusError as error:
        raise ToolError(str(error)) from None
    found = compile_manifest(store, turn.user, turn.agent, chosen)
    lines = "\n".join(fence(line) for line in manifest_lines(found, workspace.run.zone))
    return ToolOutput({"manifest": to_builtins(found)}, text=lines or "(nothing is known)")


_OPERATION = parameters(
    ("op", "path", "value"),
    op={"enum": ["set", "append", "remove"]},
    path={"enum": list(PATHS)},
    value={"type": ["string", "null"], "description": "null to clear"},
    key={"type": "string", "minLength": 1, "description": "of entities: the name"},
)
TOOLS = (
    Tool(
        name="world_apply_ops",
        description=(
            "Change what the user is busy with: set project or timezone, append to or remove from"
            " goals, say who or what somebody or something (`key`) of entities is."
        ),
        parameters=parameters(
            ("ops",),
            ops={"type": "array", "items": _OPERATION, "minItems": 1, "maxItems": MOST},
        ),
        result=parameters(("world",), world={"type": "object"}),
        effect="write",
        function=world_apply_ops,
        kind="world",
    ),
    Tool(
        name="project_status",
        description="Where a project stands: its goals, facts, topics, last sessions and files.",
        parameters=parameters(project={"type": "string", "minLength": 1}),
        result=parameters(("manifest",), manifest={"type": ["object", "null"]}),
        function=project_status,
        kind="manifest",
    ),
)
