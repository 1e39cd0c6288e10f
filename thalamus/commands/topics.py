"""`thalamus topics`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def topics(config: Config) -> None:
    """Find the topics of an exchange.

    Reads turn records from standard input, asks the model what the exchange is about, and writes
    the records back with the operations that merge these topics into the world state, which `store`
    does.
    """
    run_filter("topics", config)
