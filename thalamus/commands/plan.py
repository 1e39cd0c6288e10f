"""`thalamus plan`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def plan(config: Config) -> None:
    """Prepares the next turn: reads turn records, asks the model what will be needed, saves
    that for the session, writes the records with `plan`."""
    run_filter("plan", config)
