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
        from thalamus.terminal.streams import complain, say

        with engine(config) as thalamus:
            found = act.run(thalamus, given)
            if json:
                for record in found:
                    jsonl.write(record)
                return
            for line in act.lines(found):
                say(line)
            for _, failure in thalamus.failures:
                complain(f"thalamus: stored without an embedding: {failure}")
            if hint := act.hint(found):
                complain(hint)

    run.__doc__ = f"{operation.help}\n\n{operation.more}".strip()
    run.__annotations__["given"] = act.takes
    return settings(*act.shared, *STORE)(run)
