"""From what an MCP server announces to tools, and from what it answers to their output.

A server is somebody else's program: its names are made to fit, its schemas are checked, what it
says of its tools is looked through for orders, and a tool that does not pass is absent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thalamus.policy.injection import suspicious
from thalamus.policy.prompts import fence
from thalamus.tools.foreign_schema import BadSchema, usable
from thalamus.tools.tool import Tool, ToolOutput, Workspace

if TYPE_CHECKING:
    from thalamus.tools.mcp import AnnouncedTool, ToolAnswer
    from thalamus.tools.mcp_settings import ServerSettings

LONGEST_NAME = 64  # what servers of models allow
_LONGEST_DESCRIPTION = 600
_LONGEST_ERROR = 500
_MARGIN = 2.0  # seconds that a tool is waited for beyond what its server is given

Call = Callable[[str, dict[str, Any]], "ToolAnswer"]


def tool_name(server: str, tool: str) -> str:
    """The name under which a server's tool is called: models may be told of names of letters,
    digits, - and _ only, 64 at most."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{server}_{tool}")[:LONGEST_NAME]


def tools_of(
    settings: ServerSettings, announced: Sequence[AnnouncedTool], call: Call
) -> tuple[dict[str, Tool], list[str]]:
    """The tools that may be used, by name, and what is wrong with those that may not."""
    tools: dict[str, Tool] = {}
    wrong: list[str] = []
    seen: set[str] = set()
    for one in announced:
        if settings.tools and one.name not in settings.tools:
            continue
        shown = _shown(one.name)
        if one.name in seen or tool_name(settings.name, one.name) in tools:
            wrong.append(f"it announces {shown} more than once")
            continue
        seen.add(one.name)
        if not one.read_only and not settings.write:
            if settings.tools:
                wrong.append(f"{shown} is left out: it may change things, and `write` is not true")
            continue
        try:
            tool = _tool(settings, one, call)
        except BadSchema as error:
            wrong.append(f"{shown} is left out: {error}")
        else:
            tools[tool.name] = tool
    known = {one.name for one in announced}
    wrong += [f"it has no tool {name!r}" for name in settings.tools if name not in known]
    return tools, wrong


def _tool(settings: ServerSettings, one: AnnouncedTool, call: Call) -> Tool:
    """The tool. Raises ``BadSchema`` for one that cannot be used."""
    parameters = usable(one.parameters, arguments=True)
    result = usable(one.result, arguments=False) if one.result is not None else {}
    words = f"{one.name}\n{one.description}\n{json.dumps(parameters, ensure_ascii=False)}"
    pattern = suspicious(words)
    if pattern is not None:
        raise BadSchema(f"its description gives orders ({pattern})")
    description = " ".join(fence(one.description).split())

    def function(args: dict[str, Any], _: Workspace) -> ToolOutput:
        return output_of(call(one.name, args))

    return Tool(
        name=tool_name(settings.name, one.name),
        description=description[:_LONGEST_DESCRIPTION] or f"{one.name} of {settings.name}.",
        parameters=parameters,
        function=function,
        result=result,
        effect="read" if one.read_only else "write",
        source="mcp",
        timeout=settings.timeout + settings.start_timeout + _MARGIN,
        max_bytes=settings.max_bytes,
        origin=f"{settings.name}.{one.name}",
    )


def output_of(answer: ToolAnswer) -> ToolOutput:
    """The output of a call: what is structured is the result, else the text; what is neither is
    named."""
    left_out = [f"[{what}: left out]" for what in answer.left_out]
    text = "\n".join([*([answer.text] if answer.text else []), *left_out])
    if answer.structured is not None:
        shown = text or json.dumps(answer.structured, ensure_ascii=False)
        return ToolOutput(answer.structured, text=shown)
    return ToolOutput({"text": text}, text=text or "(nothing)")


def error_text(tool: str, message: str) -> str:
    """What a server says went wrong, as data."""
    text = " ".join(message.split())
    pattern = suspicious(text[: 4 * _LONGEST_ERROR])
    if pattern is not None:
        return f"{tool} failed, with a message that gives orders ({pattern}): left out"
    cut = text if len(text) <= _LONGEST_ERROR else text[:_LONGEST_ERROR] + "… (cut)"
    return f"{tool} failed: {fence(cut)}"


def _shown(name: str) -> str:
    return repr(name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…")
