"""`thalamus tools list` and `show`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say, say_text


@settings(*STORE, lists=True)
def list_tools(
    config: Config,
    stage: Annotated[
        str | None,
        typer.Option(metavar="STAGE", help="Only the tools that this stage may use."),
    ] = None,
    json: Json = False,
) -> None:
    """List the tools: built-in, of plugins and of MCP servers.

    With --json: a `tool` record for each.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.tool_calls import tool_lines
    from thalamus.tools.skills import STAGES

    with engine(config) as thalamus:
        if stage is not None and stage not in STAGES:
            raise wrong_choice("--stage", stage, STAGES)
        found = thalamus.tools.find(stage)
        problems = thalamus.tools.problems()
    for problem in problems:
        complain(f"thalamus: {problem.message}")
    if json:
        jsonl.write(*found)
        return
    for line in tool_lines(found):
        say(line)
    if not found:
        complain("No tools match.")


@settings(*STORE)
def show(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a tool.")],
    json: Json = False,
) -> None:
    """Show a tool: its purpose, its arguments and its result.

    Arguments and result are shown as JSON Schemas. With --json: the `tool` record.
    """
    from thalamus.commands.options import engine
    from thalamus.records import schemas
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        tool = thalamus.tools.get(name)
    if json:
        jsonl.write(tool)
        return
    say(f"{tool.name}  ({tool.effect}, {tool.source})")
    say(tool.description)
    say(f"stages: {', '.join(tool.stages) or 'none'}")
    say_text(f"parameters: {schemas.pretty(tool.parameters)}")
    say_text(f"result: {schemas.pretty(tool.result)}")
