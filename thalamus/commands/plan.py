"""`thalamus plan` as a filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE, filters=True)
def plan(config: Config) -> None:
    """Plan what the next turn should recall.

    Reads turn records from standard input, plans what the next turn will need (with `planner:
    model`, by asking the model; otherwise nothing), saves the plan for the session, and writes the
    records back with `plan`.
    """
    run_filter("plan", config)
