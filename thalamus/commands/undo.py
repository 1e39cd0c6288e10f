"""`thalamus undo`: undoing a prune, an edit or a change of the world state."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*STORE)
def undo(
    config: Config,
    batch: Annotated[
        str | None,
        typer.Argument(
            metavar="BATCH", help="The id of a batch, or a prefix of it [default: last]."
        ),
    ] = None,
    list_them: Annotated[
        bool, typer.Option("--list", help="List what can be undone, newest first.")
    ] = False,
    json: Json = False,
) -> None:
    """Undo the last prune, `memory edit`, `pin`, `promote`, `demote` or change of the world state.

    A prune can be undone until the memories it retired are deleted (`undo_days`). With --json: an
    event, or batch records with --list.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import NothingFound, NothingMatches
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.local import day
    from thalamus.terminal.world import operations_line

    with engine(config) as thalamus:
        if list_them:
            for found in thalamus.batches(undoable=True):
                if json:
                    jsonl.write(found)
                    continue
                told = ", ".join(f"{count} {name}" for name, count in found.counts.items())
                told = told or operations_line(found.operations)
                until = f"until {day(found.until)}"
                say(f"{day(found.at)}  {found.action:8}  {told or '-'}  {until}  [{found.id}]")
            return
        try:
            chosen, counts = thalamus.undo(batch)
        except NothingFound:
            if batch is not None:
                raise
            raise NothingMatches("There is nothing to undo.") from None
        if json:
            data = {"batch": chosen.id, "action": chosen.action, **counts}
            jsonl.write(Event(name="undone", at=chosen.undone_at or "", data=data))
            return
        told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        if chosen.operations:
            told = operations_line(chosen.operations)
        say(f"undone: {chosen.action} of {day(chosen.at)}: {told or 'nothing left'}")
