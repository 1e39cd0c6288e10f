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

    from thalamus.clock import Clock
    from thalamus.errors import UsageError
    from thalamus.records import Event
    from thalamus.storage.sqlite import backup as storage
    from thalamus.storage.sqlite.backup import judge
    from thalamus.storage.sqlite.connection import FILE, empty
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted

    path = Path(file)
    if not path.is_file():
        raise UsageError(f"There is no file {path}.")
    live = config.store_dir / FILE
    if live.exists() and live.samefile(path):
        raise UsageError(f"{path} is the store itself, not a backup.")
    counts = judge(path)
    if not empty(live) and not yes:
        _ask(live, counted(counts))
    clock = Clock.from_environment()
    replaced = storage.restore(
        config.store_dir,
        path,
        stamp=clock.stamp(),
        tenant=config.tenant,
        busy_timeout=config.busy_timeout,
    )
    if json:
        kept = str(replaced) if replaced else None
        data = {"path": str(live), "counts": counts, "kept": kept}
        jsonl.write(Event(name="restored", at=clock.stamp(), data=data))
        return
    say(f"{live}: {counted(counts)}")
    if replaced is not None:
        say(f"The previous store is kept as {replaced}")


def _ask(live: Path, what: str) -> None:
    """Asks on a terminal whether to go on; elsewhere ``--yes`` must be given."""
    from thalamus.errors import Interrupted, UsageError
    from thalamus.terminal import streams

    if not streams.can_ask():
        raise UsageError(f"There is already a store at {live}.", fix="Give --yes to replace it.")
    if not streams.agreed(f"Replace the store at {live} with {what}? The old one is kept."):
        raise Interrupted()
