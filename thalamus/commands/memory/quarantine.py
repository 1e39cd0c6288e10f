"""`thalamus memory release` and `reject`: deciding on quarantined memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Memory, Verdict

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, or a prefix of it.")]


@settings("embedder", *STORE)
def release(config: Config, id: Id, json: Json = False) -> None:
    """Release a memory from quarantine, so that it is recalled again."""
    from thalamus.commands.options import engine
    from thalamus.memory.quarantine import release

    with engine(config) as thalamus:
        _tell(release(_quarantined(thalamus, id), thalamus.context, thalamus.store), json)


@settings(*STORE)
def reject(config: Config, id: Id, json: Json = False) -> None:
    """Delete a quarantined memory."""
    from thalamus.commands.options import engine
    from thalamus.memory.quarantine import reject

    with engine(config) as thalamus:
        _tell(
            reject(_quarantined(thalamus, id, deleting=True), thalamus.context, thalamus.store),
            json,
        )


def _quarantined(thalamus: Thalamus, id: str, deleting: bool = False) -> Memory:
    """A memory in quarantine."""
    from thalamus.errors import UsageError
    from thalamus.memory.explain import resolve_to_delete

    memory = thalamus.find_memory(resolve_to_delete(thalamus.store, id) if deleting else id)
    if memory.status != "quarantined":
        fix = "`thalamus memory --status quarantined` lists those that are."
        raise UsageError(f"{memory.id} is not in quarantine.", fix=fix)
    return memory


def _tell(verdict: Verdict, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import one_line

    if json:
        jsonl.write(verdict)
    else:
        say(f"{verdict.reason}: {one_line(verdict.content)}  [{verdict.id}]")
