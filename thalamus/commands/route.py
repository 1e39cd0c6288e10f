"""`thalamus route`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def route(config: Config) -> None:
    """Decide what a message needs: context, world or answer.

    Reads turn records from standard input, looks up the last messages and what is remembered of the
    current project, asks the model once, and writes the records back with `route`, `context`,
    `world` and `tool_calls`.
    """
    run_filter("route", config)
