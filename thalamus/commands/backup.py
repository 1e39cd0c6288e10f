"""`thalamus backup`: a copy of the store while it is in use."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*STORE)
def backup(
    config: Config,
    file: Annotated[str, typer.Argument(help="Where to write the copy.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    json: Json = False,
) -> None:
    """Copies the store to one file, as it is at one moment, while others may write.

    The copy is verified before it takes its name. `thalamus restore FILE` brings it back; the
    search indexes are not in it, they are made anew.
    """
    from pathlib import Path

    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted

    path = Path(file)
    with engine(config) as thalamus:
        counts = thalamus.backup(path, replace=force)
        if json:
            data = {"path": str(path), "bytes": path.stat().st_size, "counts": counts}
            jsonl.write(Event(name="backed_up", at=thalamus.clock.stamp(), data=data))
        else:
            say(f"{path}: {counted(counts)}")
