"""`thalamus restore`: replacing the store by a backup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from pathlib import Path

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*STORE)
def restore(
    config: Config,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file written by `thalamus backup`.")
    ],
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Replace an existing store without asking.")
    ] = False,
    json: Json = False,
) -> None:
    """Restore the store from a backup.

    An existing store is kept under another name. Other processes may keep working: they see the
    old state, then the restored one.
    """
    from pathlib import Path

    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted

    path = Path(file)
    with engine(config) as thalamus:
        live = thalamus.store_path
        counts = thalamus.inspect_backup(path)
        if thalamus.has_store_file() and not yes:
            _ask(live, counted(counts))
        kept = thalamus.restore(path)
        at = thalamus.clock.stamp()
    if json:
        data = {"path": str(live), "counts": counts, "kept": str(kept) if kept else None}
        jsonl.write(Event(name="restored", at=at, data=data))
        return
    say(f"restored to {live}: {counted(counts)}")
    if kept is not None:
        say(f"The store that was there is kept as {kept}")


def _ask(live: Path, what: str) -> None:
    """Asks on a terminal whether to go on; elsewhere ``--yes`` must be given."""
    from thalamus.errors import Interrupted, UsageError
    from thalamus.terminal import streams

    if not streams.can_ask():
        raise UsageError(f"There is already a store at {live}.", fix="Give --yes to replace it.")
    if not streams.agreed(f"Replace the store at {live} with {what}? The old one is kept."):
        raise Interrupted()
