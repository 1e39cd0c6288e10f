"""`thalamus tools performance`: the outcomes of the calls of each tool."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say


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
