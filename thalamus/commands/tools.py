"""`thalamus tools`: the tools that stages and their models may use."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.groups import Group
from thalamus.commands.options import OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say, say_text

if TYPE_CHECKING:
    from collections.abc import Iterator

group = Group(
    "List and show tools, call one by hand, see how they perform. Without a command: `list`.",
    {
        "list": "tools:list_tools",
        "show": "tools:show",
        "call": "tools:call",
        "performance": "tools:performance",
    },
    words="show",
)
FIX = """Give the arguments as an object, such as '{"query": "tea"}'."""


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


@settings("session", "embedder", *OWNER, *STORE, filters=True)
def call(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a tool.")],
    arguments: Annotated[
        str | None,
        typer.Argument(metavar="JSON", help="The arguments; if omitted, read from stdin."),
    ] = None,
) -> None:
    """Call a tool by hand.

    Changes and proposals of the tool are applied at once. Reads the arguments as a JSON object from
    the command line, or one per line from standard input, and writes a `tool_result` record for
    each. A call that fails is written with its `error`, and the exit status is 1.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    failed = False
    with engine(config) as thalamus:
        thalamus.tools.get(name)  # an unknown name is reported before reading
        for args in _objects(arguments):
            result = thalamus.tools.call(name, args)
            jsonl.write(result)
            if result.error is not None:
                complain(f"thalamus: {result.error}")
                failed = True
    if failed:
        sys.exit(1)


def _objects(given: str | None) -> Iterator[dict[str, Any]]:
    """The arguments of each call. Raises ``UsageError`` or ``BadRecord``."""
    import json

    from thalamus.errors import BadRecord, UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal.problems import reporting

    if given is None:
        for lines in jsonl.numbered_lines():
            for number, line in lines:
                try:
                    value = json.loads(line)
                except ValueError as error:
                    reporting.bad_line(BadRecord(number, str(error), fix=FIX))
                    continue
                if isinstance(value, dict):
                    yield value
                else:
                    reporting.bad_line(BadRecord(number, "expected a JSON object", fix=FIX))
        return
    try:
        value = json.loads(given)
    except ValueError as error:
        raise UsageError(f"invalid JSON argument {given!r}: {error}", fix=FIX) from None
    if not isinstance(value, dict):
        raise UsageError(f"invalid JSON argument {given!r}: not an object", fix=FIX)
    yield value


@settings("embedder", *OWNER, *STORE)
def performance(
    config: Config,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="A message; without it: all tasks.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the outcomes of the calls of each tool, from the ledger.

    For each tool and kind of task: the mean outcome of its calls (a call that failed or was
    corrected later counts 0, one whose result the answer does not use counts half), their number
    and time, and the first such task. With TASK: the tools in the order in which `tool_policy: ucb`
    offers them for it, with their scores. With --json: `tool_performance` records.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Turn
    from thalamus.terminal import jsonl
    from thalamus.terminal.tool_calls import performance_lines

    def text_of(id: str) -> str:
        turn = thalamus.store.get(id)
        return turn.message if isinstance(turn, Turn) else ""

    with engine(config) as thalamus:
        found = thalamus.tools.performance(task)
        if json:
            jsonl.write(*found)
            return
        for line in performance_lines(found, text_of):
            say(line)
    if not found:
        complain("No tool was called yet.")
