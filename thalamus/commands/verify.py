"""`thalamus verify`: checking the store against its signatures."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*STORE)
def verify(
    config: Config,
    head: Annotated[
        bool, typer.Option("--head", help="Print the signed head, to keep elsewhere for --against.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="HEAD", help="Compare with a head printed earlier."),
    ] = None,
    json: Json = False,
) -> None:
    """Verify every row and every ledger entry against the signatures of the store.

    Prints a line for each row that was edited, removed or inserted by anything but Thalamus and
    exits with 1; otherwise prints a summary. With --json: a `finding` record for each, then an
    event `verified` with the counts.
    """
    import sys

    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.security.store_state import finding_line
    from thalamus.terminal import jsonl

    found = 0
    with engine(config) as thalamus, thalamus.store.verify(against) as verified:
        for finding in verified.findings():
            found += 1
            if json:
                jsonl.write(finding)
            else:
                say(finding_line(finding))
        if json:
            data = {**verified.counts, "findings": found, "head": None if found else verified.head}
            jsonl.write(Event(name="verified", at=thalamus.clock.stamp(), data=data))
        elif not found:
            (complain if head else say)(verified.summary)
            if head:
                say(verified.head)
    if found:
        sys.exit(1)
