"""`thalamus world diff`: the difference between two states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import World


@settings(*OWNER, *STORE)
def diff(
    config: Config,
    change: Annotated[
        str | None,
        typer.Argument(metavar="CHANGE", help="The id of a change, or a prefix [default: last]."),
    ] = None,
    other: Annotated[
        str | None, typer.Argument(metavar="OTHER", help="The id of another change, or a prefix.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what a change did to the world state.

    With OTHER: the difference between the states after CHANGE and after OTHER. With --json: the two
    `world` records.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import NothingMatches
    from thalamus.terminal import jsonl
    from thalamus.terminal.world import difference_lines

    with engine(config) as thalamus:
        if change is None:
            last = thalamus.projects.history(1)
            if not last:
                raise NothingMatches("The world state was never changed.")
            change = last[0].id or ""
        before = _state(thalamus, change, after=other is not None)
        after = _state(thalamus, other or change, after=True)
        if json:
            jsonl.write(before, after)
            return
        lines = list(difference_lines(before, after))
        for line in lines:
            say(line)
        if not lines:
            complain("The states are the same.")


def _state(thalamus: Thalamus, id: str, *, after: bool) -> World:
    """The state before or after a change. Raises ``UsageError`` if it is no longer kept."""
    from thalamus.errors import UsageError

    change = thalamus.projects.change(id)
    state = change.after if after else change.before
    if state is None:
        raise UsageError(
            f"The states of {change.id} are no longer kept.",
            fix="They are deleted when a change can no longer be undone (`undo_days`).",
        )
    return state
