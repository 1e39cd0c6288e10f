"""`thalamus store backup`: copies the store while it is in use."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say


@settings(*STORE)
def backup(
    config: Config,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    json: Json = False,
) -> None:
    """Back up the store to a file while it is in use.

    The backup is a consistent snapshot, verified before the file gets its name. It does not
    contain the search indexes: `thalamus store restore FILE` rebuilds them.
    """
    from pathlib import Path

    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted

    path = Path(file)
    with engine(config) as thalamus:
        counts = thalamus.store.backup(path, replace=force)
        if json:
            data = {"path": str(path), "bytes": path.stat().st_size, "counts": counts}
            jsonl.write(Event(name="backed_up", at=thalamus.clock.stamp(), data=data))
        else:
            say(f"{path}: {counted(counts)}")
