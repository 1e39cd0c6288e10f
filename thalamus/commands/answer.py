"""`thalamus answer`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def answer(config: Config) -> None:
    """Answers turns: reads turn records on standard input, asks the chat model, writes the records
    with `answer`. It writes no memory."""
    run_filter("answer", config)
