"""`thalamus undo`: undoes a prune, an edit, a change of a fact or the world state, or a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Batch

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *STORE)
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
    turn: Annotated[
        str | None,
        typer.Option(
            "--turn", metavar="ID", help="Undo a turn (last: the last one) and what it stored."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Undo the last prune, edit, merge or change of facts or the world state.

    These can be undone: a prune, `memory edit`, `pin`, `promote` and `demote`, `facts end`,
    `retract` and `correct`, `insights reject`, a merge of insights, and a change of the world
    state. A prune can be undone until the memories it retired are deleted (`undo_days`).

    With --turn a turn is deleted with everything stored because of it, and what it had ended or
    superseded is restored. With --json: an event, batch records with --list, verdicts with --turn.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import NothingFound, NothingMatches, UsageError

    if turn is not None and (batch is not None or list_them):
        raise UsageError("--turn cannot be combined with other options.")
    with engine(config) as thalamus:
        if list_them:
            batches = thalamus.store.batches(undoable=True)
            for found in batches:
                _list(found, json)
            if not batches and not json:
                complain("There is nothing to undo.")
            return
        if turn is not None:
            _undo_turn(thalamus, turn, json)
            return
        try:
            chosen, counts = thalamus.undo(batch)
        except NothingFound:
            if batch is not None:
                raise
            raise NothingMatches("There is nothing to undo.") from None
        _show(chosen, counts, json)


def _list(found: Batch, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.batches import changes_line
    from thalamus.terminal.local import day

    if json:
        jsonl.write(found)
        return
    changes, until = changes_line(found), f"until {day(found.until)}"
    say(f"{day(found.at)}  {found.action:8}  {changes or '-'}  {until}  [{found.id}]")


def _undo_turn(thalamus: Thalamus, id: str, json: bool) -> None:
    from thalamus.commands.last_turn import last_turn
    from thalamus.terminal import jsonl
    from thalamus.terminal.undone import undone_lines

    verdicts = thalamus.undo_turn(last_turn(thalamus) if id == "last" else id)
    if json:
        for verdict in verdicts:
            jsonl.write(verdict)
        return
    for line in undone_lines(verdicts):
        say(line)


def _show(chosen: Batch, counts: dict[str, int], json: bool) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.batches import undone_line

    if json:
        data = {"batch": chosen.id, "action": chosen.action, **counts}
        jsonl.write(Event(name="undone", at=chosen.undone_at or "", data=data))
        return
    say(undone_line(chosen, counts))
