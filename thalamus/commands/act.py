"""`thalamus act`: the filter."""

from __future__ import annotations

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "model", *OWNER, *STORE)
def act(config: Config) -> None:
    """Do what a message asks for, with tools.

    Reads turn records from standard input. Where their `route` is `world`, or they have none, the
    model calls the tools that the stage may use; the records are written back with `tool_calls`,
    and with what is to be changed in the world and remembered, which `store` does. Others are
    written back as they are.
    """
    run_filter("act", config)
