"""`thalamus answer` as a filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import PERSONA, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "project", "model", *PERSONA, *STORE, filters=True, recalls=True)
def answer(config: Config) -> None:
    """Answer turns with the chat model.

    Reads turn records from standard input and writes them back with `answer`. Stores nothing.
    """
    run_filter("answer", config)
