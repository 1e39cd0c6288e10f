"""`thalamus memory release` and `reject`: what becomes of what was kept aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config

if TYPE_CHECKING:
    from thalamus.engine import Thalamus
    from thalamus.records import Verdict

Id = Annotated[str, typer.Argument(help="Its id, or the beginning of it.")]


@settings("embedder", *STORE)
def release(config: Config, id: Id, json: Json = False) -> None:
    """Takes a memory out of quarantine: from now on it is recalled like any other."""
    from thalamus.commands.options import engine
    from thalamus.stages.aside import release

    with engine(config) as thalamus:
        _tell(release(_resolve(thalamus, id), thalamus.context), json)


@settings(*STORE)
def reject(config: Config, id: Id, json: Json = False) -> None:
    """Drops a memory that is in quarantine."""
    from thalamus.commands.options import engine
    from thalamus.stages.aside import reject

    with engine(config) as thalamus:
        _tell(reject(_resolve(thalamus, id), thalamus.context), json)


def _resolve(thalamus: Thalamus, id: str) -> str:
    """The full id of a memory in quarantine."""
    from thalamus.errors import UsageError
    from thalamus.provenance import resolve
    from thalamus.records import Memory

    full = resolve(thalamus.store, id)
    memory = thalamus.store.get(full)
    if not isinstance(memory, Memory) or memory.status != "quarantined":
        fix = "`thalamus memory --quarantined` lists what is."
        raise UsageError(f"{full} is not in quarantine.", fix=fix)
    return full


def _tell(verdict: Verdict, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.plain import one_line

    if json:
        jsonl.write(verdict)
    else:
        print(f"{verdict.reason}: {one_line(verdict.content)}  [{verdict.id}]")
