"""Commands of the command line that are derived from the table of operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.operations import OPERATIONS


def command(name: str) -> Callable[..., None]:
    """The function of the command of an operation."""
    operation = OPERATIONS[name]
    act = operation.load()

    def run(config: Config, given: Any, json: Json = False) -> None:
        from thalamus.commands.options import engine
        from thalamus.terminal import jsonl
        from thalamus.terminal.streams import say

        with engine(config) as thalamus:
            result = act.run(thalamus, given)
            jsonl.write(result) if json else say(act.line(result))

    run.__doc__ = f"{operation.help}\n\n{operation.more}".strip()
    run.__annotations__["given"] = act.takes
    return settings(*act.shared, *STORE)(run)
