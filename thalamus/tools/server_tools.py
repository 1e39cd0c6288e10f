"""Conversion of an MCP server's announced tools and answers.

A server is an external program: names are adapted, schemas validated, descriptions checked for
instructions, and a tool that fails a check is left out.
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

LONGEST_NAME = 64  # limit of model servers
_LONGEST_DESCRIPTION = 600
_LONGEST_ERROR = 500
_MARGIN = 2.0  # seconds to wait for a tool beyond its server's time-out

Call = Callable[[str, dict[str, Any]], "ToolAnswer"]


def tool_name(server: str, tool: str) -> str:
    """Name under which a server's tool is called: models only accept letters, digits, - and _, at
    most 64."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{server}_{tool}")[:LONGEST_NAME]


def tools_of(
    settings: ServerSettings, announced: Sequence[AnnouncedTool], call: Call
) -> tuple[dict[str, Tool], list[str]]:
    """Usable tools by name, and problems with the others."""
    tools: dict[str, Tool] = {}
    problems: list[str] = []
    seen: set[str] = set()
    for one in announced:
        if settings.tools and one.name not in settings.tools:
            continue
        shown = _shown(one.name)
        if one.name in seen or tool_name(settings.name, one.name) in tools:
            problems.append(f"it announces {shown} more than once")
            continue
        seen.add(one.name)
        if not one.read_only and not settings.write:
            if settings.tools:
                problems.append(
                    f"{shown} is left out: it may change things; set `write: true` to allow it"
                )
            continue
        try:
            tool = _tool(settings, one, call)
        except BadSchema as error:
            problems.append(f"{shown} is left out: {error}")
        else:
            tools[tool.name] = tool
    known = {one.name for one in announced}
    problems += [f"it has no tool {name!r}" for name in settings.tools if name not in known]
    return tools, problems


def _tool(settings: ServerSettings, one: AnnouncedTool, call: Call) -> Tool:
    """The tool. Raises ``BadSchema`` if it cannot be used."""
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
        quota=settings.quota,
    )


def output_of(answer: ToolAnswer) -> ToolOutput:
    """Output of a call: structured data, or else the text; other content is named."""
    left_out = [f"[{what}: left out]" for what in answer.left_out]
    text = "\n".join([*([answer.text] if answer.text else []), *left_out])
    if answer.structured is not None:
        shown = text or json.dumps(answer.structured, ensure_ascii=False)
        return ToolOutput(answer.structured, text=shown)
    return ToolOutput({"text": text}, text=text or "(nothing)")


def error_text(tool: str, message: str) -> str:
    """A server's error message as data."""
    text = " ".join(message.split())
    pattern = suspicious(text[: 4 * _LONGEST_ERROR])
    if pattern is not None:
        return f"{tool} failed, with a message that gives orders ({pattern}): left out"
    cut = text if len(text) <= _LONGEST_ERROR else text[:_LONGEST_ERROR] + "… (cut)"
    return f"{tool} failed: {fence(cut)}"


def _shown(name: str) -> str:
    return repr(name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…")
