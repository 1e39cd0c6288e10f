"""`thalamus draft`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def draft(config: Config) -> None:
    """Answer briefly without memory, as a first draft.

    Reads turn records from standard input, asks the model once, and writes the records back with
    `draft`. It is not the answer: `search-plan` makes of it what to look up, and `answer` sees it
    next to what was found. Stores nothing.
    """
    run_filter("draft", config)
