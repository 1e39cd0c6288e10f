"""`thalamus memory release` and `reject`: decisions on quarantined memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from thalamus.records import Verdict

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, or a prefix of it.")]


@settings("embedder", *STORE)
def release(config: Config, id: Id, json: Json = False) -> None:
    """Release a memory from quarantine, so that it is recalled again."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _print_verdict(thalamus.memories.release(id), json)


@settings(*STORE)
def reject(config: Config, id: Id, json: Json = False) -> None:
    """Delete a quarantined memory."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _print_verdict(thalamus.memories.reject(id), json)


def _print_verdict(verdict: Verdict, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import one_line

    if json:
        jsonl.write(verdict)
    else:
        say(f"{verdict.reason}: {one_line(verdict.content)}  [{verdict.id}]")
