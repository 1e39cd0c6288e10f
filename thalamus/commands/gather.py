"""`thalamus gather`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def gather(config: Config) -> None:
    """Build the context of an answer, in rounds.

    Reads turn records from standard input. Where their `route` is `context`, or they have none, it
    recalls what the message asks for, asks the model up to three times what is missing, and writes
    the records back with `context` and `evidence`. Others are written back as they are.
    """
    run_filter("gather", config)
