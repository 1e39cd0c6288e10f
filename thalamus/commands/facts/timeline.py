"""`thalamus facts timeline`: when facts held, as bars over time."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say


@settings(*OWNER, *STORE)
def timeline(
    config: Config,
    subject: Annotated[
        str | None, typer.Argument(metavar="SUBJECT", help="Only facts about this subject.")
    ] = None,
    predicate: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only with this predicate.")
    ] = None,
    begin: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Start at DATE.")
    ] = None,
    end: Annotated[str | None, typer.Option("--to", metavar="DATE", help="End at DATE.")] = None,
    json: Json = False,
) -> None:
    """Draw when each fact held, as bars over time.

    As wide as the terminal, or COLUMNS. With --json: the facts with their `beliefs`.
    """
    import os
    import shutil

    from thalamus.commands.dates import read_date
    from thalamus.commands.facts.list import say_none
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal.timeline import bars, draw

    first, last = read_date(begin, "--from"), read_date(end, "--to")
    if first and last and first >= last:
        raise UsageError("--to must be later than --from.")
    with engine(config) as thalamus:
        facts = thalamus.facts.timeline(subject, predicate)
        if json:
            jsonl.write(*facts)
            return
        if not facts:
            say_none(thalamus, None if predicate else subject)
        utf = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
        plain = not (sys.stdout.isatty() and utf) or bool(os.environ.get("NO_COLOR"))
        width = shutil.get_terminal_size((80, 24)).columns
        for line in draw(bars(facts), thalamus.clock.stamp(), first, last, width, plain):
            say(line)
