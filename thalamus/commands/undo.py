"""`thalamus undo`: undoes a prune, an edit, a change of a fact or the world state, or a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.memory.undo.undo import Undone
    from thalamus.records.reports import Batch

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *STORE)
def undo(
    config: Config,
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="The id of a batch or a turn, or a prefix of it [default: the last batch].",
        ),
    ] = None,
    list_them: Annotated[
        bool, typer.Option("--list", help="List what can be undone, newest first.")
    ] = False,
    turn: Annotated[
        str | None,
        typer.Option(
            "--turn", metavar="ID", help="Undo a turn (last: the last one) and what it stored."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Undo the last prune, edit, merge or change of facts or the world state.

    These can be undone: a prune; `memory edit`, `confirm`, `pin`, `promote` and `demote`; `facts
    end`, `retract` and `correct`; `insights reject` and a merge of insights; a new version of a
    document; a change of a source or of the world state. They can be undone for `undo_days`, a
    turn always: it is deleted with everything stored because of it, and what it had ended or
    superseded is restored. Exit status 2 if a later change has to be undone first.

    With --json: an event, batch records with --list, verdicts for a turn.
    """
    from thalamus.commands.last_turn import last_turn
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if turn is not None and (id is not None or list_them):
        raise UsageError("--turn cannot be combined with other options.")
    with engine(config) as thalamus:
        if list_them:
            batches = thalamus.store.batches(undoable=True)
            for found in batches:
                _list(found, json)
            if not batches and not json:
                complain("There is nothing to undo.")
            return
        show(thalamus.undo(last_turn(thalamus) if turn == "last" else turn or id), json)


def _list(found: Batch, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.batches import changes_line
    from thalamus.terminal.local import day

    if json:
        jsonl.write(found)
        return
    changes, until = changes_line(found), f"until {day(found.until)}"
    say(f"{day(found.at)}  {found.action:8}  {changes or '-'}  {until}  [{found.id}]")


def show(undone: Undone, json: bool) -> None:
    """Prints what was undone."""
    from thalamus.terminal import jsonl
    from thalamus.terminal.batches import undone_lines

    if json:
        for record in undone.records:
            jsonl.write(record)
        return
    for line in undone_lines(undone):
        say(line)
