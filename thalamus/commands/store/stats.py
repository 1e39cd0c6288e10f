"""`thalamus store stats`: size and use of the store."""

from __future__ import annotations

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say


@settings(*OWNER, *STORE)
def stats(config: Config, json: Json = False) -> None:
    """Show the size and use of the store, in figures.

    Shows the size, the records of each kind, what was said and recalled over time, what is recalled
    most and what never was, what waits for a decision, and how long each stage took with each
    model. With --json: a `statistics` record.
    """
    import os
    import shutil
    import sys

    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.statistics import lines

    with engine(config) as thalamus:
        found = thalamus.store.stats()
    if json:
        jsonl.write(found)
        return
    utf = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    plain = not (sys.stdout.isatty() and utf) or bool(os.environ.get("NO_COLOR"))
    for line in lines(found, shutil.get_terminal_size((80, 24)).columns, plain):
        say(line)
