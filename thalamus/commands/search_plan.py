"""`thalamus search-plan`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def search_plan(config: Config) -> None:
    """Plan what to look up for a message and its draft.

    Reads turn records from standard input, asks the model what to search for, and writes the
    records back with `search_plan`: at most three instructions, which `retrieve` executes besides
    the message itself. Stores nothing.
    """
    run_filter("search_plan", config)
