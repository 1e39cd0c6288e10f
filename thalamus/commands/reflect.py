"""`thalamus reflect`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filtering import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def reflect(config: Config) -> None:
    """Finds what is worth keeping: reads turn records, asks the model for memories and facts,
    checks them against the turn, writes the records with `reflection`. Nothing is stored yet."""
    run_filter("reflect", config)
