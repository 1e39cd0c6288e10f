"""`thalamus memory release` and `reject`: what becomes of what was kept aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from thalamus.records import Verdict

Id = Annotated[str, typer.Argument(help="Its id, or the beginning of it.")]


@settings("embedder", *STORE)
def release(config: Config, id: Id, json: Json = False) -> None:
    """Takes a memory out of quarantine: from now on it is recalled like any other."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _tell(thalamus.release_memory(id), json)


@settings(*STORE)
def reject(config: Config, id: Id, json: Json = False) -> None:
    """Drops a memory that is in quarantine."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _tell(thalamus.reject_memory(id), json)


def _tell(verdict: Verdict, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import one_line

    if json:
        jsonl.write(verdict)
    else:
        say(f"{verdict.reason}: {one_line(verdict.content)}  [{verdict.id}]")
