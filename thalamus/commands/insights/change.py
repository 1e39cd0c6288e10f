"""`thalamus insights undo`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config


@settings(*STORE)
def undo(
    config: Config,
    batch: Annotated[
        str | None,
        typer.Argument(metavar="BATCH", help="The id of a merge, or a prefix [default: last]."),
    ] = None,
    json: Json = False,
) -> None:
    """Undo a merge of `consolidate`.

    The insights that were merged are active again. With --json: an event.
    """
    from thalamus.commands.options import engine
    from thalamus.commands.undo import show
    from thalamus.errors import NothingMatches
    from thalamus.pipeline.merge_insights import undo_reflection

    with engine(config) as thalamus:
        merge = batch or undo_reflection(thalamus.store.batches(undoable=True))
        if merge is None:
            raise NothingMatches("There is no merge of insights to undo.")
        show(thalamus.undo(merge), json)
